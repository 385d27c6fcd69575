import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { cost } from '../../../sections/cost.ts';
import { limits } from '../../../sections/limits.ts';
import { overTime } from '../../../sections/over-time.ts';
import { profiles } from '../../../sections/profiles.ts';
import { spread } from '../../../sections/spread.ts';
import { viewOf } from './made-up-transfers.ts';

test('what a byte costs either end stands by size, and what of a core that is', () => {
  const { document, rowsOf } = rendered(cost, viewOf());
  assert.deepEqual(rowsOf('Median processor time per byte').slice(0, 3), [
    ['10kB'],
    ['Quick start (h3)', '10', '20'],
    ['Quick bytes (h2)', '10', '5'],
  ]);
  const [name, throughput, , server] = rowsOf('Medians: all bytes').at(-1) ?? [];
  assert.equal(name, 'Quick bytes (h2)');
  // 10 MB in 60 ms and 800 ms, with up to 2 % of noise, while the server worked for 50 ms.
  assert.match(throughput ?? '', /^9\d/);
  assert.match(server ?? '', /^5\.\d/);
  assert.equal(document.querySelectorAll('svg[role=img]').length, 4);
});

test('processor time that is not known has no section', () => {
  const view = viewOf({
    change: ({ metrics }) => {
      metrics.clientCpuMs = null;
      metrics.serverCpuMs = null;
    },
  });
  assert.equal(cost.isShown?.(view), false);
});

test('limits are counted for each stack and size, with the reason of the transfer in the middle', () => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ block }, details) => {
      if (block === 5)
        details.limitedBy = { limit: null, because: 'Nothing was seen.', observed: {} };
    },
  });
  const { document, rowsOf } = rendered(limits, view);
  const heads = [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent);
  assert.deepEqual(heads, ['Stack', 'Processor', 'Link', 'Not told', 'The transfer in the middle']);
  assert.deepEqual(rowsOf('none'), [
    ['1MB'],
    ['Quick start (h3)', '6', '–', '1', 'quick-start was busy.'],
    ['Quick bytes (h2)', '–', '6', '1', 'quick-bytes was busy.'],
  ]);
});

test('times with the limit raised stand beside those with nothing changed, and a limit that cannot be raised says so', () => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ arm, block }, details) => {
      if (block !== 2) return;
      const nothing = { raised: 'processor', helped: false } as const;
      details.explains =
        arm === 'quick-start'
          ? {
              ...nothing,
              how: 'every core for client and server',
              asItWasMs: [200, 190, 210],
              raisedMs: [120, 100, 130],
              helped: true,
              limitThen: 'link',
            }
          : {
              ...nothing,
              how: 'They have every core.',
              asItWasMs: [],
              raisedMs: [],
              limitThen: null,
            };
    },
  });
  const { rowsOf, words } = rendered(limits, view);
  assert.doesNotMatch(words, /no test of the model/);
  assert.deepEqual(
    rowsOf('A transfer of each kind again').map((row) => row.slice(3)),
    [
      ['processor', 'every core for client and server', '200.0', '120.0', 'yes', 'link'],
      ['processor', 'They have every core.', '–', '–', 'cannot tell', '–'],
    ],
  );
});

test('of round trips it is said that without the delay everything is faster', () => {
  const view = viewOf({
    sizes: { '1MB': 1e6 },
    change: ({ block }, details) => {
      if (block !== 2) return;
      details.explains = {
        raised: 'round trips',
        how: 'without the added 40 ms of round trip',
        asItWasMs: [200, 190, 210],
        raisedMs: [120, 100, 130],
        helped: true,
        limitThen: null,
      };
    },
  });
  assert.match(rendered(limits, view).words, /of round trips a yes is no test of the model/);
});

test('transfers of which the model did not speak have no table of limits', () => {
  const view = viewOf({
    change: (_, details) => {
      details.limitedBy = null;
    },
  });
  assert.equal(limits.isShown?.(view), false);
});

test('over time there is a chart for each number that was told, of sizes that take long enough', () => {
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

test('the spread of each size has its quartiles, in the units of goodput and time', () => {
  const { rowsOf } = rendered(spread, viewOf({ sizes: { '1MB': 1e6 } }));
  const rows = rowsOf('Least, quartiles and most');
  assert.deepEqual(
    rows.map(([name]) => name),
    [
      'Goodput, transfers',
      'Quick start (h3)',
      'Quick bytes (h2)',
      'Total time, ms, transfers',
      'Quick start (h3)',
      'Quick bytes (h2)',
    ],
  );
  assert.match(rows[1]?.[3] ?? '', /^7\d\.\d Mbit\/s$/);
  assert.match(rows[4]?.[3] ?? '', /^14\d\.\d$/);
});

test('profiles stand by size: processor, system calls by megabyte, and a flame graph of each end', () => {
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
  const { document, rowsOf, words } = rendered(profiles, view);
  assert.deepEqual(rowsOf('Means over the time')[0], [
    'Quick start (h3)',
    'the server',
    '50',
    '40',
    '150.0',
  ]);
  assert.deepEqual(rowsOf('System calls').slice(1, 4), [
    ['sendmmsg', '1,000', '1', '1,000', '8.0', '8', '8'],
    ['futex', '10', '0', '10', '2.0', '200', '2'],
    ['all 2', '1,010', '1', '1,010', '10.0', '9.9', '10'],
  ]);
  const links = [...document.querySelectorAll('a')].map((each) => each.getAttribute('href'));
  assert.deepEqual(new Set(links), new Set(['profiles/a.server.syscalls.txt']));
  assert.match(words, /too little processor time for a single sample/);
  assert.equal(
    [...document.querySelectorAll('svg[role=img]')].filter((svg) =>
      svg.getAttribute('aria-label')?.startsWith('Flame graph of the server'),
    ).length,
    2,
  );
});

test('a run without profiles has no section of them', () => {
  assert.equal(profiles.isShown?.(viewOf()), false);
});
