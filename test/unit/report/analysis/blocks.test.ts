import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, countedLoadIds } from '../../../../report/analysis/blocks.ts';
import { DELAYED, fixtureRun, NONE, spoil } from '../fixture-run.ts';

test('blocks of different sites, networks and visits are never put together', () => {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    visits: ['cold', 'repeat'],
    repetitions: 2,
  });
  const cells = [...blocksOf(run, pageLoads).values()];
  assert.equal(cells.length, 8);
  for (const blocks of cells) {
    assert.deepEqual(
      blocks.map(({ block }) => block),
      [1, 2],
    );
    for (const { loads, site, network, visit, block } of blocks) {
      assert.equal(loads?.size, 3);
      for (const [stack, load] of loads) {
        assert.deepEqual(
          [load.stack, load.site, load.network.name, load.visit, load.block, load.warmup],
          [stack, site, network, visit, block, false],
        );
      }
    }
  }
});

test('loads of two attempts are never put together: the first that came to its end counts, whatever it gave, else the one that came furthest', () => {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example'],
    networks: [NONE],
    repetitions: 1,
    warmups: false,
  });
  const [first, ...others] = pageLoads;
  assert.ok(first);
  const again = pageLoads.map((load) => ({ ...load, id: `${load.id}~2`, attempt: 2 }));
  const retried = again.find(({ stack }) => stack === first.stack);
  assert.ok(retried);
  const ids = (loads: { id: string }[]) => new Set(loads.map(({ id }) => id));
  assert.deepEqual(countedLoadIds(run, [...others, retried]), ids(others));
  assert.deepEqual(countedLoadIds(run, [...others, ...again]), ids(again));
  assert.deepEqual(countedLoadIds(run, [...again, ...pageLoads]), ids(pageLoads));
  spoil(first, 'failed', 'timeout', 'late');
  assert.deepEqual(countedLoadIds(run, [first, ...others, ...again]), ids(others));
  const [block] = [...blocksOf(run, [first, ...others, ...again]).values()].flat();
  assert.deepEqual([...(block?.failed.keys() ?? [])], [first.stack]);
  assert.equal(block?.whole, false);
});

test('warm-ups are in no block', () => {
  const { run, pageLoads } = fixtureRun({ sites: ['a.example'], networks: [NONE] });
  const ids = countedLoadIds(run, pageLoads);
  assert.equal(ids.size, 9);
  for (const { id, warmup } of pageLoads) assert.equal(ids.has(id), !warmup);
});

test('a block is disturbed when a load that counts is, also one that failed, and by no other', () => {
  const { run, pageLoads } = fixtureRun({
    ...{ sites: ['a.example'], networks: [NONE], repetitions: 3 },
    change: (load) => {
      if (load.stack !== 'bun-h2') return;
      load.disturbed = 'Other programs took 80 % of a core.';
      if (load.block === 2) spoil(load, 'failed', 'timeout', 'late');
      if (load.block === 3) spoil(load, 'invalid', 'wrong-protocol', 'h1');
    },
  });
  assert.deepEqual(
    [...blocksOf(run, pageLoads).values()].flat().map(({ disturbed }) => disturbed),
    [true, true, false],
  );
});
