import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSegmentIndex } from '../../../../cache/dash/whole-piece.ts';
import { segmentIndex } from './manifests.ts';

test('reads sizes and durations of segments from an index, with numbers of 32 and of 64 bits', () => {
  for (const isLong of [false, true]) {
    const box = segmentIndex(
      [
        [700, 2000],
        [300, 1500],
      ],
      { firstOffset: 12, isLong },
    );
    assert.deepEqual(readSegmentIndex(box), {
      firstOffset: 12,
      fromMs: 0,
      entries: [
        { bytes: 700, durationMs: 2000 },
        { bytes: 300, durationMs: 1500 },
      ],
    });
  }
});

test('rejects an index that is invalid, truncated, empty or refers to further indexes', () => {
  const box = segmentIndex([[700, 2000]]);
  assert.equal(readSegmentIndex(Buffer.from('1a45dfa3 cues of webm')), null);
  for (let bytes = 0; bytes < box.length; bytes++) {
    assert.equal(readSegmentIndex(box.subarray(0, bytes)), null, `cut after ${bytes} bytes`);
  }
  assert.equal(readSegmentIndex(segmentIndex([])), null);
  assert.equal(readSegmentIndex(segmentIndex([[2 ** 31 + 100, 2000]])), null);
});
