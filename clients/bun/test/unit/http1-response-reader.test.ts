import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Http1ResponseReader, MalformedResponseError } from '../../http1-response-reader.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

/** An answer that comes in pieces of so many bytes, with its body as text. */
function read(text: string, pieceBytes = text.length) {
  const answer = new Http1ResponseReader();
  const body: Buffer[] = [];
  for (let at = 0; at < text.length; at += pieceBytes) {
    assert.equal(answer.isWhole, false, `whole before ${JSON.stringify(text.slice(at))}`);
    body.push(...answer.take(Buffer.from(text.slice(at, at + pieceBytes))));
  }
  return { answer, body: Buffer.concat(body).toString() };
}

test('an answer with a length is whole when it has come, and not before, in whatever pieces', () => {
  const text = `${OK}Content-Length: 5\r\nAlt-Svc: h3=":443"\r\n\r\nhello`;
  for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
    const { answer, body } = read(text, pieceBytes);
    assert.deepEqual([answer.isWhole, body], [true, 'hello'], `${pieceBytes}`);
    assert.deepEqual(answer.head, {
      status: 200,
      fields: [
        ['content-length', '5'],
        ['alt-svc', 'h3=":443"'],
      ],
    });
  }
  const { answer, body } = read(text.slice(0, -1));
  answer.end();
  assert.deepEqual([answer.isWhole, body], [false, 'hell']);
});

test('chunks are put together without what frames them, up to the end of their trailers', () => {
  const text = `${OK}transfer-encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n10\r\n${'a'.repeat(16)}\r\n0\r\nx: y\r\n\r\n`;
  for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
    const { answer, body } = read(text, pieceBytes);
    assert.deepEqual([answer.isWhole, body], [true, `hello${'a'.repeat(16)}`], `${pieceBytes}`);
  }
  assert.equal(read(text.slice(0, -1)).answer.isWhole, false);
});

test('what comes of an answer is handed on before the rest of it is there', () => {
  assert.equal(read(`${OK}content-length: 100\r\n\r\nhello`).body, 'hello');
  assert.equal(read(`${OK}transfer-encoding: chunked\r\n\r\n10\r\nhello`).body, 'hello');
});

test('an answer without a length ends with its connection', () => {
  const { answer, body } = read(`${OK}\r\nhello`, 3);
  assert.deepEqual([answer.isWhole, body], [false, 'hello']);
  answer.end();
  assert.equal(answer.isWhole, true);
});

test('an answer without a body has none, and what comes before an answer is none', () => {
  const none = 'HTTP/1.1 204 No Content\r\n\r\n';
  for (const text of [none, `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${none}`]) {
    const { answer, body } = read(text);
    assert.deepEqual([answer.head, answer.isWhole, body], [{ status: 204, fields: [] }, true, '']);
  }
  assert.equal(read(`${OK}content-length: 0\r\n\r\n`).answer.isWhole, true);
});

test('a head, a line of a chunk and trailers without end are refused', () => {
  const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`;
  for (const beginning of [OK, chunked, `${chunked}0\r\nx: `]) {
    assert.throws(() => read(`${beginning}${'a'.repeat(400_000)}`, 10_000), MalformedResponseError);
  }
  const long = `${OK}content-length: 400000\r\n\r\n${'a'.repeat(400_000)}`;
  assert.equal(read(long).body.length, 400_000);
});

test('what is no answer is told from one that is not whole', () => {
  const isMalformed = (text: string) => assert.throws(() => read(text), MalformedResponseError);
  isMalformed('hello there\r\n\r\n');
  for (const size of ['zz', '-3', '', '5x', '0x5'])
    isMalformed(`${OK}transfer-encoding: chunked\r\n\r\n${size}\r\nhello\r\n`);
  for (const length of ['many', '-5', '', '0x5', '5.5', '1e3'])
    isMalformed(`${OK}content-length: ${length}\r\n\r\nhello`);
});
