import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { openZip } from '../../../../cache/importers/zip-archive.ts';
import { IMPORT_LIMITS } from '../../../../cache/limits.ts';

interface ZippedFile {
  name: string;
  content: Buffer;
  /** The unpacked size that the zip claims. */
  claimedBytes?: number;
}

/**
 * A zip by the format's description (APPNOTE 6.3): local headers with data, the directory, its end.
 */
function zipOf(files: ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedBytes = content.length } of files) {
    const data = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(claimedBytes, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    const after = Buffer.alloc(14);
    after.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), version, common, after, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const open = (files: ZippedFile[], limits = IMPORT_LIMITS) =>
  openZip('x.zip', zipOf(files), limits);
const file = (name: string, content = 'content') => ({ name, content: Buffer.from(content) });

test('reads files of a zip by name, and the first of two with one name', async () => {
  const zip = await open([file('a/b.txt', 'first'), file('a/b.txt', 'second'), file('c')]);
  assert.deepEqual(zip.names, ['a/b.txt', 'c']);
  assert.equal((await zip.read('a/b.txt', 100)).toString(), 'first');
  assert.equal((await zip.read('c', 7)).toString(), 'content');
  await assert.rejects(zip.read('d', 100), /no such file/);
});

test('rejects paths that climb out, bombs, false sizes and damage, and names the zip', async () => {
  const bomb = { name: 'bomb', content: Buffer.alloc(1_000_000) };
  const cases: [work: () => Promise<unknown>, message: RegExp][] = [
    [() => open([file('../evil')]), /^x\.zip: the zip is damaged/],
    [() => open([file('/evil')]), /the zip is damaged/],
    [
      () => open([file('a'), file('b'), file('c')], { ...IMPORT_LIMITS, entries: 2 }),
      /more than 2 files/,
    ],
    [
      async () => (await open([bomb])).read('bomb', 1000),
      /bomb unpacks to 1000000 bytes, at most 1000/,
    ],
    [
      async () => (await open([{ ...bomb, claimedBytes: 900 }])).read('bomb', 1000),
      /x\.zip\/bomb: the zip is damaged/,
    ],
    [
      () => openZip('x.zip', zipOf([file('a')]).subarray(0, 40), IMPORT_LIMITS),
      /the zip is damaged/,
    ],
  ];
  for (const [work, message] of cases) {
    await assert.rejects(work, { name: 'ImportError', message }, message.source);
  }
});
