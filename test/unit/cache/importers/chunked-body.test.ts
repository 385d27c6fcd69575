import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChunks } from '../../../../cache/importers/http-message.ts';

const take = (text: string) => {
  const body = withoutChunks(Buffer.from(text, 'latin1'));
  return body === null ? null : Buffer.from(body).toString('latin1');
};

test('joins chunks, without extensions and trailers', () => {
  assert.equal(take('5\r\nhello\r\n0\r\n\r\n'), 'hello');
  assert.equal(
    take('5;a="b"\r\nhello\r\n00C\r\n, and\r\nbye!\n\r\n0\r\nx-a: 1\r\n\r\n'),
    'hello, and\r\nbye!\n',
  );
  assert.equal(take('0\r\n\r\n'), '');
});

test('accepts a body that is truncated after its last chunk', () => {
  assert.equal(take('1\r\na\r\n0\r\n'), 'a');
});

test('rejects a body that is not wholly in chunks', () => {
  for (const text of [
    '',
    'hello',
    '5\r\nhell',
    '5\r\nhello\r\n',
    '5\r\nhello0\r\n\r\n',
    '5\r\nhelloXX0\r\n\r\n',
    '-1\r\n\r\n0\r\n\r\n',
    '1\r\na\r\n0\r\n\r\nmore',
    'fffffffffffff\r\na\r\n0\r\n\r\n',
    `${'0'.repeat(20_000)}5\r\nhello\r\n0\r\n\r\n`,
  ]) {
    assert.equal(take(text), null, JSON.stringify(text.slice(0, 40)));
  }
});
