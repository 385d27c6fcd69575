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
import { PARTS } from '../../parts.ts';
import { resultsOfSeries } from '../../result.ts';
import { digestsIn, filesOf, interruptAt, plansOf, SMALLEST, seriesSkip } from '../whole-series.ts';

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

test(
  'completes the interrupted and resumed measurement with a report and a result of each part, and keeps a part measured by hand',
  {
    skip: seriesSkip,
  },
  () =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'series');
      const files = seriesFolder(out);
      await interruptAt(startBenchmark([...SMALLEST, '--out', out]), /^1 of \d+ loads done/m, out);
      const plans = plansOf(out);
      const frozen = digestsIn(files.plans);

      const byHand = PARTS.at(-1);
      assert.ok(byHand);
      await ended(['--plan', files.plan(byHand), '--out', files.run(byHand)], [files.run(byHand)]);
      const measuredByHand = digestsIn(files.run(byHand));

      await ended(['--resume', out], PARTS.map(files.run));
      assert.deepEqual(digestsIn(files.run(byHand)), measuredByHand);
      assert.deepEqual(digestsIn(files.plans), frozen);
      assert.deepEqual(Object.keys(digestsIn(resultsOfSeries(out))), filesOf(PARTS));
      for (const [index, part] of PARTS.entries()) {
        const plan = plans[index];
        assert.ok(plan);
        const folder = files.run(part);
        await assertWhole(folder, plan.trials.filter(({ warmup }) => !warmup).length);
        assert.match(readFileSync(path.join(folder, 'report.html'), 'utf8'), /<\/html>\s*$/);
        const result = path.join(resultsOfSeries(out), `${part.name}.json`);
        for (const { planSha256 } of [
          await readRun(folder),
          JSON.parse(readFileSync(result, 'utf8')),
        ])
          assert.equal(planSha256, plan.planSha256, part.name);
      }

      const whole = digestsIn(out);
      const again = startBenchmark(['--resume', out]);
      assert.equal(await again.ended, 0, again.output());
      await assertNothingLeft(again);
      assert.deepEqual(digestsIn(out), whole);
    }),
);
