import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PlainRequest,
  plainRequestLine,
  plainRequestReader,
} from '../../../../ground/records/plain-request.ts';

const DOWNLOAD: PlainRequest = {
  method: 'GET',
  host: 'files.example',
  path: '/file',
  range: null,
  bytes: 1000,
};
const UPLOAD: PlainRequest = { ...DOWNLOAD, method: 'POST', path: '/upload', bytes: 5 };

/** The requests that a server reads in these pieces. */
function readIn(pieces: readonly string[]): PlainRequest[] {
  const read: PlainRequest[] = [];
  const take = plainRequestReader((request) => read.push(request));
  for (const piece of pieces) take(Buffer.from(piece));
  return read;
}

test('reads what a client wrote, in any pieces', () => {
  for (const request of [DOWNLOAD, { ...DOWNLOAD, range: 'bytes=5-9' }]) {
    const line = plainRequestLine(request);
    assert.deepEqual(readIn([line]), [request]);
    assert.deepEqual(readIn([...line]), [request]);
    assert.deepEqual(readIn([line, 'more']), [request], 'once');
  }
});

test('waits for the whole body of an upload', () => {
  const line = plainRequestLine(UPLOAD);
  assert.deepEqual(readIn([line, '1234']), []);
  assert.deepEqual(readIn([`${line}1`, '23', '45']), [UPLOAD]);
  assert.deepEqual(readIn([...`${line}12345`]), [UPLOAD]);
  assert.deepEqual(readIn([plainRequestLine({ ...UPLOAD, bytes: 0 })]).length, 1);
});

test('rejects another line, and one without an end', () => {
  for (const line of ['GET /file HTTP/1.1\r\n', '\n', 'PUT a /b 1 \n', 'GET a /b -1 \n']) {
    assert.throws(() => readIn([line]), /expected a request, got "/, line);
  }
  assert.throws(() => readIn(Array(11).fill('x'.repeat(100))), /without the end of its line/);
});
