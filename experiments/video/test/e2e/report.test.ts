import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { writeReport } from '../../../../report/write.ts';
import { STUDIES } from '../../../../studies/index.ts';
import { assertForEveryone, inBothThemes, openAll } from '../../../../test/e2e/opened-page.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DELAYED, writeRun } from '../../../../test/unit/made-run.ts';
import { PLAYERS } from '../../players/index.ts';
import { madeUpVideos } from '../unit/fixture.ts';

test("has every section, no complaint, no finding of axe, and at most a telephone's width", async (t) => {
  const videos = madeUpVideos({
    networks: [DELAYED, { ...DELAYED, name: '30ms-loss2', lossPercent: 2 }],
    players: PLAYERS.map(({ name }) => name),
  });
  const folder = temporaryFolder(t);
  await writeRun(folder, videos);
  await writeReport(folder, { studies: async () => STUDIES });
  await inBothThemes(t, runFolder(folder).report, async ({ page, complaints }) => {
    await openAll(page);
    for (const id of ['metrics', 'by-loss', 'spread', 'over-time', 'sources']) {
      assert.ok(await page.$(`section[aria-labelledby="${id}"] table`), id);
    }
    await assertForEveryone(page, complaints);
  });
});
