import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { bySize } from '../../../sections/by-size.ts';
import { viewOf } from './made-up-transfers.ts';

test('reports the size where the stacks change places with its interval, and the sizes with a sure lead', () => {
  const { document } = rendered(bySize, viewOf());
  const [byTime, byGoodput, ...rest] = [...document.querySelectorAll('li')]
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => /faster/.test(text));
  assert.equal(rest.length, 0);
  const [, about, low, high] =
    /^Quick start \(h3\) is faster in total time below about (\S+) MB, Quick bytes \(h2\) above \(95 % interval: (\S+) .B to (\S+) MB\)\.$/.exec(
      byTime ?? '',
    ) ?? [];
  // 20 ms are made up for by 20 ns per byte at 1 MB.
  assert.ok(Number(about) >= 0.9 && Number(about) <= 1.1, byTime);
  assert.ok(Number(low) <= 990 && Number(high) >= Number(about), byTime);
  assert.equal(
    byGoodput,
    'Quick bytes (h2) is faster in goodput than Quick start (h3) at all sizes.',
  );
});

test('shows the medians of both in the table, and a mark for each in the chart', () => {
  const { document, rowsOf } = rendered(bySize, viewOf());
  const rows = rowsOf('All points, with their intervals');
  assertEach(rows, ([size]) => size, ['10 kB', '100 kB', '1 MB', '10 MB']);
  const [, goodput, ...rest] = rows[0] ?? [];
  // 100 ns for a byte of 8 bits are 80 Mbit/s, less some noise.
  assert.match(goodput ?? '', /^7\d(\.\d+)?7\d(\.\d+)? to 7\d|^79/);
  assert.equal(rest.length, 3);
  assert.equal(document.querySelectorAll('svg[role=img]').length, 2);
  assert.equal(document.querySelectorAll('svg[role=img] title').length, 2 * (4 * 2) + 1);
});

test('reports too few pairs for an interval, and puts files without bytes outside the axis', () => {
  const { words } = rendered(bySize, viewOf({ repetitions: 5 }));
  assert.match(words, /are unknown: an interval needs 6 pairs/);
  const sizes = { '0B': 0, '1kB': 1000, '2kB': 2000 };
  const { rowsOf } = rendered(bySize, viewOf({ sizes }));
  assertEach(rowsOf('All points'), ([size]) => size, ['1 kB', '2 kB']);
});

test('shows a dash for a transfer without goodput, and names as text', () => {
  const view = viewOf({
    sizes: { [HOSTILE]: 1000, '1MB': 1e6 },
    change: ({ subject, metrics }) => {
      if (subject === HOSTILE) metrics.goodputKbps = null;
    },
  });
  assert.equal(rendered(bySize, view).rowsOf('All points')[0]?.[1], '–');
});

test('draws no line for a single size', () => {
  assert.equal(bySize.isShown?.(viewOf({ sizes: { '1MB': 1e6 } })), false);
});
