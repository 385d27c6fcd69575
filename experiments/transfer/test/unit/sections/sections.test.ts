import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approve } from '../../../../../test/unit/approve.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { cost } from '../../../sections/cost.ts';
import { limits } from '../../../sections/limits.ts';
import { overTime } from '../../../sections/over-time.ts';
import { profiles } from '../../../sections/profiles.ts';
import { spread } from '../../../sections/spread.ts';
import { withoutHttp } from '../../../sections/without-http.ts';
import { ARMS, viewOf } from './made-up-transfers.ts';

test('shows costs per byte at each end by size, and their share of a core', (t) => {
  const { document, outline } = rendered(cost, viewOf());
  approve(t, 'cost', outline);
  assert.equal(document.querySelectorAll('svg[role=img]').length, 4);
});

test('omits the section without processor times', () => {
  const view = viewOf({
    change: ({ metrics }) => {
      metrics.clientCpuMs = null;
      metrics.serverCpuMs = null;
    },
  });
  assert.equal(cost.isShown?.(view), false);
});

test('counts limits for each stack and size, with the reason of the median transfer', (t) => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ block }, details) => {
      if (block === 5)
        details.limitedBy = { limit: null, because: 'Nothing was seen.', observed: {} };
    },
  });
  approve(t, 'limits', rendered(limits, view).outline);
});

test('compares repetitions with a relaxed limit, and explains a limit that cannot be relaxed', () => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ arm, block }, details) => {
      if (block !== 2) return;
      const nothing = { relaxed: 'processor', helped: false } as const;
      details.explains =
        arm === 'quick-start'
          ? {
              ...nothing,
              how: 'every core for client and server',
              unchangedMs: [200, 190, 210],
              relaxedMs: [120, 100, 130],
              helped: true,
              limitAfter: 'link',
            }
          : {
              ...nothing,
              how: 'They have every core.',
              unchangedMs: [],
              relaxedMs: [],
              limitAfter: null,
            };
    },
  });
  const { rowsOf, words } = rendered(limits, view);
  assert.doesNotMatch(words, /no test of the model/);
  assertEach(rowsOf('Repetitions of a transfer of each kind'), (row) => row.slice(3), [
    [
      'processor',
      'the counted transfer',
      'every core for client and server',
      '200.0',
      '120.0',
      'yes',
      'link',
    ],
    ['processor', 'the counted transfer', 'They have every core.', '–', '–', 'undecided', '–'],
  ]);
});

test('shows the limit of a repetition with its source and reason, also an unknown one', () => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ arm, block }, details) => {
      if (block !== 2) return;
      details.limitInRepetition = {
        limit: null,
        because: 'Nothing dominated.',
        observed: {},
        ...(arm === 'quick-start' && { packets: 'with keys' }),
      };
    },
  });
  assertEach(
    rendered(limits, view).rowsOf('Repetitions of a transfer of each kind'),
    (row) => row.slice(3, 6),
    [
      ['unknown', 'a repetition, by its packets with keys: Nothing dominated.', '–'],
      ['unknown', 'a repetition: Nothing dominated.', '–'],
    ],
  );
});

test('states for round trips that everything is faster without the delay', () => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ block }, details) => {
      if (block !== 2) return;
      details.explains = {
        relaxed: 'round trips',
        how: 'without the added 40 ms of round trip',
        unchangedMs: [200, 190, 210],
        relaxedMs: [120, 100, 130],
        helped: true,
        limitAfter: null,
      };
    },
  });
  assert.match(rendered(limits, view).words, /for round trips a yes does not confirm the model/);
});

test('has no table of limits for transfers without a model result', () => {
  const view = viewOf({
    change: (_, details) => {
      details.limitedBy = null;
    },
  });
  assert.equal(limits.isShown?.(view), false);
});

test('draws a chart over time for each reported number, of sizes that take long enough', () => {
  const { document, rowsOf } = rendered(overTime, viewOf());
  const drawn = [...document.querySelectorAll('svg[role=img]')].map(
    (svg) => svg.getAttribute('aria-label') ?? '',
  );
  assert.deepEqual(
    drawn.map((label) => /^Line chart: (.*?) by Time/.exec(label)?.[1]),
    ['Bytes received', 'Congestion window', 'Queue in ms'],
  );
  assert.ok(drawn.every((label) => label.includes('10MB')));
  const rows = rowsOf('At most 12 steps');
  assert.equal(rows.at(-1)?.[1], '10 MB');
  assert.ok(rows.length <= 2 * (12 + 1));
});

