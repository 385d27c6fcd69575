import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trial } from '../../../../ground/records/run.ts';
import { shardOfText, shardText } from '../../../../ground/records/shard.ts';
import { readShard, trialsOfShard } from '../../../../runner/campaign/part.ts';
import { makeSchedule } from '../../../../runner/schedule.ts';
import { DELAYED, NONE } from '../../report/fixture-run.ts';

const INPUT = {
  subjects: ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'],
  arms: ['lsquic-h3', 'bun-h2', 'flask-h1'],
  networks: [NONE, DELAYED],
  factors: { visit: ['cold', 'repeat'] },
  repetitions: 5,
  seed: 3,
} as const;

const SPLITS = ['sites', 'blocks'] as const;
const ORDERS = ['shuffled', 'sequential'] as const;

test('reads a shard, and rejects anything else with an example', () => {
  assert.deepEqual(readShard('2/4', 'sites'), { index: 2, count: 4, by: 'sites' });
  assert.deepEqual(readShard('1/1', 'blocks'), { index: 1, count: 1, by: 'blocks' });
  for (const text of ['0/4', '5/4', '2', '2/', '/4', '-1/4', '1.5/4', '2/4/6', ' 2/4', '']) {
    assert.throws(
      () => readShard(text, 'sites'),
      { name: 'UsageError', message: /for example 2\/4/ },
      text,
    );
  }
});

for (const by of SPLITS) {
  for (const order of ORDERS) {
    test(`splits a ${order} plan by ${by} into parts that cover it without a common load`, () => {
      const trials = makeSchedule({ ...INPUT, order });
      for (const count of [1, 2, 3, 5]) {
        const parts = partsOf(trials, count, by);
        const ids = parts.flat().map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        assert.deepEqual(new Set(ids), new Set(trials.map(({ id }) => id)));
        for (const part of parts) {
          // In plan order.
          const own = new Set(part);
          assert.deepEqual(
            trials.filter((trial) => own.has(trial)),
            part,
          );
        }
      }
    });
  }

  test(`splits by ${by} into parts of similar size`, () => {
    const trials = makeSchedule({ ...INPUT, order: 'shuffled' });
    const sizes = partsOf(trials, 5, by).map((part) => part.filter(({ warmup }) => !warmup).length);
    assert.deepEqual(
      sizes,
      sizes.map(() => sizes[0]),
    );
  });

  test(`keeps compared loads in the same part by ${by}`, () => {
    const partOf = new Map<string, number>();
    const parts = partsOf(makeSchedule({ ...INPUT, order: 'shuffled' }), 3, by);
    for (const [part, trials] of parts.entries()) {
      for (const { subject, network, factors, block, warmup } of trials) {
        if (warmup) continue;
        const compared = JSON.stringify([subject, network.name, factors.visit, block]);
        assert.equal(partOf.get(compared) ?? part, part);
        partOf.set(compared, part);
      }
    }
  });
}

test('keeps all of a site in one part by sites, and every site in every part by blocks', () => {
  const trials = makeSchedule({ ...INPUT, order: 'shuffled' });
  const sitesOf = (part: readonly Trial[]) => new Set(part.map(({ subject }) => subject));
  const bySites = partsOf(trials, 2, 'sites').map((part) => sitesOf(part).size);
  assert.deepEqual(bySites, [3, 2]);
  for (const part of partsOf(trials, 2, 'blocks')) assert.equal(sitesOf(part).size, 5);
});

test('leaves some parts empty if there are more than sites', () => {
  const trials = makeSchedule({ ...INPUT, order: 'shuffled' });
  assert.deepEqual(trialsOfShard(trials, { index: 6, count: 6, by: 'sites' }), []);
});

test('reads a shard back from its text, and not that of a queue', () => {
  for (const by of SPLITS) {
    const shard = { index: 3, count: 12, by };
    assert.deepEqual(shardOfText(shardText(shard)), shard);
  }
  assert.equal(shardOfText('queue'), null);
  assert.equal(shardOfText(null), null);
});

function partsOf(trials: readonly Trial[], count: number, by: (typeof SPLITS)[number]) {
  return Array.from({ length: count }, (_, at) =>
    trialsOfShard(trials, { index: at + 1, count, by }),
  );
}
