import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary.ts';
import { fixtureRun, spoil } from './fixture-run.ts';

test('there is one row for each site and stack, in the order of the plan, with n = the ok loads', () => {
  const { run, pageLoads } = fixtureRun({ repetitions: 3 });
  const { rows } = summarise(run, pageLoads);
  assert.deepEqual(
    rows.map(({ site, stack, n }) => [site, stack, n]),
    [
      ['www.iana.org', 'lsquic-h3', 3],
      ['www.iana.org', 'bun-h2', 3],
      ['www.iana.org', 'flask-h1', 3],
      ['www.wikipedia.org', 'lsquic-h3', 3],
      ['www.wikipedia.org', 'bun-h2', 3],
      ['www.wikipedia.org', 'flask-h1', 3],
    ],
  );
});

test('statistics are over the ok loads alone: no warm-up, failed or invalid load is in them', () => {
  const { run, pageLoads } = fixtureRun({ sites: ['a.example'], repetitions: 5 });
  const loads = pageLoads.filter(({ stack }) => stack === 'bun-h2');
  for (const [index, load] of loads.entries())
    load.timingsMs.pageLoad = [9000, 2, 4, 6, 700, 800][index] ?? null;
  const [, , , , failed, invalid] = loads;
  assert.ok(failed && invalid);
  failed.outcome = 'failed';
  invalid.outcome = 'invalid';
  const row = summarise(run, pageLoads).rows.find(({ stack }) => stack === 'bun-h2');
  assert.deepEqual(row?.timingsMs.pageLoad, {
    n: 3,
    mean: 4,
    median: 4,
    standardDeviation: 2,
    minimum: 2,
    maximum: 6,
  });
  const { nPlanned, nOk, nFailed, nInvalid, nWarmup } = row;
  assert.deepEqual(
    { nPlanned, nOk, nFailed, nInvalid, nWarmup },
    { nPlanned: 5, nOk: 3, nFailed: 1, nInvalid: 1, nWarmup: 1 },
  );
});

test('an ok load that lacks a timing counts as ok and lowers the n of that metric only', () => {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example'],
    change: (load) => {
      if (load.repetition === 2) load.timingsMs.documentTime = null;
    },
  });
  const [row] = summarise(run, pageLoads).rows;
  assert.equal(row?.n, 3);
  assert.equal(row.timingsMs.pageLoad?.n, 3);
  assert.equal(row.timingsMs.documentTime?.n, 2);
});

test('a stack that never loaded keeps its row, with null statistics', () => {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example'],
    change: (load) => {
      if (load.stack === 'flask-h1') spoil(load, 'failed', 'navigation-failed', 'refused');
    },
  });
  const row = summarise(run, pageLoads).rows.find(({ stack }) => stack === 'flask-h1');
  assert.equal(row?.nFailed, 3);
  assert.equal(row.n, 0);
  assert.equal(row.timingsMs.pageLoad?.median, null);
});

test('the ledger counts each reason, warm-ups apart, with the first load as the example', () => {
  const { run, pageLoads } = fixtureRun({
    change: (load) => {
      if (load.stack !== 'bun-h2') return;
      if (load.warmup || load.repetition === 1)
        spoil(load, 'failed', 'timeout', `late: ${load.id}`);
      if (load.repetition === 2) spoil(load, 'invalid', 'wrong-protocol', 'h2');
    },
  });
  const { ledger } = summarise(run, pageLoads);
  assert.deepEqual(ledger, [
    {
      outcome: 'failed',
      code: 'timeout',
      count: 2,
      warmupCount: 2,
      example: {
        id: 's1-bun-h2-warmup',
        site: 'www.iana.org',
        stack: 'bun-h2',
        message: 'late: s1-bun-h2-warmup',
      },
    },
    {
      outcome: 'invalid',
      code: 'wrong-protocol',
      count: 2,
      warmupCount: 0,
      example: { id: 's1-bun-h2-r2', site: 'www.iana.org', stack: 'bun-h2', message: 'h2' },
    },
  ]);
});

test('a whole run is complete and an interrupted one says how far it came', () => {
  const { run, pageLoads } = fixtureRun({ repetitions: 3 });
  assert.deepEqual(summarise(run, pageLoads).warnings, []);
  const { progress, warnings, rows } = summarise(run, pageLoads.slice(0, 10));
  assert.deepEqual(progress, {
    plannedPageLoads: 18,
    donePageLoads: 7,
    plannedWarmups: 6,
    doneWarmups: 3,
    complete: false,
  });
  assert.match(warnings[0] ?? '', /7 of 18 page loads and 3 of 6 warm-ups/);
  assert.equal(rows.length, 6);
});

test('a further attempt does not make an interrupted run look complete', () => {
  const { run, pageLoads } = fixtureRun({ warmups: false });
  const [first] = pageLoads;
  assert.ok(first);
  const again = { ...first, id: `${first.id}-2`, attempt: 2 };
  const { progress } = summarise(run, [...pageLoads.slice(0, -1), again]);
  assert.equal(progress.complete, false);
});

test('the overview takes only sites that have ok loads on every stack', () => {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example', 'b.example', 'c.example'],
    change: (load) => {
      const siteMs = load.site === 'a.example' ? 100 : 300;
      load.timingsMs.pageLoad = siteMs + (load.stack === 'lsquic-h3' ? 0 : 10);
      if (load.site === 'c.example' && load.stack === 'flask-h1')
        spoil(load, 'failed', 'timeout', '');
    },
  });
  const [overview] = summarise(run, pageLoads).overview;
  assert.equal(overview?.nSites, 2);
  assert.deepEqual(
    overview.stacks.map(({ medianOfSiteMediansMs }) => medianOfSiteMediansMs),
    [200, 210, 210],
  );
  assert.deepEqual(overview.likeForLike, {
    first: 'lsquic-h3',
    second: 'bun-h2',
    nFirstLower: 2,
    nSecondLower: 0,
    nEqual: 0,
  });
});

test('network conditions are never mixed', () => {
  const { run, pageLoads } = fixtureRun({ sites: ['a.example'], warmups: false });
  const delayed = { rttMs: 30, downKbps: null, upKbps: null, lossPercent: 0 };
  const trials = run.trials.map((trial) => ({ ...trial, id: `${trial.id}-30`, network: delayed }));
  const loads = pageLoads.map((load) => ({
    ...load,
    id: `${load.id}-30`,
    network: { ...load.network, rttMs: 30 },
    timingsMs: { ...load.timingsMs, pageLoad: 5000 },
  }));
  const both = { ...run, trials: [...run.trials, ...trials] };
  const { rows, overview } = summarise(both, [...pageLoads, ...loads]);
  assert.deepEqual(
    rows.map(({ network, n }) => [network.rttMs, n]),
    [
      [0, 3],
      [0, 3],
      [0, 3],
      [30, 3],
      [30, 3],
      [30, 3],
    ],
  );
  assert.equal(rows[3]?.timingsMs.pageLoad?.mean, 5000);
  assert.equal(overview.length, 2);
});

test('loads that the plan does not have are an error that names them', () => {
  const { run } = fixtureRun({ sites: ['a.example'] });
  const { pageLoads } = fixtureRun({ sites: ['b.example'] });
  assert.throws(() => summarise(run, pageLoads), /site b\.example.*run\.json did not plan/);
});
