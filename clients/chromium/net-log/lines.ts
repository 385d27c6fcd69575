import { LINE_BYTES, textLines } from '../../../ground/system/bounded-lines.ts';
import { openWritten } from '../../../ground/system/unprivileged-user.ts';

/** Lines of a NetLog, which Chromium may still be writing. */
export async function* netLogLines(netLogFile: string): AsyncGenerator<string> {
  const written = await openWritten(netLogFile);
  yield* textLines(written.createReadStream(), { maxBytes: LINE_BYTES.netLog });
}
