import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesBody } from '../../other-bytes.ts';

test('compares bytes where Chromium has bytes', () => {
  const expected = Buffer.from([0, 255, 7]);
  const isSame = (bytes: number[]) => {
    const body = Buffer.from(bytes).toString('base64');
    return matchesBody({ body, base64Encoded: true }, expected, '');
  };
  assert.ok(isSame([0, 255, 7]));
  assert.ok(!isSame([0, 255, 8]));
  // Chromium has not kept all of it.
  assert.ok(isSame([0, 255]));
});

test('compares a text in each encoding that the page may have', () => {
  const isSame = (body: string, expected: Buffer, charset = '') =>
    matchesBody({ body, base64Encoded: false }, expected, charset);
  const utf8 = Buffer.from('\uFEFFé: 7\r\n');
  assert.ok(isSame('é: 7\r\n', utf8, 'utf-8'));
  assert.ok(isSame('\uFEFFé: 7\r\n', utf8));
  assert.ok(isSame('ï»¿Ã©: 7\r\n', utf8));
  assert.ok(!isSame('é: 8\r\n', utf8, 'utf-8'));
  assert.ok(!isSame('a', Buffer.from('b'), 'no-such-encoding'));
  assert.ok(isSame('я', Buffer.from([0xd1]), 'windows-1251'));
  // The encoding named in a document's text is unknown.
  assert.ok(isSame('と', Buffer.from([0x82, 0xc6])));
  assert.ok(isSame('Г©', Buffer.from('é')));
  assert.ok(isSame('', utf8));
});
