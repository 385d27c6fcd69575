import { constants, gzipSync } from 'node:zlib';
import type { RandomSource } from './random.ts';

/** The size of an object is too small for its required content. */
export class TooSmallError extends Error {
  override name = 'TooSmallError';
  readonly neededBytes: number;

  constructor(message: string, neededBytes: number) {
    super(message);
    this.neededBytes = neededBytes;
  }
}

/** A body of a fixed size whose compressibility is not yet chosen. */
export interface Draft {
  /** Maximum number of random bytes; the rest of the filler is runs of one byte. */
  capacity: number;
  write(randomBytes: number): Buffer;
}

export function fixedDraft(body: Buffer): Draft {
  return { capacity: 0, write: () => body };
}

/** A body with `capacity` bytes of unread filler: random bytes, then zeros. */
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

/** Text around each line of filler that makes it valid. */
interface FillerLine {
  before: string;
  after: string;
}

const LINE_CHARACTERS = 240;

export interface Filler {
  capacity: number;
  /** Each line has its share of the random characters and ends in spaces. */
  write(randomCharacters: number): string;
}

export function textFiller(
  characters: number,
  { before, after }: FillerLine,
  random: RandomSource,
): Filler {
  const around = before.length + after.length + 1;
  const lengths: number[] = [];
  let left = characters;
  while (left > around) {
    const length = Math.min(LINE_CHARACTERS, left - around);
    lengths.push(length);
    left -= length + around;
  }
  const padding = '\n'.repeat(left);
  const capacity = lengths.reduce((sum, length) => sum + length, 0);
  const pool = random.text(capacity);
  const write = (randomCharacters: number) => {
    let used = 0;
    const lines = splitProportionally(randomCharacters, lengths).map((share, line) => {
      const fresh = pool.slice(used, used + share);
      used += share;
      return `${before}${fresh.padEnd(lengths[line] as number)}${after}\n`;
    });
    return lines.join('') + padding;
  };
  return { capacity, write };
}

/** Splits a number into whole parts nearly in proportion to the sizes. */
export function splitProportionally(total: number, sizes: readonly number[]): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let passed = 0;
  let used = 0;
  return sizes.map((size) => {
    passed += size;
    const share = (all === 0 ? 0 : Math.floor((passed * total) / all)) - used;
    used += share;
    return share;
  });
}

/** Text of exactly `bytes` bytes: `code`, then filler between `open` and `close` if there is room. */
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
  const filler = textFiller(fillerRoom, block.line, random);
  return {
    capacity: filler.capacity,
    write: (randomBytes) =>
      Buffer.from(code + block.open + filler.write(randomBytes) + block.close, 'latin1'),
  };
}

export interface Body {
  decoded: Buffer;
  sent: Buffer;
  contentEncoding: 'gzip' | null;
}

/**
 * Random share of a body that is sent uncompressed; only visible to a compressing proxy.
 */
const SHARE_WHEN_NOT_COMPRESSED = 0.4;

const MAX_TRIES = 12;

/** Writes a body whose gzip has `wireBytes` bytes, or nearly so; uncompressed when gzip gains nothing. */
export function writeBody(draft: Draft, bytes: number, wireBytes: number): Body {
  if (wireBytes >= bytes) {
    const decoded = draft.write(Math.floor(draft.capacity * SHARE_WHEN_NOT_COMPRESSED));
    return { decoded, sent: decoded, contentEncoding: null };
  }
  const near = Math.max(1, wireBytes * 0.0005);
  let best: Body | null = null;
  let bestMiss = Number.POSITIVE_INFINITY;
  let randomBytes = Math.min(draft.capacity, wireBytes);
  const tried = new Set<number>();
  while (!tried.has(randomBytes) && tried.size < MAX_TRIES && bestMiss > near) {
    tried.add(randomBytes);
    const decoded = draft.write(randomBytes);
    const sent = gzip(decoded);
    const miss = sent.length - wireBytes;
    if (Math.abs(miss) < bestMiss) {
      best = { decoded, sent, contentEncoding: 'gzip' };
      bestMiss = Math.abs(miss);
    }
    // A random byte costs between 0.8 bytes (text) and 1 byte (binary) of gzip.
    const next = Math.round(randomBytes - miss / 0.9);
    randomBytes = Math.max(0, Math.min(draft.capacity, next));
  }
  return best as Body;
}

/**
 * Run-length gzip: independent of the hash functions that zlib chooses for the CPU,
 * so that a site has the same bytes on every machine.
 */
function gzip(bytes: Uint8Array): Buffer {
  const sent = gzipSync(bytes, { level: 6, memLevel: 8, strategy: constants.Z_RLE });
  // The header's last byte names the operating system.
  sent[9] = 255;
  return sent;
}
