import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../records/read.ts';
import { seriesFolder } from '../../studies/is-quic-faster/folder.ts';
import { PARTS } from '../../studies/is-quic-faster/parts.ts';
import { startBenchmark } from '../e2e/command.ts';
import { assertNothingLeft } from '../e2e/left-behind.ts';
import { assertWhole } from '../e2e/whole-run.ts';
import {
  digestsIn,
  filesOf,
  interruptAt,
  plansOf,
  SMALLEST,
  seriesSkip,
} from '../e2e/whole-series.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

async function ended(args: string[], statuses: number[]): Promise<void> {
  const command = startBenchmark(args);
  assert.ok(statuses.includes((await command.ended) ?? 1), command.output());
  await assertNothingLeft(command);
}

/** The end of what was measured; a busy machine may spoil a few of the loads, see assertMostlyOk(). */
const MEASURED = [0, 6];

test(
  'the whole measurement, interrupted and resumed, ends with a report and a result of each part; a part measured by hand meanwhile is left as it is, and resuming once more changes nothing',
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
      await ended(['--plan', files.plan(byHand), '--out', files.part(byHand)], MEASURED);
      const measuredByHand = digestsIn(files.part(byHand));

      await ended(['--resume', out], MEASURED);
      assert.deepEqual(digestsIn(files.part(byHand)), measuredByHand);
      assert.deepEqual(digestsIn(files.plans), frozen);
      assert.deepEqual(Object.keys(digestsIn(files.results)), filesOf(PARTS));
      for (const [index, part] of PARTS.entries()) {
        const plan = plans[index];
        assert.ok(plan);
        const folder = files.part(part);
        await assertWhole(folder, plan.trials.filter(({ warmup }) => !warmup).length);
        assert.match(readFileSync(path.join(folder, 'report.html'), 'utf8'), /<\/html>\s*$/);
        const result = path.join(files.results, `${part.name}.json`);
        for (const { planSha256 } of [
          await readRun(folder),
          JSON.parse(readFileSync(result, 'utf8')),
        ])
          assert.equal(planSha256, plan.planSha256, part.name);
      }

      const whole = digestsIn(out);
      await ended(['--resume', out], [0]);
      assert.deepEqual(digestsIn(out), whole);
    }),
);
