import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fontDraft } from '../../../../cache/generator/font.ts';
import { randomSource } from '../../../../cache/generator/random.ts';

describe('a font', () => {
  const draft = fontDraft(1493, randomSource('font'));
  const file = draft.write(300);

  it('has exactly the requested size', () => {
    for (const bytes of [1492, 1493, 1494, 1495, 73_572]) {
      assert.equal(fontDraft(bytes, randomSource('font')).write(100).length, bytes);
    }
  });

  it('has the tables that browsers require, sorted, inside the file and not overlapping', () => {
    const tables = directory(file);
    const tags = tables.map(({ tag }) => tag);
    assert.deepEqual(tags, [...tags].sort());
    for (const tag of 'OS/2 cmap glyf head hhea hmtx loca maxp name post'.split(' ')) {
      assert.ok(tags.includes(tag), tag);
    }
    let end = 12 + 16 * tables.length;
    for (const { tag, offset, length } of tables) {
      assert.equal(offset % 4, 0, tag);
      assert.ok(offset >= end && offset - end < 4, tag);
      end = offset + length;
    }
    assert.equal(end, file.length);
  });

  it('has correct checksums', () => {
    for (const { tag, offset, length, checksum } of directory(file)) {
      const table = Buffer.from(file.subarray(offset, offset + length));
      if (tag === 'head') table.writeUInt32BE(0, 8);
      assert.equal(sum(table), checksum, tag);
    }
    assert.equal(sum(file), 0xb1b0afba);
  });

  it('is rejected if it is too small for its tables', () => {
    assert.throws(() => fontDraft(300, randomSource('font')), /a font needs \d+ bytes/);
  });
});

function directory(file: Buffer) {
  return Array.from({ length: file.readUInt16BE(4) }, (_, index) => {
    const at = 12 + 16 * index;
    return {
      tag: file.toString('latin1', at, at + 4),
      checksum: file.readUInt32BE(at + 4),
      offset: file.readUInt32BE(at + 8),
      length: file.readUInt32BE(at + 12),
    };
  });
}

function sum(bytes: Buffer): number {
  const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let total = 0;
  for (let at = 0; at < padded.length; at += 4) total = (total + padded.readUInt32BE(at)) >>> 0;
  return total;
}
