import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoppingRule } from '../../../../records/run.ts';
import { assertItsBudget } from '../../../../runner/campaign/prepare.ts';
import { UsageError } from '../../../../runner/errors.ts';

test('a run that stops by a rule keeps the budget that it began with', () => {
  const stopping: StoppingRule = {
    ...{ rule: 'pocock-spending', alpha: 0.05, budgetMs: 240_000, blocksPerLook: 6 },
  };
  assert.throws(
    () => assertItsBudget('results/x', { stopping }, { budgetMs: 600_000 }),
    (error) =>
      error instanceof UsageError &&
      /--resume results\/x --budget: .*\(240 s\).*Leave --budget out/.test(error.message),
  );
  assertItsBudget('results/x', { stopping }, { budgetMs: null });
  assertItsBudget('results/x', {}, { budgetMs: 600_000 });
});
