import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ackedRanges } from '../../../../packets/connections/acknowledgement.ts';

test('acknowledges one range by an ACK without gaps', () => {
  assert.deepEqual(ackedRanges({ type: 2, bytes: 5, largest: 7, ranges: [3] }), [[4, 7]]);
});

test('counts gaps and ranges down from the largest as in RFC 9000', () => {
  // 20 to 18; 15 and 16 are missing with 17: gap 2; then 14 to 14; 13 is missing: gap 0; then 12 to 10.
  const frame = { type: 2, bytes: 9, largest: 20, ranges: [2, 2, 0, 0, 2] };
  assert.deepEqual(ackedRanges(frame), [
    [18, 20],
    [14, 14],
    [10, 12],
  ]);
});
