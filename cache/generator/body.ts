import { constants, gzipSync } from 'node:zlib';
import type { Draft } from './filler.ts';

/** A body as the shape asks for it and as it is sent. */
export interface Body {
  decoded: Buffer;
  sent: Buffer;
  contentEncoding: 'gzip' | null;
}

/**
 * The random share of a body that is sent as it is: nobody sees how well it would compress,
 * unless somebody puts a compressing server in front.
 */
const SHARE_WHEN_NOT_COMPRESSED = 0.4;

const MOST_TRIES = 12;

/** Writes a body whose gzip has `wireBytes` bytes, or as near as it gets; not compressed when that is no gain. */
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
  while (!tried.has(randomBytes) && tried.size < MOST_TRIES && bestMiss > near) {
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
 * Gzip that finds runs only: its output cannot depend on the hash functions that a zlib picks for the CPU,
 * so that a site has the same bytes on every machine.
 */
function gzip(bytes: Uint8Array): Buffer {
  const sent = gzipSync(bytes, { level: 6, memLevel: 8, strategy: constants.Z_RLE });
  // The header's last byte names the operating system.
  sent[9] = 255;
  return sent;
}
