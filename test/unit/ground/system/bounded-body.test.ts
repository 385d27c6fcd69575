import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { boundedBody, collectTail, readErrorTail } from '../../../../ground/system/bounded-body.ts';
import { BoundedBuffer, TooLargeError } from '../../../../ground/system/bounded-buffer.ts';
import { gunzipped, unpack } from '../../../../ground/system/bounded-unpacking.ts';

const ZEROS = Buffer.alloc(5_000_000);

test('fills a buffer up to its limit, and empties it on reading', () => {
  const buffer = new BoundedBuffer(5, 'it');
  buffer.add(Buffer.from('abc'));
  buffer.add(Buffer.from('de'));
  assert.throws(() => buffer.add(Buffer.from('f')), TooLargeError);
  assert.equal(buffer.take().toString(), 'abcde');
  buffer.add(Buffer.from('f'));
  assert.equal(buffer.take().toString(), 'f');
});

test('rejects a body without end and closes its source', async () => {
  const source = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1000);
    })(),
  );
  await assert.rejects(boundedBody(source, 50_000, 'the body'), /the body has more than 50 kB/);
  assert.ok(source.destroyed);
});

test('keeps the end of error output', async () => {
  const source = Readable.from(
    ['a'.repeat(100_000), 'the reason'].map((each) => Buffer.from(each)),
  );
  const complaints = await readErrorTail(source);
  assert.match(complaints, /a{100}the reason$/);
  assert.ok(complaints.length < 10_000);
  const stream = new PassThrough();
  const tail = collectTail(stream, 10);
  stream.end('0123456789abc');
  await new Promise(setImmediate);
  assert.equal(tail(), '3456789abc');
});

for (const [format, pack] of [
  ['gzip', zlib.gzipSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
  ['deflate', zlib.deflateSync],
  ['deflate-raw', zlib.deflateRawSync],
] as const) {
  test(`rejects ${format} that unpacks to more than the limit`, () => {
    const packed = pack(ZEROS);
    assert.throws(() => unpack(packed, format, ZEROS.length - 1), TooLargeError);
    assert.deepEqual(unpack(packed, format, ZEROS.length), ZEROS);
    assert.throws(() => unpack(Buffer.from('no such thing'), format, 100), { code: /^(Z|ERR_)/ });
  });
}

test('rejects gzip read piece by piece where it passes the limit, in all members together', async () => {
  const packed = () => Readable.from([zlib.gzipSync(ZEROS), zlib.gzipSync(ZEROS)]);
  const bytes = async (maxBytes: number) => {
    let sum = 0;
    for await (const piece of gunzipped(packed(), maxBytes)) sum += piece.length;
    return sum;
  };
  assert.equal(await bytes(2 * ZEROS.length), 2 * ZEROS.length);
  await assert.rejects(bytes(2 * ZEROS.length - 1), TooLargeError);
  const followed = Readable.from([zlib.gzipSync('a'), Buffer.from('no gzip')]);
  await assert.rejects(Array.fromAsync(gunzipped(followed, 100)), { code: 'Z_DATA_ERROR' });
});
