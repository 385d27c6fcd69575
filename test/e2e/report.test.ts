import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import type { Har } from '../../clients/har/har.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { readComparison, writeComparison } from '../../report/compare.ts';
import { readHistory, writeHistory } from '../../report/history.ts';
import { answerText } from '../../report/text/answers.ts';
import { writeReport } from '../../report/write.ts';
import { STUDIES } from '../../studies/index.ts';
import { temporaryFolder, withTemporaryFolder } from '../temporary-folder.ts';
import {
  DELAYED,
  type Fixture,
  fixtureRun,
  NONE,
  spoil,
  writeRun,
} from '../unit/report/fixture-run.ts';
import { runOfDay, writeRuns } from '../unit/report/made-history.ts';
import { twoRuns, withTwoFolders } from '../unit/report/two-runs.ts';
import { startMeasuring } from './command.ts';
import { importIntoDevTools } from './devtools/devtools.ts';
import {
  assertForEveryone,
  chromium,
  inBothThemes,
  openAll,
  violationsOf,
  withFile,
} from './opened-page.ts';
import { readPageLoads } from './page-loads.ts';
import { assertOkButForMachine } from './whole-run.ts';

/** Three sites on which the stacks differ clearly, slowest first, with a load of every kind. */
function clearRun(): Fixture {
  let made = 0;
  return fixtureRun({
    subjects: ['c.example', 'a.example', 'b.example'],
    repetitions: 12,
    change: (load) => {
      made += 1;
      const { pageLoadMs } = load.metrics;
      if (load.warmup || !pageLoadMs) return;
      if (load.arm === 'lsquic-h3') load.metrics.pageLoadMs = pageLoadMs * 0.6;
      if (made % 41 === 0) load.disturbed = 'Other programs took 61 % of a core.';
      if (made % 67 === 0) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
    },
  });
}

async function reportOf(run: Fixture, folder: string) {
  await writeRun(folder, run);
  const summary = await writeReport(folder, { studies: async () => STUDIES });
  return { file: runFolder(folder).report, summary };
}

/** The report of the clear run, made once. */
const clear = await reportOf(clearRun(), temporaryFolder({ after }));

const firstColumn = (page: Page) =>
  page.$$eval('table.sortable:first-of-type tbody', ([body]) =>
    [...(body?.querySelectorAll('tr') ?? [])].map(
      (row) => row.querySelector('th')?.getAttribute('data-key') ?? '',
    ),
  );

test('opens from its file without a complaint and requests nothing but itself', async () => {
  await withFile(clear.file, 'light', async ({ page, complaints, requests }) => {
    assert.match(await page.title(), /^Page load times of c\.example, a\.example and b\.example/);
    assert.deepEqual(complaints, []);
    const external = requests.filter((url) => !url.startsWith('data:'));
    assert.equal(external.length, 1, external.join(' '));
    assert.match(external[0] ?? '', /^file:.*report\.html$/);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wider, false);
    // The style sheet was allowed by its hash.
    assert.notEqual(
      await page.$eval('.answer', (answer) => getComputedStyle(answer).borderTopStyle),
      'none',
    );
  });
});

test('has the verdicts of the summary', async () => {
  await withFile(clear.file, 'light', async ({ page }) => {
    const { summary } = clear;
    const shown = await page.$$eval('table.sortable tbody .verdict', (verdicts) =>
      verdicts.map((verdict) => (verdict.textContent ?? '').replace(/[^a-z ]/g, '').trim()),
    );
    const { overview, subjects } = summary;
    const expected = overview.flatMap(({ network, variant }) =>
      subjects.flatMap(({ subject }) =>
        summary.comparisons
          .filter(
            (each) =>
              each.subject === subject && each.network === network.name && each.variant === variant,
          )
          .map(({ verdict }) => verdict),
      ),
    );
    assert.deepEqual(shown, expected);
    assert.ok(expected.includes('faster') && expected.includes('slower'), expected.join(', '));
    const answer = await page.$eval('.answer', (section) =>
      (section.textContent ?? '').replace(/\s+/g, ' '),
    );
    for (const each of summary.primary) {
      const text = answerText(each, summary);
      assert.ok(answer.includes(text), text);
    }
  });
});

