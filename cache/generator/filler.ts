import type { RandomSource } from './random.ts';
import { TooSmallError } from './too-small.ts';

/** A body of a fixed size whose compressibility is still open. */
export interface Draft {
  /** The most random bytes that the body can hold; the rest of the filler is runs of one byte. */
  capacity: number;
  write(randomBytes: number): Buffer;
}

/** A body that has no room for filler. */
export function fixedDraft(body: Buffer): Draft {
  return { capacity: 0, write: () => body };
}

/** A body with so many bytes of filler, random ones first and then zeros, where nothing reads them. */
export function paddedDraft(
  capacity: number,
  random: RandomSource,
  around: (filler: Buffer) => Buffer,
): Draft {
  const pool = random.bytes(capacity);
  const write = (randomBytes: number) => {
    const filler = Buffer.alloc(capacity);
    pool.copy(filler, 0, 0, randomBytes);
    return around(filler);
  };
  return { capacity, write };
}

/** What stands around each line of filler, so that it is valid where it stands. */
export interface FillerLine {
  before: string;
  after: string;
}

const LINE_CHARACTERS = 240;

/** Filler that takes a number of characters, a chosen part of which is random. */
export class Filler {
  readonly capacity: number;
  readonly #line: FillerLine;
  /** Characters of content in each line. */
  readonly #lines: number[] = [];
  readonly #padding: number;
  readonly #pool: string;

  constructor(characters: number, line: FillerLine, random: RandomSource) {
    this.#line = line;
    const around = line.before.length + line.after.length + 1;
    let left = characters;
    while (left > around) {
      const content = Math.min(LINE_CHARACTERS, left - around);
      this.#lines.push(content);
      left -= content + around;
    }
    this.#padding = left;
    this.capacity = this.#lines.reduce((sum, content) => sum + content, 0);
    this.#pool = random.text(this.capacity);
  }

  /** The text: every line starts with its share of the random characters and ends in spaces. */
  write(randomCharacters: number): string {
    const parts: string[] = [];
    let content = 0;
    let used = 0;
    for (const length of this.#lines) {
      content += length;
      const until = Math.floor((content * randomCharacters) / this.capacity);
      const fresh = this.#pool.slice(used, until);
      parts.push(this.#line.before, fresh, ' '.repeat(length - fresh.length), this.#line.after);
      parts.push('\n');
      used = until;
    }
    parts.push('\n'.repeat(this.#padding));
    return parts.join('');
  }
}

/** Text of exactly `bytes` bytes: `code`, then filler between `open` and `close` as far as there is room. */
export function textDraft(
  bytes: number,
  code: string,
  block: { open: string; line: FillerLine; close: string },
  random: RandomSource,
): Draft {
  const room = bytes - code.length;
  if (room < 0) {
    throw new TooSmallError(
      `text needs ${code.length} bytes, the shape allows ${bytes}`,
      code.length,
    );
  }
  const fillerRoom = room - block.open.length - block.close.length;
  if (fillerRoom < 0) return fixedDraft(Buffer.from(code + '\n'.repeat(room), 'latin1'));
  const filler = new Filler(fillerRoom, block.line, random);
  return {
    capacity: filler.capacity,
    write: (randomBytes) =>
      Buffer.from(code + block.open + filler.write(randomBytes) + block.close, 'latin1'),
  };
}
