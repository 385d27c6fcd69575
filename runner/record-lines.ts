import { openLines } from '../ground/records/lines-file.ts';

export type WriteLine = (record: object) => Promise<void>;

const LINES_AT_ONCE = 1000;

/** Writes a new file of records, which is on the disk when this returns. */
export async function withLines<Result>(
  file: string,
  act: (write: WriteLine) => Promise<Result>,
): Promise<Result> {
  const lines = await openLines(file, { isNew: true });
  try {
    const waiting: object[] = [];
    const result = await act(async (record) => {
      waiting.push(record);
      if (waiting.length === LINES_AT_ONCE) await lines.append(...waiting.splice(0));
    });
    await lines.append(...waiting);
    return result;
  } finally {
    await lines.close();
  }
}
