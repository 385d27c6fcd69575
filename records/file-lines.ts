import { createReadStream } from 'node:fs';

/** One line of a file, without its line feed. */
export interface FileLine {
  /** Counted from 1. */
  number: number;
  /** As they stand in the file: a line that was cut need not be text. */
  bytes: Buffer;
  /** False for what follows the last line feed: every whole line ends with one. */
  ended: boolean;
}

const LINE_FEED = 0x0a;

/** The lines of a file, one after the other; never more of it is held than a line and a piece. */
export async function* fileLines(file: string): AsyncGenerator<FileLine> {
  let number = 1;
  let begun: Buffer[] = [];
  for await (const piece of createReadStream(file)) {
    const bytes = piece as Buffer;
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      const rest = bytes.subarray(from, at);
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      yield { number, bytes: line, ended: true };
      begun = [];
      number += 1;
      from = at + 1;
    }
    if (from < bytes.length) begun.push(bytes.subarray(from));
  }
  if (begun.length > 0) yield { number, bytes: Buffer.concat(begun), ended: false };
}
