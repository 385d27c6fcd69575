import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DamagedRunError } from '../../../ground/records/damaged-run.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { writeReport } from '../../../report/write.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { type Fixture, fixtureRun, ONE_SITE, withRunFolder, writeRun } from './fixture-run.ts';
import { summaryOf } from './reported.ts';
import { madeUpHar } from './sections/made-up-har.ts';

async function written(folder: string): Promise<string[]> {
  const { summaryJson, summaryCsv, report } = runFolder(folder);
  return Promise.all([summaryJson, summaryCsv, report].map((file) => readFile(file, 'utf8')));
}

test('writes the three files and leaves nothing unfinished next to them', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    const summary = await writeReport(folder);
    assert.deepEqual((await readdir(folder)).toSorted(), [
      'calibrations.jsonl',
      'invocations.jsonl',
      'page-loads.jsonl',
      'report.html',
      'run.json',
      'summary.csv',
      'summary.json',
    ]);
    const [json = ''] = await written(folder);
    assert.deepEqual(JSON.parse(json), summary);
  });
});

test('has a table of effects for a run of conditions that differ in one thing', async () => {
  await withRunFolder(fixtureRun({ visits: ['cold', 'repeat'] }), async (folder) => {
    const { conditionChanges } = await writeReport(folder);
    const table = await readFile(runFolder(folder).conditionChangesCsv, 'utf8');
    const [head, ...lines] = table.trim().split('\n');
    assert.match(head ?? '', /^differs_in,from_network,.*,verdict,metric$/);
    assert.equal(lines.length, 3 * conditionChanges.length);
  });
});

test('writes the same bytes for the same input, in another folder too', async () => {
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

test('writes a report with a warning for a run that was killed while writing a line', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await appendFile(path.join(folder, 'page-loads.jsonl'), '{"formatVersion":5,"id":"s9');
    const { warnings } = await writeReport(folder);
    assert.match(warnings.join(), /is truncated/);
    const [, , page = ''] = await written(folder);
    assert.match(page, /is truncated/);
    assert.ok(!page.includes(folder), 'the page does not depend on where the folder lies');
  });
});

test('reports missing calibrations.jsonl', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await rm(runFolder(folder).calibrations);
    const { warnings, networks } = await writeReport(folder);
    assert.match(warnings.join(), /calibrations\.jsonl is missing/);
    assert.ok(networks.every(({ calibration }) => calibration.n === 0));
    const [, , page = ''] = await written(folder);
    assert.match(page, /not measured/);
  });
});

test('rejects a folder without a run and writes no files into it', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await rm(runFolder(folder).run);
    await assert.rejects(writeReport(folder), DamagedRunError);
    assert.deepEqual((await readdir(folder)).toSorted(), [
      'calibrations.jsonl',
      'invocations.jsonl',
      'page-loads.jsonl',
    ]);
  });
});

const HAR = JSON.stringify(madeUpHar([{ url: 'https://a.example/', startMs: 0, wait: 9 }], 90));

/** The page of a run that kept the HARs of some loads only. */
async function pageWithHars(fixture: Fixture, kept: readonly (string | null)[]): Promise<string> {
  let page = '';
  await withRunFolder(fixture, async (folder) => {
    await mkdir(path.join(folder, 'har'));
    for (const har of kept) if (har !== null) await writeFile(path.join(folder, har), HAR);
    await writeReport(folder);
    [, , page = ''] = await written(folder);
  });
  return page;
}

function linksIn(page: string): string[] {
  return [...page.matchAll(/href="(har\/[^"]*)"/g)].map(([, href]) => href as string);
}

test('draws waterfalls without dead links if only the HARs of median loads were kept', async () => {
  const fixture = fixtureRun({ ...ONE_SITE, repetitions: 5 });
  fixture.run.choices.hars = 'median';
  const medians = summaryOf(fixture).rows.map(({ loads }) => loads?.median);
  const kept = fixture.observations.flatMap(({ id, files }) =>
    medians.includes(id) ? (files.har ?? []) : [],
  );
  const page = await pageWithHars(fixture, kept);
  assert.deepEqual(new Set(linksIn(page)), new Set(kept));
  assert.match(page, /Waterfall of the median load/);
  assert.match(page, /fastest load: not kept/);
  assert.match(page, /kept only the HARs of the median loads, and of loads that are not ok/);
  assert.doesNotMatch(page, /in place of|nearest to the median/);
});

test('shows the nearest load with a HAR, labelled, if the median load’s was not kept', async () => {
  const fixture = fixtureRun({ ...ONE_SITE, repetitions: 5 });
  fixture.run.choices.hars = 'median';
  const slowest = summaryOf(fixture).rows.map(({ loads }) => loads?.slowest);
  const kept = fixture.observations.flatMap(({ id, files }) =>
    slowest.includes(id) ? (files.har ?? []) : [],
  );
  const page = await pageWithHars(fixture, kept);
  assert.equal(
    page.match(/the nearest to the median load among those whose HARs were kept/g)?.length,
    3,
  );
});

test('reports that no HARs were kept, and links to none', async () => {
  const fixture = fixtureRun(ONE_SITE);
  fixture.run.choices.hars = 'none';
  const page = await pageWithHars(fixture, []);
  assert.deepEqual(linksIn(page), []);
  assert.match(page, /No waterfalls: .*: the HARs of its loads were not kept/);
  assert.match(page, /kept only the HARs of loads that are not ok/);
});

test('writes a second report elsewhere, keeps the run unchanged, and links to files of the run', async () => {
  const fixture = fixtureRun({
    subjects: ['a.example'],
    visits: ['cold', 'repeat'],
    change: (load) => {
      load.files.har = `har/${load.id}.har`;
    },
  });
  await withTemporaryFolder(async (results) => {
    const [folder, latest] = [path.join(results, 'a run'), path.join(results, 'latest')];
    await mkdir(path.join(folder, 'har'), { recursive: true });
    await writeRun(folder, fixture);
    for (const { files } of fixture.observations) {
      await writeFile(path.join(folder, files.har ?? ''), JSON.stringify(madeUpHar([])));
    }
    await writeReport(folder);
    const before = await contentsOf(folder);
    // Links do not lead through a link that is moved to the next run.
    await symlink(folder, latest);
    const out = path.join(results, 'below', 'other');
    await mkdir(out, { recursive: true });
    const { analysis } = await writeReport(latest, { choice: { metric: 'document' }, out });
    assert.deepEqual(await contentsOf(folder), before);
    assert.equal(analysis.metric, 'documentMs');
    const files = ['condition-changes.csv', 'report.html', 'summary.csv', 'summary.json'];
    assert.deepEqual((await readdir(out)).toSorted(), files);
    const page = await readFile(path.join(out, 'report.html'), 'utf8');
    const hrefs = [...page.matchAll(/<a href="([^#"][^"]*)"/g)].map(([, href = '']) => href);
    assert.ok(hrefs.length > fixture.observations.length / 2);
    for (const href of hrefs) {
      const file = new URL(href, pathToFileURL(path.join(out, 'report.html')));
      assert.ok(fileURLToPath(file).startsWith(`${folder}${path.sep}`), href);
      assert.ok(existsSync(file), href);
    }
  });
});

async function contentsOf(folder: string): Promise<[string, string][]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap(
    (entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []),
  );
  return Promise.all(
    files
      .toSorted()
      .map(async (file): Promise<[string, string]> => [file, await readFile(file, 'utf8')]),
  );
}
