import path from 'node:path';

/** Transfers files: prints a TransferMade for each TransferInParts on its stdin, lines of JSON; run by the client's Python. */
export const CURL_TRANSFER = path.join(import.meta.dirname, 'transfer_program.py');