test('sorts the table of sites by keyboard, announces it, and leaves the remaining tables alone', async () => {
  await withFile(clear.file, 'light', async ({ page }) => {
    assert.deepEqual(await firstColumn(page), ['c.example', 'a.example', 'b.example']);
    const headings = await page.$$('table.sortable th[data-column] button');
    const [site] = headings;
    assert.ok(site);
    // To the section, and to its first heading, by the keyboard alone.
    const section = await page.$('#sites');
    assert.ok(section);
    const tabUntil = async (isThere: () => Promise<boolean>) => {
      for (let presses = 0; presses < 60 && !(await isThere()); presses += 1)
        await page.keyboard.press('Tab');
    };
    await tabUntil(() => section.evaluate((h2) => document.activeElement === h2.parentElement));
    await page.keyboard.press('Enter');
    await tabUntil(() => site.evaluate((button) => document.activeElement === button));
    assert.ok(
      await site.evaluate((button) => document.activeElement === button),
      'the heading takes the focus',
    );
    await page.keyboard.press('Enter');
    const sorted = () =>
      page.$$eval('th[aria-sort]', (all) =>
        all.map((heading) => heading.getAttribute('aria-sort')),
      );
    assert.deepEqual(await firstColumn(page), ['a.example', 'b.example', 'c.example']);
    assert.deepEqual(await sorted(), ['ascending']);
    await page.keyboard.press('Space');
    assert.deepEqual(await firstColumn(page), ['c.example', 'b.example', 'a.example']);
    assert.deepEqual(await sorted(), ['descending']);
    assert.equal(
      await page.$eval('[role=status]', ({ textContent }) => textContent),
      'Sorted by Site, descending',
    );

    // By a number: the order of the medians, not of their digits.
    const median = await page.$('table.sortable th[data-name^="median"] button');
    await median?.focus();
    await page.keyboard.press('Enter');
    const keys = await page.$$eval('table.sortable:first-of-type tbody', ([body]) =>
      [...(body?.querySelectorAll('tr') ?? [])].map((row) =>
        Number((row.cells[2] as HTMLElement).dataset.key),
      ),
    );
    assert.deepEqual(
      keys,
      keys.toSorted((a, b) => a - b),
    );
    assert.deepEqual(await sorted(), ['ascending']);
  });
});

test('opens the details of a site by its name', async () => {
  await withFile(clear.file, 'light', async ({ page }) => {
    const details = await page.$('#site-2');
    assert.equal(await details?.evaluate((element) => (element as HTMLDetailsElement).open), false);
    await page.click('nav a[href="#sites"]');
    await page.waitForSelector('details[open] #sites');
    await page.focus('table.sortable a[href="#site-2"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('details[open] #site-2[open]');
    await page.waitForSelector('#site-2 h3', { visible: true });
    const hrefs = await page.$$eval('#site-2 .loads a', (links) =>
      links.map((link) => link.getAttribute('href') ?? ''),
    );
    assert.ok(hrefs.length > 60);
    for (const href of hrefs) assert.match(href, /^har\/[^/]+\.har$/);
  });
});

test('has no findings of axe, with everything opened', (t) =>
  inBothThemes(t, clear.file, async ({ page }) => {
    await openAll(page);
    assert.deepEqual(await violationsOf(page), []);
  }));

/** Two real sites over all stacks, as the command line measures and reports them. */
async function withRealRun(use: (folder: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (temporary) => {
    const folder = path.join(temporary, 'run');
    const sites = ['www.iana.org', 'jquery-ui-demo'];
    const words = `benchmark --sites ${sites} --repetitions 2 --warm-ups 0 --rtt 30`;
    const command = startMeasuring(words, folder);
    const status = await command.ended;
    assert.ok(status === 0 || status === 6, command.output());
    const { pageLoads } = await readPageLoads(folder);
    assertOkButForMachine(pageLoads, status, command.output());
    await use(folder);
  });
}

test('shows waterfalls of a real run, whose HARs open in the DevTools', (t) =>
  withRealRun(async (folder) => {
    const { report } = runFolder(folder);
    const links: string[] = [];
    await inBothThemes(t, report, async ({ page, complaints, requests }) => {
      await openAll(page);
      const rows = await page.$$eval('svg.waterfall', (drawings) =>
        drawings.map((drawing) => drawing.querySelectorAll('.rows > g').length),
      );
      assert.equal(rows.length, 2 * 3);
      assert.ok(Math.min(...rows) >= 4 && Math.max(...rows) >= 10, rows.join());
      assert.equal(await page.$$eval('table.why', (tables) => tables.length), 2);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wider, false);
      assert.deepEqual(await violationsOf(page), []);
      assert.deepEqual(complaints, []);
      assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
      links.push(
        ...(await page.$$eval('.waterfall-title a', (all) =>
          all.map(({ href }) => decodeURI(href)),
        )),
      );
    });
    const files = new Set(links.map((link) => fileURLToPath(link)));
    assert.equal(files.size, 2 * 3);
    // One of each page: HARs of all stacks are imported elsewhere.
    for (const file of [...files].filter((_, index) => index % 3 === 0)) {
      const { log } = JSON.parse(await readFile(file, 'utf8')) as Har;
      const imported = await importIntoDevTools(chromium, file);
      assert.deepEqual(
        imported.map(({ url, status }) => [url, status]),
        log.entries.map(({ request, response }) => [request.url, response.status]),
      );
    }
  }));

