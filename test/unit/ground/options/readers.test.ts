import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  durationMs,
  eachOnce,
  headers,
  names,
  number,
  numbers,
  oneOf,
  severalOf,
  text,
  wholeNumber,
  wholeNumberOr,
} from '../../../../ground/options/readers.ts';
import type { Reader } from '../../../../ground/options/row.ts';
import { UsageError } from '../../../../ground/system/exit-status.ts';

function assertRefused<T>(read: Reader<T>, given: string, message: string): void {
  assert.throws(
    () => read('x', given),
    (error) => {
      assert.ok(error instanceof UsageError);
      assert.equal(error.message, message);
      return true;
    },
  );
}

test('requires a unit for a time', () => {
  assert.equal(durationMs('budget', '90s'), 90_000);
  assert.equal(durationMs('budget', '45m'), 2_700_000);
  assert.equal(durationMs('budget', '1.5h'), 5_400_000);
  for (const given of ['', '90', '0s', '600h', '-1m', '2d', 'soon', '1h30m']) {
    assertRefused(
      durationMs,
      given,
      `--x ${given}: expected a time from 0.001s to 576h with its unit, for example 3s, 45m or 2h.`,
    );
  }
});

test('requires decimal numbers within their range', () => {
  assert.equal(number([0, 50])('loss', '0.5'), 0.5);
  assert.equal(wholeNumber([1, 9])('n', '9'), 9);
  assert.deepEqual(numbers([0, 100])('rtt', '0, 30'), [0, 30]);
  for (const given of ['-5', '51', '1e1', 'NaN', '0x1']) {
    assertRefused(number([0, 50]), given, `--x ${given}: expected a number from 0 to 50.`);
  }
  assertRefused(wholeNumber([1, 9]), '2.5', '--x 2.5: expected a whole number from 1 to 9.');
  assertRefused(wholeNumber([1, 9]), '', '--x "": expected a whole number from 1 to 9.');
  assertRefused(numbers([0, 100]), '0,', '--x "0,": expected names with commas between.');
});

test('rejects a repeated option that may stand only once', () => {
  const rtt = eachOnce(numbers([0, 100]));
  assert.deepEqual(rtt('rtt', '0,30'), [0, 30]);
  assertRefused(rtt, '30,0,30.0', '--x 30,0,30.0: 30 stands twice. Expected each once.');
  assertRefused(eachOnce(names), 'dsl,dsl', '--x dsl,dsl: dsl stands twice. Expected each once.');
});

test('accepts a word in place of a number', () => {
  const read = wholeNumberOr(['stock'], [1, 9], 'bytes as ');
  assert.deepEqual([read('x', 'stock'), read('x', '3')], ['stock', 3]);
  assertRefused(read, 'x', '--x x: expected stock, or bytes as a whole number from 1 to 9.');
});

test('suggests the nearest known word for an unknown one', () => {
  assert.equal(oneOf('small', 'realistic')('x', 'small'), 'small');
  assert.deepEqual(severalOf('cold', 'repeat')('x', 'repeat,cold,repeat'), ['repeat', 'cold']);
  assertRefused(
    severalOf('cold', 'repeat'),
    'cold,repaet',
    '--x repaet: expected one of cold, repeat. Did you mean repeat?',
  );
});

test('rejects an empty text and an empty name', () => {
  assert.equal(text('x', 'a b'), 'a b');
  assert.deepEqual(names('x', 'a, b'), ['a', 'b']);
  assertRefused(text, '', '--x "": expected a value.');
  assertRefused(names, 'a,,b', '--x "a,,b": expected names with commas between.');
});

test('reads headers as lines, names in lower case and each once, without those that frame a message', () => {
  assert.deepEqual(headers('x', 'Accept: */*\nX-Empty:\nCookie: a=b: c'), {
    accept: '*/*',
    'x-empty': '',
    cookie: 'a=b: c',
  });
  assertRefused(
    headers,
    'a b: c',
    `--x "a b: c": expected 'Name: value', for example 'Range: bytes=0-99'.`,
  );
  assertRefused(
    headers,
    'a: b\rc',
    `--x "a: b\\rc": expected 'Name: value', for example 'Range: bytes=0-99'.`,
  );
  assertRefused(
    headers,
    ':path: /',
    `--x ":path: /": expected 'Name: value', for example 'Range: bytes=0-99'.`,
  );
  assertRefused(headers, 'Host: a', '--x "Host: a": Host is set by the client.');
  assertRefused(
    headers,
    'a: b\nA: c',
    '--x: a stands twice. Put its values into one, with commas between.',
  );
});
