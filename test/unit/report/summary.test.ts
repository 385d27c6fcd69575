import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary.ts';
import { DELAYED, fixtureRun, NONE, spoil } from './fixture-run.ts';

test('there is one row for each site and stack, in the order of the plan, with n = the ok loads', () => {
  const { run, pageLoads } = fixtureRun({ networks: [NONE], repetitions: 3 });
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
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example'],
    networks: [NONE],
    repetitions: 5,
  });
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
    networks: [NONE],
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
        id: 's1.none.bun-h2.warm-up',
        site: 'www.iana.org',
        stack: 'bun-h2',
        message: 'late: s1.none.bun-h2.warm-up',
      },
    },
    {
      outcome: 'invalid',
      code: 'wrong-protocol',
      count: 2,
      warmupCount: 0,
      example: { id: 's1.none.bun-h2.2', site: 'www.iana.org', stack: 'bun-h2', message: 'h2' },
    },
  ]);
});

test('a whole run is complete and an interrupted one says how far it came', () => {
  const { run, pageLoads } = fixtureRun({ networks: [NONE], repetitions: 3 });
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
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example'],
    change: (load) => {
      load.timingsMs.pageLoad = load.network.name === '30ms' ? 5000 : 100;
    },
  });
  const { rows, overview } = summarise(run, pageLoads);
  assert.deepEqual(
    rows.map(({ network, n, nWarmup }) => [network.name, n, nWarmup]),
    [
      ['none', 3, 1],
      ['none', 3, 1],
      ['none', 3, 1],
      ['30ms', 3, 0],
      ['30ms', 3, 0],
      ['30ms', 3, 0],
    ],
  );
  assert.equal(rows[0]?.timingsMs.pageLoad?.mean, 100);
  assert.equal(rows[3]?.timingsMs.pageLoad?.mean, 5000);
  assert.deepEqual(
    overview.map(({ network }) => network),
    [NONE, DELAYED],
  );
});

test('a row tells its network as asked, who made it, and the round trip measured before its loads', () => {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example'],
    networks: [DELAYED],
    backend: 'netem',
    change: (load) => {
      load.network.measuredRttMs = load.repetition === 1 ? null : 30 + load.repetition;
    },
  });
  const [row] = summarise(run, pageLoads).rows;
  assert.deepEqual(row?.network, { ...DELAYED, backend: 'netem', measuredRttMs: 32 });
  const [empty] = summarise(run, []).rows;
  assert.deepEqual(empty?.network, { ...DELAYED, backend: 'netem', measuredRttMs: null });
});

test('loads or calibrations of another backend or network than the plan has are an error', () => {
  const { run, pageLoads, calibrations } = fixtureRun();
  const other = fixtureRun({ backend: 'netem' });
  assert.throws(
    () => summarise(run, other.pageLoads),
    /over the backend netem, run\.json has userspace/,
  );
  assert.throws(
    () => summarise(run, pageLoads, other.calibrations),
    /network none \(0 ms RTT, netem\), which run\.json did not plan/,
  );
  const { run: delayedOnly } = fixtureRun({ networks: [DELAYED] });
  assert.throws(() => summarise(delayedOnly, pageLoads), /network none.*did not plan/);
  assert.throws(() => summarise(delayedOnly, [], calibrations), /network none.*did not plan/);
});

test('loads that the plan does not have are an error that names them', () => {
  const { run } = fixtureRun({ sites: ['a.example'] });
  const { pageLoads } = fixtureRun({ sites: ['b.example'] });
  assert.throws(() => summarise(run, pageLoads), /site b\.example.*run\.json did not plan/);
});
