import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../../../clients/bun/http1.ts';

const read = (text: string, isEnded = false) => readAnswer(Buffer.from(text), isEnded);
/** The whole body of an answer, as text. */
const bodyOf = (answer: ReturnType<typeof readAnswer>) =>
  answer === null || answer === 'none' ? answer : answer.body.toString();
const OK = 'HTTP/1.1 200 OK\r\n';

test('an answer with a length is whole when it has come, and not before', () => {
  const answer = `${OK}Content-Length: 5\r\nAlt-Svc: h3=":443"\r\n\r\nhello`;
  for (let length = 0; length < answer.length; length++) {
    assert.equal(read(answer.slice(0, length), true), null, answer.slice(0, length));
  }
  assert.deepEqual(read(answer), {
    status: 200,
    altSvc: 'h3=":443"',
    fields: [
      ['content-length', '5'],
      ['alt-svc', 'h3=":443"'],
    ],
    body: Buffer.from('hello'),
  });
});

test('chunks are put together without what frames them, up to the end of their trailers', () => {
  const answer = `${OK}transfer-encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n10\r\n${'a'.repeat(16)}\r\n0\r\nx: y\r\n\r\n`;
  for (let length = OK.length; length < answer.length; length++) {
    assert.equal(read(answer.slice(0, length)), null);
  }
  assert.equal(bodyOf(read(answer)), `hello${'a'.repeat(16)}`);
});

test('an answer without a length ends with its connection', () => {
  assert.equal(read(`${OK}\r\nhello`), null);
  assert.equal(bodyOf(read(`${OK}\r\nhello`, true)), 'hello');
});

test('an answer without a body has none, and what comes before an answer is none', () => {
  const none = 'HTTP/1.1 204 No Content\r\n\r\n';
  const expected = { status: 204, altSvc: null, fields: [], body: Buffer.alloc(0) };
  assert.deepEqual(read(none), expected);
  assert.deepEqual(read(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${none}`), expected);
});

test('what is no answer is told from one that is not whole', () => {
  assert.equal(read('hello there\r\n\r\n'), 'none');
  assert.equal(read(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`), 'none');
});
