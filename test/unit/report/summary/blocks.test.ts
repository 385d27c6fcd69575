import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIVE_NETWORK } from '../../../../ground/records/network.ts';
import { blocksOf, countedLoadIds } from '../../../../report/summary/blocks.ts';
import { DELAYED, fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';

test('never joins blocks of different sites, networks and visits', () => {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    visits: ['cold', 'repeat'],
    repetitions: 2,
  });
  const cells = [...blocksOf(run, observations).values()];
  assert.equal(cells.length, 8);
  for (const blocks of cells) {
    assert.deepEqual(
      blocks.map(({ block }) => block),
      [1, 2],
    );
    for (const { loads, subject, network, variant, block } of blocks) {
      assert.equal(loads?.size, 3);
      for (const [arm, load] of loads) {
        assert.deepEqual(
          [load.arm, load.subject, load.network.name, load.factors.visit, load.block, load.warmup],
          [arm, subject, network, variant, block, false],
        );
      }
    }
  }
});

test('never joins loads of two attempts: counts the first complete one, with any results, else the one that got furthest', () => {
  const { run, observations } = fixtureRun({ ...ONE_SITE, repetitions: 1, warmups: false });
  const [first, ...rest] = observations;
  assert.ok(first);
  const again = observations.map((load) => ({ ...load, id: `${load.id}~2`, attempt: 2 }));
  const retried = again.find(({ arm }) => arm === first.arm);
  assert.ok(retried);
  const ids = (loads: { id: string }[]) => new Set(loads.map(({ id }) => id));
  assert.deepEqual(countedLoadIds(run, [...rest, retried]), ids(rest));
  assert.deepEqual(countedLoadIds(run, [...rest, ...again]), ids(again));
  assert.deepEqual(countedLoadIds(run, [...again, ...observations]), ids(observations));
  spoil(first, 'failed', 'timeout', 'late');
  assert.deepEqual(countedLoadIds(run, [first, ...rest, ...again]), ids(rest));
  const [block] = [...blocksOf(run, [first, ...rest, ...again]).values()].flat();
  assert.deepEqual([...(block?.failed.keys() ?? [])], [first.arm]);
  assert.equal(block?.whole, false);
});

test('has no warm-ups in blocks', () => {
  const { run, observations } = fixtureRun(ONE_SITE);
  const ids = countedLoadIds(run, observations);
  assert.equal(ids.size, 9);
  for (const { id, warmup } of observations) assert.equal(ids.has(id), !warmup);
});

test('calls a block disturbed only by a counted load, including a failed one', () => {
  const { run, observations } = fixtureRun({
    ...ONE_SITE,
    repetitions: 3,
    change: (load) => {
      if (load.arm !== 'bun-h2') return;
      load.disturbed = 'Other programs took 80 % of a core.';
      if (load.block === 2) spoil(load, 'failed', 'timeout', 'late');
      if (load.block === 3) spoil(load, 'invalid', 'wrong-protocol', 'h1');
    },
  });
  assert.deepEqual(
    [...blocksOf(run, observations).values()].flat().map(({ disturbed }) => disturbed),
    [true, true, false],
  );
});

test('treats a protocol that a live host never had as a gap, and one that fails later as a failure', () => {
  const failedOn = (backend: 'live' | 'userspace', isOffered: boolean) => {
    const { run, observations } = fixtureRun({
      subjects: ['a.example'],
      networks: [backend === 'live' ? LIVE_NETWORK : NONE],
      repetitions: 2,
      warmups: false,
      change(load) {
        load.network = { ...load.network, backend };
        if (load.arm !== 'lsquic-h3' || (isOffered && load.repetition === 1)) return;
        spoil(load, 'failed', 'handshake-failed', 'It did not connect.');
      },
    });
    return [...blocksOf(run, observations).values()].flat().map(({ failed }) => [...failed.keys()]);
  };
  assert.deepEqual(failedOn('live', false), [[], []]);
  assert.deepEqual(failedOn('live', true), [[], ['lsquic-h3']]);
  assert.deepEqual(failedOn('userspace', false), [['lsquic-h3'], ['lsquic-h3']]);
});
