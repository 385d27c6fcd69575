import { BoundedBuffer, TooLargeError } from './bounded-buffer.ts';

/** A line of a stream. */
export interface Line {
  /** From 1. */
  number: number;
  /** Raw bytes: a truncated line may not be valid text. */
  bytes: Buffer;
  /** False for data after the last line feed: every whole line ends with one. */
  ended: boolean;
}

/** Maximum length of a line, by its source. */
export const LINE_BYTES = {
  /** Programs of this project: all packets of a load in base64 are one line. JavaScript's longest text has 536,870,888 characters. */
  own: 400_000_000,
  /** Chromium's NetLog: one event, at most a read of some ten thousand bytes, or its list of constants. */
  netLog: 64_000_000,
  /** A message of Firefox: the body of a response, or the facts of all requests of a load. */
  firefox: 64_000_000,
  /** Any other program. */
  foreign: 1_000_000,
} as const;

export interface LineLimit {
  maxBytes: number;
  /** `reject` throws on a longer line, `cut` truncates it. */
  longer?: 'reject' | 'cut';
}

const LINE_FEED = 0x0a;

/**
 * Yields the lines of a stream; holds at most one line and one piece in memory.
 * @throws TooLargeError when a line is longer than the limit and not to be cut, after destroying the stream
 */
export async function* boundedLines(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, longer = 'reject' }: LineLimit,
): AsyncGenerator<Line> {
  let number = 1;
  const begun = new BoundedBuffer(maxBytes, 'line');
  const within = (piece: Buffer): Buffer => {
    const room = maxBytes - begun.length;
    if (piece.length <= room) return piece;
    if (longer === 'cut') return piece.subarray(0, room);
    throw new TooLargeError(`line ${number}`, maxBytes);
  };
  let isBegun = false;
  for await (const piece of source) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      let line = within(bytes.subarray(from, at));
      if (begun.length > 0) {
        begun.add(line);
        line = begun.take();
      }
      yield { number, bytes: line, ended: true };
      isBegun = false;
      number += 1;
      from = at + 1;
    }
    if (from < bytes.length) {
      begun.add(within(bytes.subarray(from)));
      isBegun = true;
    }
  }
  if (isBegun) yield { number, bytes: begun.take(), ended: false };
}

/** Lines as text, without a final carriage return. */
export async function* textLines(
  source: AsyncIterable<Uint8Array>,
  limit: LineLimit,
): AsyncGenerator<string> {
  for await (const { bytes } of boundedLines(source, limit)) {
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    yield bytes.toString('utf8', 0, end);
  }
}

const CARRIAGE_RETURN = 0x0d;
