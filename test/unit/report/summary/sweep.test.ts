import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkCondition } from '../../../../ground/records/network.ts';
import { DELAYED, type FixtureOptions, NONE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';

const FAR = { ...NONE, name: '100ms', rttMs: 100 };

function sweepsOf(networks: NetworkCondition[], options: FixtureOptions = {}) {
  return fixtureSummary({
    subjects: ['a.example'],
    networks,
    ...options,
    change: (load, details) => {
      load.network.measuredRttMs = load.network.rttMs;
      options.change?.(load, details);
    },
  }).sweeps;
}

test('fits a line of page load times over the delay: round trips and the rest without delay', () => {
  const [sweep, ...rest] = sweepsOf([FAR, NONE, DELAYED], {
    change: (load) => {
      const [start, roundTrips] = load.arm === 'lsquic-h3' ? [120, 4] : [80, 5];
      load.metrics.pageLoadMs = start + load.network.rttMs * roundTrips;
    },
  });
  assert.deepEqual(rest, []);
  assert.deepEqual(
    sweep?.networks.map(({ name, value, rttMs, measuredRttMs }) => [
      name,
      value,
      rttMs,
      measuredRttMs,
    ]),
    [
      ['none', 0, 0, 0],
      ['30ms', 30, 30, 30],
      ['100ms', 100, 100, 100],
    ],
  );
  assert.deepEqual(
    sweep.rows.map(({ arm, medians, line }) => [
      arm,
      medians,
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
function crossingAt(networks: NetworkCondition[], lsquicMs: (rttMs: number) => number) {
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

test('reports from three delays on where a stack overtakes another one, with an interval', () => {
  const [crossing, other] = crossingAt([FAR, NONE, DELAYED], (rttMs) => 120 + 4 * rttMs);
  assert.deepEqual([crossing?.first, crossing?.second], ['lsquic-h3', 'bun-h2']);
  const { estimate, low, high } = crossing?.at ?? {};
  assert.ok(estimate && low && high && low < estimate && estimate < high);
  // 40 ms for lines; between the answers at 30 and 100 ms the logarithm of the ratio is
  // interpolated linearly.
  assert.ok(estimate > 33 && estimate < 55, `${estimate}`);
  assert.deepEqual([crossing?.rttMs, crossing?.lowMs, crossing?.highMs], [estimate, low, high]);
  assert.equal(crossing?.betterBelow, 'bun-h2');
  assert.deepEqual([other?.at, other?.rttMs], [null, null]);
});

test('reports no crossing from two delays', () => {
  assert.deepEqual(
    crossingAt([NONE, DELAYED], (rttMs) => 120 + 2 * rttMs),
    [],
  );
});

test('holds the truth in the interval of the round trips, and is the same every time', () => {
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

test('does not compare conditions that differ in more than the delay', () => {
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

test('has no line for a site without loads at one end, and excludes it from those over the sites', () => {
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
  assert.deepEqual([broken?.medians, broken?.line], [[10, null], null]);
  assert.deepEqual(
    sweep?.overSites.map(({ nSites, roundTrips, medians }) => [nSites, roundTrips, medians]),
    Array.from({ length: 3 }, () => [2, 3, [10, 100]]),
  );
});

test('sweeps each dimension in which alone networks differ, in the order of its values', () => {
  const lossy = (lossPercent: number) => ({ ...DELAYED, name: `loss${lossPercent}`, lossPercent });
  const slow = (name: string, downKbps: number | null) => ({ ...DELAYED, name, downKbps });
  const under = (congestionControl: 'bbr' | 'cubic') => ({
    ...DELAYED,
    name: congestionControl,
    congestionControl,
  });
  const burst = (name: string, enterPercent: number, leavePercent: number) => ({
    ...FAR,
    name,
    burstLoss: { enterPercent, leavePercent },
  });
  for (const [factor, networks, expected] of [
    ['lossPercent', [lossy(2), DELAYED, lossy(0.5)], [0, 0.5, 2]],
    ['downKbps', [slow('fast', 8000), slow('slow', 500)], [500, 8000]],
    // A rate without a limit has no position among numbers.
    ['downKbps', [DELAYED, slow('slow', 500)], [null, null]],
    ['congestionControl', [under('cubic'), under('bbr')], [null, null]],
    ['burstLoss', [burst('long', 1, 9), FAR], [0, 10]],
    // The same share of packets is lost, in bursts of other lengths.
    ['burstLoss', [burst('long', 1, 9), burst('short', 2, 18)], [null, null]],
  ] as const) {
    const found = sweepsOf([...networks]);
    assert.deepEqual(
      found.map((sweep) => [sweep.factor, sweep.networks.map(({ value }) => value)]),
      [[factor, expected]],
    );
    for (const { medians, line, mediansMs } of found.flatMap(({ rows }) => rows)) {
      assert.equal(medians.length, networks.length);
      assert.deepEqual([line, mediansMs], [null, undefined]);
    }
  }
});

test('does not sweep networks that differ only in their names', () => {
  assert.deepEqual(sweepsOf([DELAYED, { ...DELAYED, name: 'again' }]), []);
});

test('sweeps each of two factors at every value of the other', () => {
  const networks = [0, 2].flatMap((lossPercent) =>
    [0, 30, 100].map((rttMs) => ({ ...NONE, name: `${rttMs}-${lossPercent}`, rttMs, lossPercent })),
  );
  assert.deepEqual(
    sweepsOf(networks).map(({ factor, networks: { length } }) => [factor, length]),
    [
      ['rttMs', 3],
      ['rttMs', 3],
      ['lossPercent', 2],
      ['lossPercent', 2],
      ['lossPercent', 2],
    ],
  );
});

test('finds the crossing over a rate on its logarithmic axis, without a round-trip time', () => {
  const networks = [1000, 10_000, 100_000].map((downKbps) => ({
    ...DELAYED,
    name: `down${downKbps}`,
    downKbps,
  }));
  const [sweep] = sweepsOf(networks, {
    repetitions: 12,
    change: (load) => {
      const noise = 1 + 0.01 * Math.sin(load.order * 12.9898);
      // Twice as slow at 1 Mbit/s, twice as fast at 100 Mbit/s.
      const factor = 2 ** (4 - Math.log10(load.network.downKbps ?? 1));
      load.metrics.pageLoadMs = noise * (load.arm === 'lsquic-h3' ? 300 * factor : 300);
    },
  });
  const [crossing] = sweep?.crossovers ?? [];
  const at = crossing?.at?.estimate ?? 0;
  assert.ok(at > 9000 && at < 11_000, `${at}`);
  assert.equal(crossing?.betterBelow, 'bun-h2');
  assert.ok(crossing && !('rttMs' in crossing));
});
