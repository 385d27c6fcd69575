import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trial } from '../../../../ground/records/run.ts';
import { flowsInOrder, mixOf } from '../../flows.ts';

const MIX = {
  subject: '1-lsquic-h3+2-bun-h2',
  flows: [
    { stack: 'lsquic-h3', flows: 1 },
    { stack: 'bun-h2', flows: 2 },
  ],
};

function namesIn(arms: readonly string[], block: number): string[] {
  const trials = arms.map((arm) => ({ arm, block }) as Trial);
  return flowsInOrder(trials, MIX, (arm) => arm.replace(/-control$/, '')).map(({ flow }) => flow);
}

test("begins flows in their block's order, and those of an arm alternately forwards and backwards", () => {
  assert.deepEqual(namesIn(['lsquic-h3', 'bun-h2'], 1), ['lsquic-h3.1', 'bun-h2.1', 'bun-h2.2']);
  assert.deepEqual(namesIn(['bun-h2', 'lsquic-h3'], 2), ['bun-h2.2', 'bun-h2.1', 'lsquic-h3.1']);
});

test('gives a control as many flows as the stack that it repeats', () => {
  assert.deepEqual(namesIn(['bun-h2-control'], 1), ['bun-h2-control.1', 'bun-h2-control.2']);
});

test('rejects a subject without a mix as an error of the plan', () => {
  const choices = { mixes: [MIX], durationMs: 1, startGapMs: 0 };
  assert.equal(mixOf(choices, MIX.subject), MIX);
  assert.throws(() => mixOf(choices, 'other'), /no mix other/);
});
