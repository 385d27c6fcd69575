import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readRequest,
  readResponse,
  typeOfRequest,
} from '../../../../cache/importers/http-message.ts';
import { IMPORT_LIMITS } from '../../../../cache/limits.ts';

const response = (text: string, limits = {}) =>
  readResponse(Buffer.from(text, 'latin1'), { ...IMPORT_LIMITS, ...limits });
const request = (text: string) => readRequest(Buffer.from(text, 'latin1'), IMPORT_LIMITS);

test('reads a response with its status, headers and body without chunks', () => {
  const read = response(
    'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n',
  );
  assert.ok(typeof read !== 'string');
  assert.equal(read.status, 404);
  assert.equal(Buffer.from(read.body).toString(), 'no');
  assert.deepEqual(read.notes, []);
});

test('accepts a body that was saved without its chunks', () => {
  const read = response(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\nwhole',
  );
  assert.ok(typeof read !== 'string');
  assert.equal(Buffer.from(read.body).toString(), 'whole');
  assert.deepEqual(read.notes, []);
});

test("reports a body that differs from its header's length, and strange lines", () => {
  const read = response('HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 9\r\n\r\nshort');
  assert.ok(typeof read !== 'string');
  assert.equal(read.notes.length, 2);
  assert.match(read.notes[1] ?? '', /content-length corrected: it was 9, the body has 5 bytes/);
});

test('requires headers to end within the limit, and not bodies', () => {
  const limits = { headerBytes: 100 };
  const long = 'b'.repeat(200_000);
  const read = response(`HTTP/1.1 200 OK\r\na: 1\r\n\r\n${long}`, limits);
  assert.ok(typeof read !== 'string');
  assert.equal(read.body.length, long.length);
  assert.equal(
    response(`HTTP/1.1 200 OK\r\na: ${long}\r\n\r\n`, limits),
    'its headers have more than 100 bytes',
  );
  assert.equal(
    response('<!doctype html>'),
    'it does not begin with a status line: "<!doctype html>"',
  );
});

test('reads a request with method, target and headers', () => {
  const read = request('post /a?b HTTP/1.1\r\nHost: www.a.test\r\nA: 1\r\n\r\nbody');
  assert.equal(read?.method, 'POST');
  assert.equal(read?.target, '/a?b');
  assert.deepEqual(read?.headers, [
    ['Host', 'www.a.test'],
    ['A', '1'],
  ]);
  assert.equal(request('HTTP/1.1 200 OK\r\n\r\n'), null);
  assert.deepEqual(request('GET / HTTP/1.1')?.headers, []);
});

test("takes the kind of a request from the browser's headers", () => {
  assert.equal(typeOfRequest([['Sec-Fetch-Dest', 'style']]), 'stylesheet');
  assert.equal(typeOfRequest([['sec-fetch-dest', 'empty']]), 'xhr');
  assert.equal(typeOfRequest([['sec-fetch-dest', 'constructor']]), 'other');
  assert.equal(typeOfRequest([['accept', '*/*']]), null);
});
