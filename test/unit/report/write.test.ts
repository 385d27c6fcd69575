import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { DamagedRunError } from '../../../records/read.ts';
import { runFolder } from '../../../records/run-folder.ts';
import { writeReport } from '../../../report/write.ts';
import { fixtureRun, withRunFolder } from './fixture-run.ts';

async function written(folder: string): Promise<string[]> {
  const { summaryJson, summaryCsv, report } = runFolder(folder);
  return Promise.all([summaryJson, summaryCsv, report].map((file) => readFile(file, 'utf8')));
}

test('the three files are written and nothing unfinished is left beside them', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    const summary = await writeReport(folder);
    assert.deepEqual((await readdir(folder)).toSorted(), [
      'calibrations.jsonl',
      'page-loads.jsonl',
      'report.html',
      'run.json',
      'sittings.jsonl',
      'summary.csv',
      'summary.json',
    ]);
    const [json = ''] = await written(folder);
    assert.deepEqual(JSON.parse(json), summary);
  });
});

test('the same input gives the same bytes, in another folder too', async () => {
  await withRunFolder(fixtureRun(), async (first) => {
    await writeReport(first);
    const before = await written(first);
    await writeReport(first);
    assert.deepEqual(await written(first), before);
    await withRunFolder(fixtureRun(), async (second) => {
      await writeReport(second);
      assert.deepEqual(await written(second), before);
    });
  });
});

test('a run that was killed while writing a line gives a report with a warning', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await appendFile(runFolder(folder).pageLoads, '{"formatVersion":1,"id":"s9');
    const { warnings } = await writeReport(folder);
    assert.match(warnings.join(), /was cut in the middle/);
    const [, , page = ''] = await written(folder);
    assert.match(page, /was cut in the middle/);
    assert.ok(!page.includes(folder), 'the page does not depend on where the folder lies');
  });
});

test('without calibrations.jsonl there is a report that says so', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await rm(runFolder(folder).calibrations);
    const { warnings, networks } = await writeReport(folder);
    assert.match(warnings.join(), /calibrations\.jsonl is missing/);
    assert.ok(networks.every(({ calibration }) => calibration.n === 0));
    const [, , page = ''] = await written(folder);
    assert.match(page, /not measured/);
  });
});

test('a folder without a run is an error and gets no files', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await rm(runFolder(folder).run);
    await assert.rejects(writeReport(folder), DamagedRunError);
    assert.deepEqual((await readdir(folder)).toSorted(), [
      'calibrations.jsonl',
      'page-loads.jsonl',
      'sittings.jsonl',
    ]);
  });
});
