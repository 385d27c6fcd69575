import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harSizes } from '../../body.ts';

const GZIP: [string, string] = ['Content-Encoding', 'gzip'];
const TYPE: [string, string] = ['content-type', 'text/html'];

/** Wire and decoded bytes of an entry. */
function sizesOf(
  headers: [string, string][],
  { bodySize, more, ...content }: { bodySize?: unknown; more?: object } & Record<string, unknown>,
) {
  const entry = { response: { bodySize, content }, ...more };
  const { wireBytes, decodedBytes } = harSizes(entry, headers);
  return [wireBytes, decodedBytes];
}

test('reads the decoded size from browsers, the wire size from WebPageTest and mitmproxy', () => {
  const devTools = { size: 352, compression: 99, bodySize: 253 };
  assert.deepEqual(sizesOf([TYPE, GZIP], devTools), [253, 352]);
  const mitmproxy = { size: 253, compression: 99, bodySize: 253 };
  assert.deepEqual(sizesOf([TYPE, GZIP], mitmproxy), [253, 352]);
  // Tiny bodies are larger when they are compressed.
  assert.deepEqual(sizesOf([GZIP], { size: 31, compression: -11, bodySize: 31 }), [31, 20]);
  const webPageTest = { size: 253, bodySize: 253, more: { _objectSizeUncompressed: '352' } };
  assert.deepEqual(sizesOf([TYPE, GZIP], webPageTest), [253, 352]);
  // With the headers in it.
  const firefox = { size: 253, bodySize: 430 };
  assert.deepEqual(sizesOf([TYPE, GZIP, ['content-length', '253']], firefox), [253, null]);
  assert.deepEqual(sizesOf([TYPE, GZIP], firefox), [253, null]);
  assert.deepEqual(sizesOf([TYPE], firefox), [253, 253]);
  // Nothing decides which of the two it is.
  assert.deepEqual(sizesOf([TYPE, GZIP], { size: 253, bodySize: 253 }), [253, null]);
  assert.deepEqual(sizesOf([TYPE], { size: 253, bodySize: 253 }), [253, 253]);
  assert.deepEqual(sizesOf([TYPE, ['content-encoding', 'identity']], { size: 9 }), [9, 9]);
});

test('finds a size that content lacks in other fields', () => {
  const length = (bytes: number): [string, string] => ['Content-Length', String(bytes)];
  assert.deepEqual(sizesOf([length(700)], { size: 0, bodySize: 0 }), [700, null]);
  assert.deepEqual(sizesOf([length(700), GZIP], {}), [700, null]);
  assert.deepEqual(sizesOf([TYPE, GZIP], { more: { _objectSize: '800' } }), [800, null]);
  // 26 bytes of them are the header and its line break, as far as can be known.
  assert.deepEqual(sizesOf([TYPE], { size: 0, more: { _bytesIn: 1025 } }), [1000, null]);
  assert.deepEqual(sizesOf([TYPE], { size: 0, more: { _bytesIn: 20 } }), [0, 0]);
  assert.deepEqual(sizesOf([TYPE], { size: 0, bodySize: 0 }), [0, 0]);
  assert.deepEqual(sizesOf([length(0)], { size: 0 }), [0, 0]);
  // Broken off.
  assert.deepEqual(sizesOf([length(9000)], { size: 1, bodySize: 152 }), [9000, 9000]);
  assert.deepEqual(sizesOf([], { size: -1, bodySize: -1 }), [null, null]);
  assert.deepEqual(sizesOf([], { size: 'x', bodySize: {}, more: { _bytesIn: null } }), [
    null,
    null,
  ]);
});
