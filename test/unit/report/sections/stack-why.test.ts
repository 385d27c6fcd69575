import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { stackWhy } from '../../../../report/sections/stack-why.ts';
import { fixtureRun } from '../fixture-run.ts';

const STACK = { arm: 'bun-h2', label: 'Bun (h2)', place: 1 };
const HOST = 'www.iana.org';

function someLoads(): [PageLoad, PageLoad, PageLoad] {
  const loads = fixtureRun().observations.filter(
    ({ arm, subject, network, warmup }) =>
      arm === 'bun-h2' && subject === HOST && network.rttMs === 30 && !warmup,
  );
  assert.equal(loads.length, 3);
  return loads as [PageLoad, PageLoad, PageLoad];
}

/** The same load with its time spent on other phases; null: its HAR told none. */
function split(load: PageLoad, parts: readonly [number, number, number, number] | null): PageLoad {
  assert.ok(load.details);
  const [setUp, waiting, transfer, rest] = parts ?? [0, 0, 0, 0];
  const phasesMs = parts && { setUp, waiting, transfer, rest };
  return { ...load, details: { ...load.details, phasesMs } };
}

test('parts are means over the loads and add up to the mean page load time', () => {
  const [one, two] = someLoads();
  const loads: PageLoad[] = [split(one, [60, 100, 40, 50]), split(two, [62, 130, 50, 58])];
  const why = stackWhy(STACK, loads, HOST);
  assert.deepEqual(why?.partsMs, { setUp: 61, waiting: 115, transfer: 45, rest: 54 });
  assert.equal(why?.pageLoadMs, 275);
  assert.deepEqual([why?.n, why?.nMissing], [2, 0]);
});

test('a load without phases is in no mean, and counted as missing', () => {
  const [one, two, three] = someLoads();
  const loads: PageLoad[] = [split(one, [60, 100, 40, 50]), split(two, null), split(three, null)];
  const why = stackWhy(STACK, loads, HOST);
  assert.deepEqual([why?.n, why?.nMissing], [1, 2]);
  assert.equal(why?.firstByteMs, one.metrics.firstByteMs);
  assert.equal(stackWhy(STACK, loads.slice(1), HOST), null);
  assert.equal(stackWhy(STACK, [], HOST), null);
});

test('beside the parts stands what explains them: first byte, connections, round trips', () => {
  const [one, two] = someLoads();
  const loads = [one, two].map((load) => split(load, [1, 1, 1, 1]));
  loads.forEach(({ metrics }, index) => {
    metrics.firstByteMs = 100 + 10 * index;
    metrics.connectMs = 60 + index;
  });
  const why = stackWhy(STACK, loads, HOST);
  assert.deepEqual(
    [why?.firstByteMs, why?.connectMs, why?.connections, why?.roundTrips],
    [105, 60.5, 1, 3],
  );
  assert.equal(stackWhy(STACK, loads, 'elsewhere.test')?.roundTrips, null);
});
