import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerValue, parseSavedResponse } from '../../../../cache/importers/header-block.ts';

const parse = (text: string) => parseSavedResponse(Buffer.from(text, 'latin1'));
const bodyOf = (text: string) => Buffer.from(parse(text)?.body ?? []).toString('latin1');

test('ends a header block with CRLF at the first empty line, and keeps the body', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\r\n\r\n<p>';
  assert.equal(bodyOf(text), '\r\n\r\n<p>');
  assert.deepEqual(parse(text)?.headers, [['Content-Type', 'text/html']]);
});

test('accepts LF and mixed line ends', () => {
  assert.equal(bodyOf('HTTP/1.1 200 OK\nA: 1\nB: 2\n\nbody\n'), 'body\n');
  const mixed = 'HTTP/1.1 200 OK\r\nA: 1\nX-Original-Url: https://a.test/\n\r\nbody';
  assert.equal(bodyOf(mixed), 'body');
  assert.equal(headerValue(parse(mixed)?.headers ?? [], 'x-original-url'), 'https://a.test/');
});

test('finds no header block in a file that does not begin with a status line', () => {
  assert.equal(parse('<!doctype html>\n\nHTTP/1.1 200 OK\n\n'), null);
  assert.equal(parse('HTTP/1.1 is a protocol\n\nof 1997'), null);
  assert.equal(parse(''), null);
});

test('skips an interim response before the response', () => {
  const response = parse('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nA: 1\r\n\r\ngone');
  assert.equal(response?.status, 404);
  assert.deepEqual(response?.headers, [['A', '1']]);
});

test('joins folded lines to the header before them, and reports other strange lines', () => {
  const response = parse('HTTP/2 200\nA: one\n two\nnonsense\nB:2\n\n');
  assert.deepEqual(response?.headers, [
    ['A', 'one two'],
    ['B', '2'],
  ]);
  assert.deepEqual(response?.strayLines, ['nonsense']);
});

test('gives a header block without an empty line behind it an empty body', () => {
  assert.equal(bodyOf('HTTP/1.1 301 Moved\nLocation: /there'), '');
});

test('keeps bytes of values and body', () => {
  const response = parse('HTTP/1.1 200 OK\nA: caf\xe9\n\n\x00\xff\n');
  assert.equal(response?.headers[0]?.[1], 'caf\xe9');
  assert.deepEqual([...(response?.body ?? [])], [0, 255, 10]);
});
