import { open } from 'node:fs/promises';

const PIECE_CHARACTERS = 1 << 20;

/** Adds a record as a line. */
export type WriteLine = (record: object) => Promise<void>;

/** A new file of records, one on each line, written some at a time; it is on the disk when this returns. */
export async function withLines<Result>(
  file: string,
  act: (write: WriteLine) => Promise<Result>,
): Promise<Result> {
  const handle = await open(file, 'wx');
  try {
    let piece = '';
    const result = await act(async (record) => {
      piece += `${JSON.stringify(record)}\n`;
      if (piece.length < PIECE_CHARACTERS) return;
      await handle.appendFile(piece);
      piece = '';
    });
    await handle.appendFile(piece);
    await handle.sync();
    return result;
  } finally {
    await handle.close();
  }
}
