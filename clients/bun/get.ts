import path from 'node:path';

/** Gets one resource (clients/getter.ts says how it is asked), run by Bun. */
export const BUN_GET = path.join(import.meta.dirname, 'get-program.ts');
