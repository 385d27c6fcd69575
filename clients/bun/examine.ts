import path from 'node:path';

/** Asks for resources (clients/examiner.ts says how it is asked), run by Bun. */
export const BUN_EXAMINE = path.join(import.meta.dirname, 'examine-program.ts');
