import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { NAMED_CONDITIONS } from '../../../../network/conditions.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { PARTS, SITTINGS } from '../../parts.ts';
import { planOf } from '../../plans.ts';
import { isQuicFaster } from '../../study.ts';

function optionsOfPart(name: string) {
  return optionsOf({ given: { preset: `is-quic-faster/${name}` } }, pageLoad, isQuicFaster.presets);
}

test('the frozen plan of every part has its options, and the same number of blocks in each sitting', () => {
  assert.equal(new Set(PARTS.map(({ options: { seed } }) => seed)).size, PARTS.length);
  for (const part of PARTS) {
    const options = optionsOfPart(part.name);
    const plan = planOf(part);
    assert.equal(options.seed, plan.seed, part.name);
    assert.equal(options.repetitions, plan.repetitions, part.name);
    assert.equal(plan.repetitions % SITTINGS, 0, part.name);
    assert.deepEqual(options.networks, plan.networks, part.name);
    assert.deepEqual(
      options.stacks.map(({ stack }) => stack),
      plan.arms.map(({ arm }) => arm),
      part.name,
    );
    assert.deepEqual(
      options.subjects,
      plan.subjects.map(({ subject }) => subject),
      part.name,
    );
  }
});

test('the wireless network with bursts is the lossy one without its jitter', () => {
  const [lossy, bursts] = ['lossy-wireless', 'wireless-bursts'].map((name) =>
    NAMED_CONDITIONS.find((each) => each.name === name),
  );
  assert.ok(lossy && bursts);
  const { name, source } = bursts;
  assert.deepEqual(bursts, { ...lossy, name, source, jitterMs: 0 });
});
