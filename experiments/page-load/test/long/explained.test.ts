import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSetUp } from '../../../../runner/machine.ts';
import { STACKS } from '../../../../servers/index.ts';
import { MADE_CASES } from '../../bench/explained/made-cases.ts';
import { explainMade } from '../../bench/explained/measure.ts';

test('divides at least 19 of 20 made differences rightly', async (t) => {
  const wrong: string[] = [];
  for (const made of MADE_CASES) {
    const stack = STACKS.find((each) => each.stack === made.stack);
    assert.ok(stack && isSetUp(stack), `${made.stack} is not set up`);
    const { found, isRight } = await explainMade(made);
    const line = `${made.stack} ${JSON.stringify(made.costsMs)}: ${JSON.stringify(found?.parts.map(({ name, part }) => [name, part]))}, residual ${JSON.stringify(found?.residual)}`;
    t.diagnostic(line);
    if (!isRight) wrong.push(line);
  }
  assert.equal(MADE_CASES.length, 20);
  assert.ok(wrong.length <= 1, wrong.join('\n'));
});
