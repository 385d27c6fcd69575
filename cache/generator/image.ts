import { crc32, deflateSync } from 'node:zlib';
import { type Draft, fixedDraft, paddedDraft } from './filler.ts';
import type { RandomSource } from './random.ts';

/** Smaller images are one-pixel GIFs, larger ones PNGs. */
const SMALLEST_PNG_BYTES = 128;

/** Smallest image that a browser decodes; smaller files are random bytes. */
const SMALLEST_IMAGE_BYTES = 35;

interface ImageSize {
  widthPx: number;
  heightPx: number;
}

/** An image of exactly `bytes` bytes. If it is sent compressed, `wireBytes` is less and it has fewer pixels. */
export function imageDraft(bytes: number, wireBytes: number, random: RandomSource): Draft {
  if (bytes < SMALLEST_IMAGE_BYTES) return fixedDraft(random.bytes(bytes));
  if (bytes < SMALLEST_PNG_BYTES) return fixedDraft(gif(bytes, random));
  return pngDraft(bytes, pngSize(bytes, wireBytes), random);
}

export function imageFormat(bytes: number): { extension: string; contentType: string } {
  return bytes < SMALLEST_PNG_BYTES
    ? { extension: 'gif', contentType: 'image/gif' }
    : { extension: 'png', contentType: 'image/png' };
}

/** Display size of an image: its own, but not wider than 240 px. */
export function shownSize(bytes: number): ImageSize {
  if (bytes < SMALLEST_PNG_BYTES) return { widthPx: 1, heightPx: 1 };
  const { widthPx, heightPx } = pngSize(bytes, bytes);
  const scale = Math.min(1, 240 / widthPx);
  return {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
}

/** A GIF of one pixel, padded with a comment, or with unread bytes of the pixel's data block. */
function gif(bytes: number, random: RandomSource): Buffer {
  const missing = bytes - SMALLEST_IMAGE_BYTES;
  const unread = missing < 5 ? missing : 0;
  const comment = missing < 5 ? [] : [0x21, 0xfe, missing - 4, ...random.bytes(missing - 4), 0];
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    // 1 x 1 pixels, a colour table of two.
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0]),
    random.bytes(3),
    Buffer.from([255, 255, 255, ...comment]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]),
    // LZW with codes of 3 bits: clear, colour 0, end.
    Buffer.from([2, 2 + unread, 0x44, 0x01]),
    Buffer.alloc(unread),
    Buffer.from([0, 0x3b]),
  ]);
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk's length, type and CRC. */
const CHUNK_BYTES = 12;

/** A PNG without pixels and filler: signature, IHDR, PLTE of four colours, IDAT, filler, IEND. */
const PNG_FRAME_BYTES = 8 + (CHUNK_BYTES + 13) + (CHUNK_BYTES + 12) + 3 * CHUNK_BYTES;

/** Data of a stored (uncompressed) deflate block, and the bytes before each and around all. */
const BLOCK = { dataBytes: 65535, headBytes: 5, aroundBytes: 6 };

/** The largest picture of about 4:3 with 2 bits per pixel that fits in the file. */
function pngSize(bytes: number, wireBytes: number): ImageSize {
  const pixelBytes = wireBytes < bytes ? Math.min(bytes, wireBytes / 2) : bytes;
  const data = Math.max(2, pixelBytes - PNG_FRAME_BYTES - BLOCK.aroundBytes);
  const blocks = Math.ceil(data / (BLOCK.dataBytes + BLOCK.headBytes));
  const room = Math.max(2, Math.floor(data) - blocks * BLOCK.headBytes);
  const widthPx = Math.max(4, Math.floor(Math.sqrt((room * 16) / 3) / 4) * 4);
  const rowBytes = 1 + widthPx / 4;
  return { widthPx, heightPx: Math.max(1, Math.floor(room / rowBytes)) };
}

function pngDraft(bytes: number, size: ImageSize, random: RandomSource): Draft {
  const { widthPx, heightPx } = size;
  // 2 bits per pixel, colours from a palette.
  const header = Buffer.concat([int32(widthPx), int32(heightPx), Buffer.from([2, 3, 0, 0, 0])]);
  const rowBytes = 1 + widthPx / 4;
  const rows = random.bytes(rowBytes * heightPx);
  for (let row = 0; row < heightPx; row++) rows[row * rowBytes] = 0;
  const start = Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', shades(random)),
    // Uncompressed; the buffer holds all, as zlib ends a block when its buffer is full.
    chunk('IDAT', deflateSync(rows, { level: 0, chunkSize: 2 * rows.length + 64 })),
  ]);
  const end = chunk('IEND', Buffer.alloc(0));
  const capacity = bytes - start.length - end.length - CHUNK_BYTES;
  if (capacity < 0) throw new Error(`a PNG of ${bytes} bytes has no room for ${rows.length} bytes`);
  // A private chunk that decoders skip.
  return paddedDraft(capacity, random, (filler) =>
    Buffer.concat([start, chunk('fiLl', filler), end]),
  );
}

function shades(random: RandomSource): Buffer {
  const colour = random.bytes(3);
  return Buffer.from(
    [0, 1, 2, 3].flatMap((shade) => [...colour].map((part) => (part >> 1) + shade * 42)),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([int32(data.length), typed, int32(crc32(typed))]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
