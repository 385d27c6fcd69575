import type { Draft } from './filler.ts';
import type { RandomSource } from './random.ts';
import { TooSmallError } from './too-small.ts';

/** The one letter that the fonts have; it is drawn as a square. */
export const FONT_LETTER = 'A';

/** The family name of the font that is the page's object with this index. */
export function fontFamily(index: number): string {
  return `font${index}`;
}

const EM = 1000;
const HEAD_BYTES = 54;

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
  const pool = random.bytes(capacity);
  const write = (randomBytes: number) => {
    const filler = Buffer.alloc(capacity);
    pool.copy(filler, 0, 0, randomBytes);
    return fontFile(filler);
  };
  return { capacity, write };
}

function fontFile(filler: Buffer): Buffer {
  // In the order of the table directory; the filler is the last, so that nothing has to follow it.
  const tables: [tag: string, data: Buffer][] = [
    ['OS/2', os2()],
    ['cmap', cmap()],
    ['glyf', SQUARE],
    // Offsets in units of two bytes: an empty glyph, the square, the end.
    ['head', head(0)],
    ['hhea', hhea()],
    ['hmtx', int16s(EM, 0, EM, 100)],
    ['loca', int16s(0, 0, SQUARE.length / 2)],
    ['maxp', maxp()],
    ['name', int16s(0, 0, 6)],
    ['post', post()],
    ['zzzz', filler],
  ];
  const file = assemble(tables);
  const headTable = tables.findIndex(([tag]) => tag === 'head');
  tables[headTable] = ['head', head((0xb1b0afba - checksum(file)) >>> 0)];
  return assemble(tables);
}

function assemble(tables: [tag: string, data: Buffer][]): Buffer {
  const count = tables.length;
  const power = Math.floor(Math.log2(count));
  const directory = Buffer.alloc(12 + 16 * count);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(16 * 2 ** power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(16 * count - 16 * 2 ** power, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, [tag, data]] of tables.entries()) {
    const entry = 12 + 16 * index;
    directory.write(tag, entry, 'latin1');
    // The head table's own checksum is taken with its file checksum left out.
    directory.writeUInt32BE(checksum(tag === 'head' ? head(0) : data), entry + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(data.length, entry + 12);
    const padding = index === count - 1 ? 0 : -data.length & 3;
    parts.push(data, Buffer.alloc(padding));
    offset += data.length + padding;
  }
  return Buffer.concat(parts);
}

function checksum(data: Buffer): number {
  let sum = 0;
  const whole = data.length & ~3;
  for (let at = 0; at < whole; at += 4) sum = (sum + data.readUInt32BE(at)) >>> 0;
  const rest = Buffer.alloc(4);
  data.copy(rest, 0, whole);
  return (sum + rest.readUInt32BE(0)) >>> 0;
}

function head(fileChecksumAdjustment: number): Buffer {
  const table = Buffer.alloc(HEAD_BYTES);
  table.writeUInt32BE(0x00010000, 0);
  table.writeUInt32BE(0x00010000, 4);
  table.writeUInt32BE(fileChecksumAdjustment, 8);
  table.writeUInt32BE(0x5f0f3cf5, 12);
  table.writeUInt16BE(EM, 18);
  // Bounding box, as of the square.
  for (const [index, edge] of [100, 0, 900, 800].entries())
    table.writeInt16BE(edge, 36 + 2 * index);
  // Smallest readable size in pixels; direction.
  table.writeUInt16BE(8, 46);
  table.writeInt16BE(2, 48);
  return table;
}

function hhea(): Buffer {
  const table = Buffer.alloc(36);
  table.writeUInt32BE(0x00010000, 0);
  table.writeInt16BE(800, 4);
  table.writeInt16BE(-200, 6);
  // Widest advance, smallest bearings, largest extent.
  for (const [index, value] of [EM, 100, 100, 900].entries())
    table.writeInt16BE(value, 10 + 2 * index);
  // The caret is upright.
  table.writeInt16BE(1, 18);
  table.writeUInt16BE(2, 34);
  return table;
}

function maxp(): Buffer {
  const table = Buffer.alloc(32);
  table.writeUInt32BE(0x00010000, 0);
  // Glyphs; points and contours of the largest.
  for (const [index, value] of [2, 4, 1].entries()) table.writeUInt16BE(value, 4 + 2 * index);
  // Zones of the instructions.
  table.writeUInt16BE(2, 14);
  return table;
}

function post(): Buffer {
  const table = Buffer.alloc(32);
  // Version 3: glyphs have no names.
  table.writeUInt32BE(0x00030000, 0);
  table.writeInt16BE(-100, 8);
  table.writeInt16BE(50, 10);
  return table;
}

function os2(): Buffer {
  const table = Buffer.alloc(96);
  // Version, average width, weight, width class.
  for (const [index, value] of [4, EM, 400, 5].entries()) table.writeUInt16BE(value, 2 * index);
  table.write('NONE', 58, 'latin1');
  // Regular; first and last letter; ascender, descender, gap; the same for Windows.
  const letter = FONT_LETTER.charCodeAt(0);
  for (const [index, value] of [0x40, letter, letter, 800, -200, 0, 800, 200].entries()) {
    table.writeInt16BE(value, 62 + 2 * index);
  }
  table.writeInt16BE(500, 86);
  table.writeInt16BE(800, 88);
  return table;
}

/** Format 4 with one segment for the letter and the closing one. */
function cmap(): Buffer {
  const letter = FONT_LETTER.charCodeAt(0);
  const format4 = [4, 32, 0, 4, 4, 1, 0, letter, 0xffff, 0, letter, 0xffff, 1 - letter, 1, 0, 0];
  // Version 0, one encoding: Windows, Unicode, at offset 12.
  return int16s(0, 1, 3, 1, 0, 12, ...format4);
}

/** One contour of four points from (100, 0) to (900, 800). */
const SQUARE = Buffer.concat([
  int16s(1, 100, 0, 900, 800, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  int16s(100, 0, 800, 0),
  int16s(0, 800, 0, -800),
]);

function int16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * index);
  return bytes;
}
