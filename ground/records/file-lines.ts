import { boundedLines, type Line } from '../system/bounded-lines.ts';
import { openPlain } from '../system/plain-file.ts';

/** The longest line of a run's records: an attempt of a transfer with its series has a tenth of this. */
const MOST_LINE_BYTES = 64_000_000;

/**
 * The lines of a file, one after the other.
 * @throws TooLargeError when a line is longer than any record
 */
export async function* fileLines(file: string, maxBytes = MOST_LINE_BYTES): AsyncGenerator<Line> {
  yield* boundedLines((await openPlain(file)).createReadStream(), { maxBytes });
}
