import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hierarchicalBootstrap } from '../../../statistics/hierarchical-bootstrap.ts';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { assertClose } from './golden.ts';
import { noiseOf } from './noise.ts';

function sitesOf(seed: number, count: number, pairs = 8): number[][] {
  const noise = noiseOf(seed);
  return Array.from({ length: count }, () => {
    const site = 0.2 + 0.1 * noise.normal();
    return Array.from({ length: pairs }, () => site + 0.05 * noise.normal());
  });
}

test("has the site's own interval for one site, and none below six pairs", () => {
  const [site = []] = sitesOf(1, 1);
  const own = hodgesLehmannInterval(site);
  const pooled = hierarchicalBootstrap([site, []], { seed: 1 });
  assert.equal(pooled?.method, 'one site');
  assertClose(pooled?.low, Math.exp(own?.low ?? 0));
  assertClose(pooled?.high, Math.exp(own?.high ?? 0));
  const few = hierarchicalBootstrap([site.slice(0, 5)], { seed: 1 });
  assert.deepEqual([few?.low, few?.high, few?.pairs], [null, null, 5]);
});

test("has Student's interval with one degree of freedom for two sites, which is very wide", () => {
  // Estimates 0 and 0.2: mean 0.1, standard error 0.1, t 12.7062.
  const pooled = hierarchicalBootstrap([[0], [0.2]], { seed: 1 });
  assert.equal(pooled?.method, 't over sites');
  assert.ok(Math.abs(Math.log(pooled?.low ?? 0) - (0.1 - 1.27062)) < 1e-5);
  assert.ok(Math.abs(Math.log(pooled?.high ?? 0) - (0.1 + 1.27062)) < 1e-5);
});

test('resamples twelve sites, the same for the same seed and nearly so for another', () => {
  const sites = sitesOf(2, 12);
  const once = hierarchicalBootstrap(sites, { seed: 1 });
  const again = hierarchicalBootstrap(sites, { seed: 1 });
  const other = hierarchicalBootstrap(sites, { seed: 2 });
  assert.equal(once?.method, 'bootstrap');
  assert.deepEqual(again, once);
  assert.notEqual(other?.low, once?.low);
  assert.ok(Math.abs((other?.low ?? 0) - (once?.low ?? 0)) < 0.01);
  assert.equal(hierarchicalBootstrap(sites.slice(1), { seed: 1 })?.method, 't over sites');
});

test('contains the ratio in its interval, and inverts it with all pairs', () => {
  for (const count of [2, 5, 12, 20]) {
    const sites = sitesOf(count, count);
    const there = hierarchicalBootstrap(sites, { seed: 3 });
    const back = hierarchicalBootstrap(
      sites.map((site) => site.map((logRatio) => -logRatio)),
      { seed: 3 },
    );
    const { ratio = 0, low, high } = there ?? {};
    assert.ok((low ?? 0) < ratio && ratio < (high ?? 0));
    assert.ok(Math.abs((back?.low ?? 0) * (high ?? 0) - 1) < 1e-9);
  }
});

test('has an interval without width, not a broken one, for sites without any difference', () => {
  const pooled = hierarchicalBootstrap(new Array(15).fill([0.1, 0.1, 0.1]), { seed: 1 });
  assertClose(pooled?.low, pooled?.ratio ?? 0);
  assertClose(pooled?.high, pooled?.ratio ?? 0);
});

test('has nothing without any pair', () => {
  assert.equal(hierarchicalBootstrap([], { seed: 1 }), null);
  assert.equal(hierarchicalBootstrap([[], []], { seed: 1 }), null);
});
