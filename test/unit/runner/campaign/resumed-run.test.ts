import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoppingRule } from '../../../../ground/records/run.ts';
import { assertItsRule } from '../../../../runner/campaign/resumed-run.ts';

test('keeps the initial budget of a run that stops by a rule', () => {
  const stopping: StoppingRule = {
    rule: 'pocock-spending',
    alpha: 0.05,
    budgetMs: 240_000,
    blocksPerLook: 6,
  };
  assert.throws(
    () => assertItsRule('results/x', { stopping }, { budgetMs: 600_000, shard: null }),
    { name: 'UsageError', message: /--resume results\/x --budget: .*\(240 s\).*Omit --budget/ },
  );
  const shard = { index: 1, count: 2, by: 'sites' as const };
  assert.throws(
    () => assertItsRule('results/x', { stopping }, { budgetMs: null, shard }),
    /--resume results\/x --shard: .*Omit --shard/,
  );
  assertItsRule('results/x', { stopping }, { budgetMs: null, shard: null });
  assertItsRule('results/x', {}, { budgetMs: 600_000, shard: null });
});
