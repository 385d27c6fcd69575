import { type Draft, paddedDraft, TooSmallError } from './filler.ts';
import type { RandomSource } from './random.ts';

/** The only letter of the fonts, drawn as a square. */
export const FONT_LETTER = 'A';

export function fontFamily(index: number): string {
  return `font${index}`;
}

/** A TrueType font of exactly `bytes` bytes: one square for one letter, and a private table of filler. */
export function fontDraft(bytes: number, random: RandomSource): Draft {
  const empty = fontFile(Buffer.alloc(0));
  const capacity = bytes - empty.length;
  if (capacity < 0) {
    throw new TooSmallError(
      `a font needs ${empty.length} bytes, the shape allows ${bytes}`,
      empty.length,
    );
  }
  return paddedDraft(capacity, random, fontFile);
}

const EM = 1000;
const LETTER = FONT_LETTER.charCodeAt(0);

/** One contour of four points from (100, 0) to (900, 800). */
const SQUARE = Buffer.concat([
  int16s(1, 100, 0, 900, 800, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  int16s(100, 0, 800, 0),
  int16s(0, 800, 0, -800),
]);

// Format 4 with one segment for the letter and the closing one.
const CMAP = [4, 32, 0, 4, 4, 1, 0, LETTER, 0xffff, 0, LETTER, 0xffff, 1 - LETTER, 1, 0, 0];

/** Tables without the filler, in the order of the directory. */
const TABLES: readonly (readonly [tag: string, data: Buffer])[] = [
  [
    'OS/2',
    int16s(
      // Version, average width, weight, width class.
      ...[4, EM, 400, 5, ...zeros(25)],
      // NONE, as the vendor.
      ...[0x4e4f, 0x4e45],
      // Regular; first and last letter; ascender, descender, gap; the same for Windows.
      ...[0x40, LETTER, LETTER, 800, -200, 0, 800, 200, ...zeros(4)],
      // Height of small letters and of capitals.
      ...[500, 800, ...zeros(3)],
    ),
  ],
  // Version 0, one encoding: Windows, Unicode, at offset 12.
  ['cmap', int16s(0, 1, 3, 1, 0, 12, ...CMAP)],
  ['glyf', SQUARE],
  [
    'head',
    int16s(
      // Versions, the file's checksum, a magic number, flags.
      ...[1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0],
      ...[EM, ...zeros(8)],
      // Bounding box, as of the square.
      ...[100, 0, 900, 800, 0],
      // Smallest readable size in pixels; direction; offsets in `loca` are in units of two bytes.
      ...[8, 2, 0, 0],
    ),
  ],
  [
    'hhea',
    // Widest advance, smallest bearings, largest extent; the caret is upright; two glyphs.
    int16s(1, 0, 800, -200, 0, EM, 100, 100, 900, 1, ...zeros(7), 2),
  ],
  ['hmtx', int16s(EM, 0, EM, 100)],
  // An empty glyph, the square, the end.
  ['loca', int16s(0, 0, SQUARE.length / 2)],
  // Glyphs; points and contours of the largest; zones of the instructions.
  ['maxp', int16s(1, 0, 2, 4, 1, 0, 0, 2, ...zeros(8))],
  ['name', int16s(0, 0, 6)],
  // Version 3: glyphs have no names.
  ['post', int16s(3, 0, 0, 0, -100, 50, ...zeros(10))],
];

/** The filler is the last table, so that no offset depends on it. */
function fontFile(filler: Buffer): Buffer {
  const tables = [...TABLES, ['zzzz', filler] as const];
  const count = tables.length;
  const power = Math.floor(Math.log2(count));
  const searched = 16 * 2 ** power;
  const directory = [int16s(1, 0, count, searched, power, 16 * count - searched)];
  const parts: Buffer[] = [];
  let offset = 12 + 16 * count;
  let headAt = 0;
  for (const [tag, data] of tables) {
    if (tag === 'head') headAt = offset;
    directory.push(Buffer.from(tag, 'latin1'), int32s(checksum(data), offset, data.length));
    const padding = data === filler ? 0 : -data.length & 3;
    parts.push(data, Buffer.alloc(padding));
    offset += data.length + padding;
  }
  const file = Buffer.concat([...directory, ...parts]);
  // The checksum of the file is computed while this field is 0.
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8);
  return file;
}

function checksum(data: Buffer): number {
  const whole = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}

function zeros(count: number): number[] {
  return new Array(count).fill(0);
}

function int16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * index);
  return bytes;
}

function int32s(...values: number[]): Buffer {
  return int16s(...values.flatMap((value) => [value >>> 16, value]));
}