test('compares two runs without a complaint, a fetch or a finding of axe', (t) =>
  withTwoFolders(twoRuns(), async (folders, out) => {
    const file = await writeComparison(await readComparison(folders), out);
    await inBothThemes(t, file, async ({ page, complaints, requests }) => {
      assert.deepEqual(await violationsOf(page), []);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wider, false);
      const changes = await page.$('table.sortable th[data-name="change"] button');
      await changes?.focus();
      await page.keyboard.press('Enter');
      const keys = await page.$$eval('table.sortable:first-of-type tbody', ([body]) =>
        [...(body?.querySelectorAll('tr') ?? [])].map((row) =>
          Number((row.cells[7] as HTMLElement).dataset.key),
        ),
      );
      assert.equal(keys.length, 3);
      assert.deepEqual(
        keys,
        keys.toSorted((a, b) => a - b),
      );
      assert.deepEqual(complaints, []);
      assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
    });
  }));

test('shows many runs without a complaint, a fetch or a finding of axe', (t) =>
  withTemporaryFolder(async (folder) => {
    const days = Array.from({ length: 15 }, (_, place) => place + 1);
    const runs = days.map((day) => runOfDay(day, day >= 10 ? 1.1 : 1));
    for (const { run } of runs.slice(5)) run.versions.chromium = '157.0';
    await writeRuns(folder, runs);
    const file = await writeHistory(await readHistory([folder]), path.join(folder, 'history'));
    await inBothThemes(t, file, async ({ page, complaints, requests }) => {
      await openAll(page);
      await assertForEveryone(page, complaints);
      assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
    });
  }));

test('renders hostile labels and messages as inert text', async (t) => {
  const hostile = `"></title></style></script><script>alert(1)</script><img src=x onerror="alert(2)"><a href="javascript:alert(3)">`;
  const fixture = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 6,
    change: (load) => {
      load.files.har = `har/${load.order}.har`;
      if (load.order === 9) spoil(load, 'invalid', hostile, hostile);
      if (load.order === 14) load.disturbed = hostile;
    },
  });
  fixture.run.versions[hostile] = hostile;
  for (const subject of fixture.run.subjects) subject.source = hostile;
  for (const arm of fixture.run.arms) arm.label = `${arm.label} ${hostile}`;
  const { file } = await reportOf(fixture, temporaryFolder(t));
  await withFile(file, 'light', async ({ page, complaints, requests }) => {
    assert.deepEqual(complaints, []);
    assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
    assert.equal(await page.$$eval('script', (all) => all.length), 1);
    assert.equal(
      await page.$$eval('img, [onerror], a[href^="javascript:"]', (all) => all.length),
      0,
    );
    const shown = await page.$eval('body', ({ textContent }) => textContent);
    assert.ok(shown?.includes(hostile));
  });
});
