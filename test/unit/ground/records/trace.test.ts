import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  meanKbpsOf,
  OPPORTUNITY_BYTES,
  parseTraceTimes,
} from '../../../../ground/records/trace.ts';

test('reads each line as a time in ms, with equal ones and an unterminated last line', () => {
  assert.deepEqual([...parseTraceTimes('0\n3\n3\n10\n')], [0, 3, 3, 10]);
  assert.deepEqual([...parseTraceTimes('1\r\n20')], [1, 20]);
});

test('passes a full packet at each time, from the beginning to the last of them', () => {
  assert.equal(meanKbpsOf(Uint32Array.from([1, 2, 3, 4])), 8 * OPPORTUNITY_BYTES);
  assert.equal(meanKbpsOf(Uint32Array.from([5, 5, 10])), (3 * 8 * OPPORTUNITY_BYTES) / 10);
});

for (const [text, complaint] of [
  ['', /^it is empty; expected a time in ms on each line$/],
  ['1\nfast\n', /^line 2 is "fast"; expected a whole number of ms from 0 to 86400000$/],
  ['-1\n', /^line 1 is "-1"; expected a whole number/],
  ['1.5\n', /^line 1 is "1.5"; expected a whole number/],
  ['1\n\n2\n', /^line 2 is ""; expected a whole number/],
  ['86400001\n', /^line 1 is "86400001"; expected a whole number of ms from 0 to 86400000$/],
  ['5\n7\n3\n', /^line 3 is "3"; expected no earlier time than that before, 7 ms$/],
  ['0\n0\n', /^all its times are 0 ms; expected a last one after which it begins anew$/],
  [`${'9'.repeat(1000)}\n`, /^line 1 is "9{40}"; expected/],
] as const) {
  test(`rejects what is no recorded link with its line: ${JSON.stringify(text).slice(0, 30)}`, () => {
    assert.throws(() => parseTraceTimes(text), { message: complaint });
  });
}
