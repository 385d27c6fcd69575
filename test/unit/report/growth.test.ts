import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedNetwork } from '../../../records/network.ts';
import { summarise } from '../../../report/summary.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from './fixture-run.ts';

function growthOf(networks: AskedNetwork[], options: FixtureOptions = {}) {
  const { run, pageLoads } = fixtureRun({ sites: ['a.example'], networks, ...options });
  return summarise(run, pageLoads).growth;
}

test('growth is the difference of the medians at the longest and the shortest delay per ms between them', () => {
  const far = { ...NONE, name: '100ms', rttMs: 100 };
  // In another order than that of the delays, and with a bend that the ends do not see.
  const [growth, ...others] = growthOf([far, NONE, DELAYED], {
    change: (load) => {
      const roundTrips = load.stack === 'lsquic-h3' ? 4 : 5.5;
      load.timingsMs.pageLoad =
        80 + load.network.rttMs * roundTrips + (load.network.name === '30ms' ? 7 : 0);
    },
  });
  assert.equal(others.length, 0);
  assert.deepEqual(growth?.networks, [
    { name: 'none', rttMs: 0 },
    { name: '30ms', rttMs: 30 },
    { name: '100ms', rttMs: 100 },
  ]);
  assert.deepEqual(
    growth.rows.map(({ stack, mediansMs, perRttMs }) => [stack, mediansMs, perRttMs]),
    [
      ['lsquic-h3', [80, 207, 480], 4],
      ['bun-h2', [80, 252, 630], 5.5],
      ['flask-h1', [80, 252, 630], 5.5],
    ],
  );
});

test('conditions that differ in more than the delay are not set against each other', () => {
  const slow = { ...DELAYED, name: 'dsl', rttMs: 50, downKbps: 1500, upKbps: 384 };
  assert.deepEqual(growthOf([NONE, slow]), []);
  assert.deepEqual(growthOf([NONE]), []);
  const slower = { ...slow, name: 'far-dsl', rttMs: 90 };
  assert.deepEqual(
    growthOf([NONE, slow, DELAYED, slower]).map(({ networks }) => networks.map(({ name }) => name)),
    [
      ['none', '30ms'],
      ['dsl', 'far-dsl'],
    ],
  );
});

test('without ok loads at one end there is no growth, and the site is not in the median over sites', () => {
  const [growth] = growthOf([NONE, DELAYED], {
    sites: ['a.example', 'b.example', 'c.example'],
    change: (load) => {
      const roundTrips = { 'a.example': 2, 'b.example': 4, 'c.example': 90 }[load.site] ?? 0;
      load.timingsMs.pageLoad = 10 + load.network.rttMs * roundTrips;
      if (load.site === 'c.example' && load.stack === 'bun-h2' && load.network.rttMs > 0)
        spoil(load, 'failed', 'timeout', 'late');
    },
  });
  const broken = growth?.rows.find(({ site, stack }) => site === 'c.example' && stack === 'bun-h2');
  assert.deepEqual(broken?.mediansMs, [10, null]);
  assert.equal(broken.perRttMs, null);
  assert.deepEqual(
    growth?.overSites.map(({ nSites, medianPerRttMs }) => [nSites, medianPerRttMs]),
    [
      [2, 3],
      [2, 3],
      [2, 3],
    ],
  );
});
