import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedNetwork } from '../../../../ground/records/network.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';

const FAR = { ...NONE, name: '100ms', rttMs: 100 };

function sweepsOf(networks: AskedNetwork[], options: FixtureOptions = {}) {
  const { run, observations } = fixtureRun({
    subjects: ['a.example'],
    networks,
    ...options,
    change: (load) => {
      load.network.measuredRttMs = load.network.rttMs;
      options.change?.(load);
    },
  });
  return summarise(run, observations).sweeps;
}

test('page load times over the delay become a line: round trips and what is left without delay', () => {
  const [sweep, ...others] = sweepsOf([FAR, NONE, DELAYED], {
    change: (load) => {
      const [start, roundTrips] = load.arm === 'lsquic-h3' ? [120, 4] : [80, 5];
      load.metrics.pageLoadMs = start + load.network.rttMs * roundTrips;
    },
  });
  assert.deepEqual(others, []);
  assert.deepEqual(
    sweep?.networks.map(({ name, rttMs, measuredRttMs }) => [name, rttMs, measuredRttMs]),
    [
      ['none', 0, 0],
      ['30ms', 30, 30],
      ['100ms', 100, 100],
    ],
  );
  assert.deepEqual(
    sweep.rows.map(({ arm, mediansMs, line }) => [
      arm,
      mediansMs,
      line?.roundTrips.estimate,
      line?.interceptMs.estimate,
    ]),
    [
      ['lsquic-h3', [120, 240, 520], 4, 120],
      ['bun-h2', [80, 230, 580], 5, 80],
      ['flask-h1', [80, 230, 580], 5, 80],
    ],
  );
  assert.equal(sweep.rows[0]?.line?.roundTrips.low, null, '3 loads give no interval');
});

/** Times of lsquic against a line of Bun's, with a little noise. */
function crossingAt(networks: AskedNetwork[], lsquicMs: (rttMs: number) => number) {
  const [sweep] = sweepsOf(networks, {
    repetitions: 12,
    change: (load) => {
      const { rttMs } = load.network;
      const noise = 1 + 0.01 * Math.sin(load.order * 12.9898);
      load.metrics.pageLoadMs =
        noise * (load.arm === 'lsquic-h3' ? lsquicMs(rttMs) : 80 + 5 * rttMs);
    },
  });
  return sweep?.crossovers ?? [];
}

test('from three delays on the primary answers say where a stack overtakes another one, with an interval', () => {
  const [crossing, other] = crossingAt([FAR, NONE, DELAYED], (rttMs) => 120 + 4 * rttMs);
  assert.deepEqual([crossing?.first, crossing?.second], ['lsquic-h3', 'bun-h2']);
  const { rttMs, lowMs, highMs } = crossing ?? {};
  assert.ok(rttMs && lowMs && highMs && lowMs < rttMs && rttMs < highMs);
  // 40 ms for lines; between the answers at 30 and 100 ms the logarithm of the ratio is taken for one.
  assert.ok(rttMs > 33 && rttMs < 55, `${rttMs}`);
  assert.match(
    crossing?.sentence ?? '',
    /^Bun \(h2\) is faster below a round-trip time of about \d+ ms, lsquic \(h3\) above \(interval \d+ to \d+ ms\)\.$/,
  );
  assert.equal(other?.rttMs, null);
  assert.match(other?.sentence ?? '', /^At no round-trip time from 0 to 100 ms/);
});

test('two delays say nothing of where a stack overtakes another one', () => {
  assert.deepEqual(
    crossingAt([NONE, DELAYED], (rttMs) => 120 + 2 * rttMs),
    [],
  );
});

test('a stack that is ahead throughout is named, and where it is not sure as well', () => {
  const [throughout] = crossingAt([NONE, DELAYED, FAR], (rttMs) => 60 + 4 * rttMs);
  assert.deepEqual([throughout?.rttMs, throughout?.lowMs], [null, null]);
  assert.equal(
    throughout?.sentence,
    'lsquic (h3) is faster than Bun (h2) at all round-trip times measured, 0 to 100 ms.',
  );
  const [partly] = crossingAt([NONE, DELAYED, FAR], (rttMs) => 80 + 4 * rttMs);
  assert.equal(
    partly?.sentence,
    'lsquic (h3) is faster than Bun (h2) at 30, 100 ms, and at the rest of 0 to 100 ms the two do not surely differ.',
  );
});

test('the interval of the round trips holds the truth, and is the same every time', () => {
  const noisy = () =>
    sweepsOf([NONE, DELAYED, FAR], {
      repetitions: 20,
      change: (load) => {
        const noise = Math.sin(load.order * 12.9898) * 10;
        load.metrics.pageLoadMs = 100 + load.network.rttMs * 4 + noise;
      },
    });
  const [sweep] = noisy();
  const line = sweep?.rows[0]?.line;
  assert.ok(line?.roundTrips.low && line.roundTrips.high && line.interceptMs.high);
  assert.ok(line.roundTrips.low < 4 && line.roundTrips.high > 4);
  assert.ok(line.roundTrips.high - line.roundTrips.low < 0.5);
  assert.deepEqual(noisy(), [sweep]);
});

test('conditions that differ in more than the delay are not set against each other', () => {
  const slow = { ...DELAYED, name: 'dsl', rttMs: 50, downKbps: 1500, upKbps: 384 };
  assert.deepEqual(sweepsOf([NONE, slow]), []);
  assert.deepEqual(sweepsOf([NONE]), []);
  const slower = { ...slow, name: 'far-dsl', rttMs: 90 };
  assert.deepEqual(
    sweepsOf([NONE, slow, DELAYED, slower], { visits: ['cold', 'repeat'] }).map(
      ({ variant, networks }) => [variant, networks.map(({ name }) => name)],
    ),
    [
      ['cold', ['none', '30ms']],
      ['repeat', ['none', '30ms']],
      ['cold', ['dsl', 'far-dsl']],
      ['repeat', ['dsl', 'far-dsl']],
    ],
  );
});

test('a site without loads at one end has no line and is not among those over the sites', () => {
  const [sweep] = sweepsOf([NONE, DELAYED], {
    subjects: ['a.example', 'b.example', 'c.example'],
    change: (load) => {
      const roundTrips = { 'a.example': 2, 'b.example': 4, 'c.example': 90 }[load.subject] ?? 0;
      load.metrics.pageLoadMs = 10 + load.network.rttMs * roundTrips;
      if (load.subject === 'c.example' && load.network.rttMs > 0)
        spoil(load, 'failed', 'timeout', 'late');
    },
  });
  const broken = sweep?.rows.find(({ subject }) => subject === 'c.example');
  assert.deepEqual([broken?.mediansMs, broken?.line], [[10, null], null]);
  assert.deepEqual(
    sweep?.overSites.map(({ nSites, roundTrips, mediansMs }) => [nSites, roundTrips, mediansMs]),
    Array.from({ length: 3 }, () => [2, 3, [10, 100]]),
  );
});
