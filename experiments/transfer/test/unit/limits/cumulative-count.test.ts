import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accumulate, cumulativeCount } from '../../../limits/cumulative-count.ts';

test('grows evenly between known moments, and stands still outside of them', () => {
  const count = cumulativeCount([
    { atMs: 10, count: 5 },
    { atMs: 20, count: 15 },
    { atMs: 40, count: 15 },
  ]);
  assert.deepEqual([0, 10, 14, 20, 30, 99].map(count.at), [5, 5, 9, 15, 15, 15]);
  assert.equal(count.between(14, 18), 4);
  assert.equal(cumulativeCount([]).at(5), 0);
  const jump = cumulativeCount([
    { atMs: 10, count: 5 },
    { atMs: 10, count: 8 },
  ]);
  assert.equal(jump.at(10), 8, 'of two at a moment the later one');
});

test('adds up short counts from the first of them on', () => {
  const steps = [
    { atMs: 100, forMs: 10, packets: 2 },
    { atMs: 110, forMs: 10, packets: 4 },
  ];
  const count = accumulate(steps, ({ packets }) => packets);
  assert.deepEqual([90, 105, 115, 200].map(count.at), [0, 1, 4, 6]);
});
