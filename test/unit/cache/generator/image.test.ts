import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { imageDraft, imageFormat, shownSize } from '../../../../cache/generator/image.ts';
import { randomSource } from '../../../../cache/generator/random.ts';

function image(bytes: number, wireBytes = bytes, randomBytes = 0): Buffer {
  return imageDraft(bytes, wireBytes, randomSource(`image of ${bytes}`)).write(randomBytes);
}

describe('an image', () => {
  it('has exactly the requested size, for any size', () => {
    const sizes = Array.from({ length: 1200 }, (_, bytes) => bytes);
    for (const bytes of [...sizes, 65_600, 65_700, 131_300, 552_941]) {
      assert.equal(image(bytes).length, bytes);
    }
  });

  it('of 35 bytes and more is a GIF of one pixel with correct blocks', () => {
    for (let bytes = 35; bytes < 128; bytes++) {
      assert.deepEqual(imageFormat(bytes).contentType, 'image/gif');
      assert.deepEqual(gifPixel(image(bytes)), { widthPx: 1, heightPx: 1 }, `${bytes} bytes`);
    }
  });

  it('of 128 bytes and more is a PNG with correct checksums and all its pixels', () => {
    for (const bytes of [128, 129, 300, 1437, 7182, 65_600, 65_700, 131_300, 552_941]) {
      assert.deepEqual(imageFormat(bytes).contentType, 'image/png');
      const { widthPx, heightPx, data, colours } = pngParts(image(bytes));
      assert.equal(colours, 4);
      assert.equal(inflateSync(data).length, (1 + widthPx / 4) * heightPx, `${bytes} bytes`);
      assert.ok(widthPx >= heightPx || heightPx < 10, `${widthPx} x ${heightPx}`);
    }
  });

  it('has about two bits of file per pixel', () => {
    for (const bytes of [2000, 7182, 60_234, 552_941]) {
      const { widthPx, heightPx } = pngParts(image(bytes));
      const bitsPerPixel = (bytes * 8) / (widthPx * heightPx);
      assert.ok(bitsPerPixel > 1.9 && bitsPerPixel < 2.4, `${bytes} bytes: ${bitsPerPixel}`);
    }
  });

  it('has fewer pixels and more filler if it will be compressed', () => {
    const { widthPx, heightPx, data } = pngParts(image(1150, 180, 20));
    assert.equal(inflateSync(data).length, (1 + widthPx / 4) * heightPx);
    assert.ok(data.length < 90);
  });

  it('is displayed at its own proportions, at most 240 px wide', () => {
    assert.deepEqual(shownSize(43), { widthPx: 1, heightPx: 1 });
    const { widthPx, heightPx } = shownSize(552_941);
    assert.equal(widthPx, 240);
    assert.ok(Math.abs(heightPx - 180) <= 2);
  });
});

/** Walks through a GIF; fails at an unexpected block. */
function gifPixel(file: Buffer) {
  assert.equal(file.toString('latin1', 0, 6), 'GIF89a');
  let at = 13 + 3 * 2;
  if (file[at] === 0x21) {
    assert.equal(file[at + 1], 0xfe);
    at += 2;
    while (file[at] !== 0) at += 1 + (file[at] as number);
    at += 1;
  }
  assert.equal(file[at], 0x2c);
  const size = { widthPx: file.readUInt16LE(at + 5), heightPx: file.readUInt16LE(at + 7) };
  at += 10;
  // Codes of 3 bits, lowest first: 4 clears, 0 is the pixel, 5 ends.
  assert.equal(file[at], 2);
  assert.equal(file.readUInt16LE(at + 2) & 0x1ff, 4 | (0 << 3) | (5 << 6));
  at += 2 + (file[at + 1] as number);
  assert.deepEqual([...file.subarray(at)], [0, 0x3b]);
  return size;
}

function pngParts(file: Buffer) {
  assert.equal(file.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < file.length) {
    const end = at + 8 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    assert.equal(file.readUInt32BE(end), crc32(file.subarray(at + 4, end)), `${type} checksum`);
    chunks.set(type, file.subarray(at + 8, end));
    at = end + 4;
  }
  assert.equal(at, file.length);
  assert.deepEqual([...chunks.keys()], ['IHDR', 'PLTE', 'IDAT', 'fiLl', 'IEND']);
  const header = chunks.get('IHDR') as Buffer;
  return {
    widthPx: header.readUInt32BE(0),
    heightPx: header.readUInt32BE(4),
    data: chunks.get('IDAT') as Buffer,
    colours: (chunks.get('PLTE') as Buffer).length / 3,
  };
}
