import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { readInvocations, readRun } from '../../../../ground/records/read.ts';
import { seriesFolder } from '../../../../report/series.ts';
import { startBenchmark } from '../../../../test/e2e/command.ts';
import { readPageLoads } from '../../../../test/e2e/page-loads.ts';
import { assertWhole } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { LADDER } from '../../ladder/steps.ts';
import { digestsIn, interruptAt, plansOf, SMALLEST } from '../whole-ladder.ts';

/** Records of a step. */
async function loadsOf(folder: string): Promise<{ text: string; ids: string[] }> {
  const text = readFileSync(path.join(folder, pageLoad.recordFile), 'utf8');
  return { text, ids: (await readPageLoads(folder)).pageLoads.map(({ id }) => id) };
}

test('resumes the ladder after interruptions in its first and second step, by plans frozen before the first load', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'series');
    const files = seriesFolder(out);
    const [first, second] = LADDER.map((step) => files.run(step)) as [string, string];
    const begun = startBenchmark([...SMALLEST, '--out', out]);
    await begun.printed(/^Step 1 of /m);
    const plans = plansOf(out);
    const frozen = digestsIn(files.plans);
    assert.equal(Object.keys(frozen).length, LADDER.length);
    await interruptAt(begun, /^3 of \d+ loads done/m, out);
    const inFirst = await loadsOf(first);
    assert.deepEqual(readdirSync(out).sort(), [path.basename(first), 'plans']);
    const [invocation] = await readInvocations(first);
    assert.ok(invocation);
    for (const { preset, startedAt } of plans)
      assert.ok(startedAt < invocation.startedAt, `${preset}`);

    // The first step is measured to its end, and the second begun.
    const inSecondStep = /^Step 2 of .*^\d+ of \d+ loads done/ms;
    await interruptAt(startBenchmark(['--resume', out]), inSecondStep, out);
    const measured = plans[0]?.trials.filter(({ warmup }) => !warmup);
    await assertWhole(first, measured?.length ?? 0);
    assert.ok((await loadsOf(first)).text.startsWith(inFirst.text));
    const ended = digestsIn(first);
    const inSecond = await loadsOf(second);

    // The first step stays unchanged, and the second continues.
    await interruptAt(startBenchmark(['--resume', out]), inSecondStep, out);
    assert.deepEqual(digestsIn(first), ended);
    const { text, ids } = await loadsOf(second);
    assert.ok(text.startsWith(inSecond.text) && ids.length > inSecond.ids.length);
    assert.equal(new Set(ids).size, ids.length);

    assert.deepEqual(digestsIn(files.plans), frozen);
    for (const [index, folder] of [first, second].entries()) {
      assert.equal((await readRun(folder)).planSha256, plans[index]?.planSha256);
    }
  }));