const NOTHING_COUNTED = { packets: 1, bytes: 0, lost: 0, queueDrops: 0 };

const LAYERED = (
  [
    ['lsquic-h3', 'h3', 41],
    ['bun-h2', 'h2', 62],
    ['plain-quic', 'quic', 40],
    ['plain-tls', 'tls', 61],
    ['plain-tcp', 'tcp', 41],
  ] as const
).map(([arm, protocol, startMs]) => ({ ...ARMS[0], arm, label: arm, protocol, startMs }));

test('shows what HTTP adds to each socket by size, over pairs of one block', (t) => {
  const view = viewOf({
    arms: LAYERED,
    sizes: { '10kB': 1e4, '1MB': 1e6 },
    change: (attempt, { bytes }) => {
      const { arm, subject, block, metrics } = attempt;
      if (arm === 'plain-quic' && subject === '1MB' && block === 3) metrics.totalMs = null;
      const sent = { ...NOTHING_COUNTED, bytes: bytes + arm.length * 100 };
      attempt.path = {
        toServer: NOTHING_COUNTED,
        toClient: sent,
        maxLatenessMs: null,
        linkCpuMs: null,
      };
    },
  });
  const { outline, rowsOf } = rendered(withoutHttp, view);
  approve(t, 'without-http', outline);
  const pairs = rowsOf('Total times').filter((row) => row.length > 1);
  assertEach(pairs, (row) => row[1], ['7', '7', '7', '6', '7', '7']);
});

test('shows sockets next to HTTP only if both are in the run', () => {
  const only = (...names: string[]) =>
    viewOf({ arms: LAYERED.filter(({ arm }) => names.includes(arm)) });
  assert.equal(withoutHttp.isShown?.(viewOf()), false);
  assert.equal(withoutHttp.isShown?.(only('lsquic-h3', 'plain-tls')), false);
  assert.equal(withoutHttp.isShown?.(only('lsquic-h3', 'plain-quic')), true);
  const few = viewOf({ arms: LAYERED, repetitions: 5 });
  assert.match(rendered(withoutHttp, few).words, /no interval/);
});

test('shows the quartiles of each size, in the units of goodput and time', (t) => {
  approve(t, 'spread', rendered(spread, viewOf({ sizes: { '1MB': 1e6 } })).outline);
});

test('shows profiles by size: processor, system calls by megabyte, and a flame graph of each end', (t) => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: (attempt, details) => {
      if (attempt.block > 1) return;
      attempt.files = { 'syscalls-server': 'profiles/a.server.syscalls.txt' };
      details.profiles = [
        {
          kind: 'cpu',
          end: 'server',
          totalMs: 150,
          steps: [
            { atMs: 20, percent: 40, busiestThreadPercent: 30 },
            { atMs: 40, percent: 60, busiestThreadPercent: 50 },
          ],
        },
        {
          kind: 'syscalls',
          end: 'server',
          totalMs: 900,
          calls: [
            { name: 'sendmmsg', calls: 1000, errors: 1, cpuMs: 8 },
            { name: 'futex', calls: 10, errors: 0, cpuMs: 2 },
          ],
        },
        {
          kind: 'flame',
          end: 'server',
          totalMs: 160,
          hz: 1999,
          stacks: [{ frames: ['bun', HOSTILE], samples: 7 }],
        },
        { kind: 'flame', end: 'client', totalMs: 160, hz: 1999, stacks: [] },
      ];
    },
  });
  const { document, outline } = rendered(profiles, view);
  approve(t, 'profiles', outline);
  const links = [...document.querySelectorAll('a')].map((each) => each.getAttribute('href'));
  assert.deepEqual(new Set(links), new Set(['profiles/a.server.syscalls.txt']));
  assert.equal(
    [...document.querySelectorAll('svg[role=img]')].filter((svg) =>
      svg.getAttribute('aria-label')?.startsWith('Flame graph of the server'),
    ).length,
    2,
  );
});

test('omits the section for a run without profiles', () => {
  assert.equal(profiles.isShown?.(viewOf()), false);
});
