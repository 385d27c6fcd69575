import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { writeReport } from '../../../../report/write.ts';
import { assertForEveryone, inBothThemes, openAll } from '../../../../test/e2e/opened-page.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { fixtureRun, writeRun } from '../../../../test/unit/report/fixture-run.ts';
import { published2018 } from '../../study.ts';
import { MADE_UP, runOfStep, STEPS, withLadder } from '../made-up-ladder.ts';

/** Writes the report of a run with the sections of the study; returns its file. */
async function reportOf(folder: string): Promise<string> {
  await writeReport(folder, { studies: async () => [published2018] });
  return runFolder(folder).report;
}

test('shows the published numbers without complaints and findings of axe, at most a telephone wide', async (t) => {
  const folder = temporaryFolder(t);
  const subjects = ['www.iana.org', 'www.reddit.com', 'www.live.com'];
  await writeRun(folder, fixtureRun({ preset: 'published', subjects }));
  await inBothThemes(t, await reportOf(folder), async ({ page, complaints }) => {
    await openAll(page);
    assert.equal(await page.$$eval('table.published tbody tr', (rows) => rows.length), 30);
    await assertForEveryone(page, complaints);
  });
});

test('shows a ladder without complaints, fetches and findings of axe, at most a telephone wide', (t) => {
  const runs = STEPS.map((step) => runOfStep(step));
  return withLadder([...runs.slice(0, 2), null, ...runs.slice(3)], async (folder) => {
    const file = await reportOf(path.join(folder, MADE_UP.at(-1)?.folder ?? ''));
    await inBothThemes(t, file, async ({ page, complaints, requests }) => {
      await openAll(page);
      assert.equal(await page.$$eval('table.steps tbody tr', (rows) => rows.length), 4);
      await assertForEveryone(page, complaints);
      assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
    });
  });
});
