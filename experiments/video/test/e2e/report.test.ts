import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { writeReport } from '../../../../report/write.ts';
import { STUDIES } from '../../../../studies/index.ts';
import { inBothThemes, openAll, violationsOf } from '../../../../test/e2e/opened-page.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DELAYED, type Fixture, writeRun } from '../../../../test/unit/report/fixture-run.ts';
import { PLAYERS } from '../../players/index.ts';
import { madeUpVideos } from '../unit/fixture.ts';

async function reportOf(run: Fixture, folder: string) {
  await writeRun(folder, run);
  const summary = await writeReport(folder, { studies: async () => STUDIES });
  return { file: runFolder(folder).report, summary };
}

/** A page complains of nothing, axe finds nothing in it, and it is no wider than a telephone. */
async function assertForEveryone(page: Page, complaints: readonly string[]): Promise<void> {
  assert.deepEqual(await violationsOf(page), []);
  await page.setViewport({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(complaints, []);
}

test('a run of videos: every section, no complaint, nothing for axe, no wider than a telephone', async (t) => {
  const videos = madeUpVideos({
    networks: [DELAYED, { ...DELAYED, name: '30ms-loss2', lossPercent: 2 }],
    players: PLAYERS.map(({ name }) => name),
  }) as unknown as Fixture;
  const { file } = await reportOf(videos, temporaryFolder(t));
  await inBothThemes(t, file, async ({ page, complaints }) => {
    await openAll(page);
    for (const id of ['metrics', 'by-loss', 'spread', 'over-time', 'told']) {
      assert.ok(await page.$(`section[aria-labelledby="${id}"] table`), id);
    }
    await assertForEveryone(page, complaints);
  });
});
