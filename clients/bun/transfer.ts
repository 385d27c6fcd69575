import path from 'node:path';

/** Transfers files: prints a TransferMade for each TransferInParts on its stdin, lines of JSON; run by Bun. */
export const BUN_TRANSFER = path.join(import.meta.dirname, 'transfer-program.ts');
