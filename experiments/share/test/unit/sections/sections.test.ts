import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { fairShare } from '../../../sections/fair-share.ts';
import { overTime } from '../../../sections/over-time.ts';
import { shares } from '../../../sections/shares.ts';
import { viewOf } from './made-up-sharing.ts';

const ONE_EACH = { '1-quic+1-tcp': { quic: [6_000], tcp: [3_000] } };
const MIXES = {
  ...ONE_EACH,
  '1-quic+2-tcp': { quic: [4_500], tcp: [2_500, 2_000] },
  '2-tcp': { tcp: [4_500, 4_500] },
};

test('shows the share of each flow of a mix, also of several flows of a stack', () => {
  const { rowsOf, document } = rendered(shares, viewOf(MIXES));
  const [quic, tcp] = rowsOf('Medians over 7 repetitions, 1-quic+1-tcp');
  assert.match(quic?.[1] ?? '', /^66\.7/);
  assert.match(tcp?.[1] ?? '', /^33\.3/);
  assert.deepEqual(
    [quic?.slice(3), tcp?.[3], tcp?.[4]],
    [['–', '–'], '55.5', '12'],
    'readings of a sender',
  );
  const names = rowsOf('Medians over 7 repetitions, 1-quic+2-tcp').map(([name]) => name);
  assert.deepEqual(names, ['quic server', 'tcp server, flow 1', 'tcp server, flow 2']);
  assert.equal(document.querySelectorAll('svg.chart').length, 3);
});

test('shows ratio, index, times and queue of whole trials side by side, with the number that reached a fair share', () => {
  const { rowsOf, words } = rendered(fairShare, viewOf(MIXES));
  const [, first, second, third] = rowsOf('Whole trials');
  assert.ok(first && second && third);
  const [mix, repetitions, total, jain, ratio, timeToFair, fairIn, queue, most] = first;
  assert.deepEqual([mix, repetitions, total], ['1-quic+1-tcp', '7', '9.00 Mbit/s']);
  assert.match(jain ?? '', /^0\.840/);
  assert.match(ratio ?? '', /^2\b/);
  assert.match(timeToFair ?? '', /^1,500/);
  assert.deepEqual([fairIn, queue, most], ['2 of 7', '20.0', '37.0 kB of 37.5 kB']);
  assert.match(second[4] ?? '', /^2/, 'the mean of two flows is 2,250 kbit/s');
  assert.equal(third[4], '–', 'a mix without QUIC has no ratio');
  assert.match(words, /two connections/);
});

test('does not report a missing fair share for trials that are too short', () => {
  const fairInOf = (durationMs: number, repetitions?: number) => {
    const { rowsOf } = rendered(fairShare, viewOf(ONE_EACH, { durationMs, repetitions }));
    return rowsOf('Whole trials')[1]?.[6];
  };
  assert.equal(fairInOf(8_000), '2 of 7');
  assert.equal(fairInOf(7_900), '2 of 7, the rest too short');
  // Of the made-up repetitions the first two reach a fair share.
  assert.equal(fairInOf(3_000, 2), '2 of 2');
});

test('shows flows over time of the median trial, second by second, before the queue', () => {
  const { rowsOf, document } = rendered(overTime, viewOf(ONE_EACH));
  const rows = rowsOf('In each second, 1-quic+1-tcp');
  assert.equal(rows.length, 10);
  assert.deepEqual(rows[1], ['2', '6', '3', '19.0']);
  assert.equal(document.querySelectorAll('svg.chart').length, 2);
});

test('shows few repetitions without intervals, and a hostile name as text', () => {
  const mixes = { [HOSTILE]: { quic: [6_000], tcp: [3_000] } };
  for (const section of [shares, fairShare, overTime]) {
    const { words } = rendered(section, viewOf(mixes, { repetitions: 2 }));
    assert.ok(words.includes('alert(1)'), section.id);
  }
});
