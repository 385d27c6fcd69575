import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf } from '../../../../runner/campaign/block.ts';
import { makeSchedule } from '../../../../runner/schedule.ts';
import { DELAYED, NONE } from '../../report/fixture-run.ts';

const INPUT = {
  subjects: ['a.example', 'b.example'],
  arms: ['lsquic-h3', 'bun-h2'],
  networks: [NONE, DELAYED],
  factors: { visit: ['cold'] },
  repetitions: 3,
  seed: 5,
} as const;

for (const order of ['shuffled', 'sequential'] as const) {
  test(`keeps the loads of a ${order} plan in the order of the plan, block by block`, () => {
    const trials = makeSchedule({ ...INPUT, order });
    const blocks = blocksOf(trials, order);
    assert.deepEqual(
      blocks.flatMap((block) => block.trials),
      trials,
    );
    assert.equal(new Set(blocks.map(({ key }) => key)).size, blocks.length);
  });
}

test('never puts compared loads into two blocks', () => {
  for (const order of ['shuffled', 'sequential'] as const) {
    const keyOf = new Map<string, string>();
    for (const { key, trials } of blocksOf(makeSchedule({ ...INPUT, order }), order)) {
      for (const { subject, network, block } of trials) {
        const compared = JSON.stringify([subject, network.name, block]);
        assert.equal(keyOf.get(compared) ?? key, key);
        keyOf.set(compared, key);
      }
    }
  }
});

test('each filmed block is a block of its own, next to the warm-ups', () => {
  const trials = makeSchedule({ ...INPUT, order: 'shuffled', filmedLoads: 2 });
  const filmed = blocksOf(trials, 'shuffled').filter((block) => block.trials[0]?.filmed);
  assert.equal(filmed.length, 2 * 2 * 2);
  for (const block of filmed) {
    assert.deepEqual(block.trials.map(({ arm }) => arm).sort(), [...INPUT.arms].sort());
    assert.ok(block.trials.every((trial) => trial.filmed));
  }
});
