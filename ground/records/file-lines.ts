import { boundedLines, type Line } from '../system/bounded-lines.ts';
import { openPlain } from '../system/plain-file.ts';

/** Maximum length of a record; a transfer with its series takes a tenth of this. */
const MOST_LINE_BYTES = 64_000_000;

/**
 * Yields the lines of a file.
 * @throws TooLargeError when a line is longer than any record
 */
export async function* fileLines(file: string, maxBytes = MOST_LINE_BYTES): AsyncGenerator<Line> {
  yield* boundedLines((await openPlain(file)).createReadStream(), { maxBytes });
}
