import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Http1ResponseReader, MalformedResponseError } from '../../http1-response-reader.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

/** A response that arrives in pieces of this size, with its body as text. */
function read(text: string, pieceBytes = text.length) {
  const answer = new Http1ResponseReader();
  const body: Buffer[] = [];
  for (let at = 0; at < text.length; at += pieceBytes) {
    assert.equal(answer.isWhole, false, `whole before ${JSON.stringify(text.slice(at))}`);
    body.push(...answer.take(Buffer.from(text.slice(at, at + pieceBytes))));
  }
  return { answer, body: Buffer.concat(body).toString() };
}

test('completes a response with a length exactly at its end, in any pieces', () => {
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

test('joins chunks without their framing, up to the end of their trailers', () => {
  const text = `${OK}transfer-encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n10\r\n${'a'.repeat(16)}\r\n0\r\nx: y\r\n\r\n`;
  for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
    const { answer, body } = read(text, pieceBytes);
    assert.deepEqual([answer.isWhole, body], [true, `hello${'a'.repeat(16)}`], `${pieceBytes}`);
  }
  assert.equal(read(text.slice(0, -1)).answer.isWhole, false);
});

test('passes on parts of a response before the rest arrives', () => {
  assert.equal(read(`${OK}content-length: 100\r\n\r\nhello`).body, 'hello');
  assert.equal(read(`${OK}transfer-encoding: chunked\r\n\r\n10\r\nhello`).body, 'hello');
});

test('ends a response without a length with its connection', () => {
  const { answer, body } = read(`${OK}\r\nhello`, 3);
  assert.deepEqual([answer.isWhole, body], [false, 'hello']);
  answer.end();
  assert.equal(answer.isWhole, true);
});

test('gives a response without a body none, and skips interim responses', () => {
  const none = 'HTTP/1.1 204 No Content\r\n\r\n';
  for (const text of [none, `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${none}`]) {
    const { answer, body } = read(text);
    assert.deepEqual([answer.head, answer.isWhole, body], [{ status: 204, fields: [] }, true, '']);
  }
  assert.equal(read(`${OK}content-length: 0\r\n\r\n`).answer.isWhole, true);
});

test('rejects an endless head, chunk line or trailer', () => {
  const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`;
  for (const beginning of [OK, chunked, `${chunked}0\r\nx: `]) {
    assert.throws(() => read(`${beginning}${'a'.repeat(400_000)}`, 10_000), MalformedResponseError);
  }
  const long = `${OK}content-length: 400000\r\n\r\n${'a'.repeat(400_000)}`;
  assert.equal(read(long).body.length, 400_000);
});

test('distinguishes an invalid response from a truncated one', () => {
  const isMalformed = (text: string) => assert.throws(() => read(text), MalformedResponseError);
  isMalformed('hello there\r\n\r\n');
  for (const size of ['zz', '-3', '', '5x', '0x5'])
    isMalformed(`${OK}transfer-encoding: chunked\r\n\r\n${size}\r\nhello\r\n`);
  for (const length of ['many', '-5', '', '0x5', '5.5', '1e3'])
    isMalformed(`${OK}content-length: ${length}\r\n\r\nhello`);
});
