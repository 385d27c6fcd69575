import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { seriesFolder } from '../../../../report/series.ts';
import { startBenchmark } from '../../../../test/e2e/command.ts';
import { assertNothingLeft } from '../../../../test/e2e/left-behind.ts';
import { readPageLoads } from '../../../../test/e2e/page-loads.ts';
import { assertStatusOf, assertWhole } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { LADDER } from '../../ladder/steps.ts';
import { digestsIn, interruptAt, plansOf, SMALLEST } from '../whole-ladder.ts';

/** Measures to the end, with the status of the loads that were made in some folders. */
async function ended(args: string[], folders: readonly string[]): Promise<void> {
  const before = new Set((await loadsIn(folders)).map(keyOf));
  const command = startBenchmark(args);
  const status = await command.ended;
  await assertNothingLeft(command);
  const made = (await loadsIn(folders)).filter((load) => !before.has(keyOf(load)));
  assertStatusOf(made, status, command.output());
}

/** The page loads in the existing ones of those folders. */
async function loadsIn(folders: readonly string[]): Promise<PageLoad[]> {
  const read = folders.filter((folder) => existsSync(folder)).map(readPageLoads);
  return (await Promise.all(read)).flatMap(({ pageLoads }) => pageLoads);
}

/** For invocations of several runs: their ids, and those of loads, belong to each run. */
function keyOf({ id, invocation, startedAt }: PageLoad): string {
  return [id, invocation, startedAt].join(' ');
}

test('completes the interrupted and resumed ladder with a report of each step, and keeps a step measured by hand', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'series');
    const files = seriesFolder(out);
    await interruptAt(startBenchmark([...SMALLEST, '--out', out]), /^1 of \d+ loads done/m, out);
    const plans = plansOf(out);
    const frozen = digestsIn(files.plans);

    const byHand = LADDER.at(-1);
    assert.ok(byHand);
    await ended(['--plan', files.plan(byHand), '--out', files.run(byHand)], [files.run(byHand)]);
    const measuredByHand = digestsIn(files.run(byHand));

    await ended(['--resume', out], LADDER.map(files.run));
    assert.deepEqual(digestsIn(files.run(byHand)), measuredByHand);
    assert.deepEqual(digestsIn(files.plans), frozen);
    for (const [index, step] of LADDER.entries()) {
      const plan = plans[index];
      assert.ok(plan);
      const folder = files.run(step);
      await assertWhole(folder, plan.trials.filter(({ warmup }) => !warmup).length);
      assert.match(readFileSync(path.join(folder, 'report.html'), 'utf8'), /<\/html>\s*$/);
      assert.equal((await readRun(folder)).planSha256, plan.planSha256, step.name);
    }

    const whole = digestsIn(out);
    const again = startBenchmark(['--resume', out]);
    assert.equal(await again.ended, 0, again.output());
    await assertNothingLeft(again);
    assert.deepEqual(digestsIn(out), whole);
  }));
