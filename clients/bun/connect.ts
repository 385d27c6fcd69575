import path from 'node:path';

/** Makes connections (clients/connector.ts says how it is asked), run by Bun. */
export const BUN_CONNECT = path.join(import.meta.dirname, 'connect-program.ts');
