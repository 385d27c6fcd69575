import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortAddress } from '../../../../report/sections/waterfall-drawing.ts';

test('an address that fits stays whole', () => {
  assert.equal(shortAddress('/img/logo.png', 13), '/img/logo.png');
});

test('of a longer one the beginning and more of the end are kept, in exactly the room there is', () => {
  const short = shortAddress('cdn.example.org/a/very/long/way/to/the/logo.png', 20);
  assert.equal(short, 'cdn.exa…the/logo.png');
  assert.equal([...short].length, 20);
});

test('characters that would steer the direction of the text, or are none, are left out', () => {
  assert.equal(shortAddress('/a\u202Eb\u0000c', 10), '/abc');
  assert.equal(shortAddress('/\uD800', 10), '/\uFFFD');
  assert.equal(shortAddress('/😀😀😀😀😀😀', 5), '/…😀😀😀');
});
