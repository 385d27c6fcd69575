import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { siteFolder } from '../../../../cache/catalogue.ts';
import { readManifest } from '../../../../cache/manifest.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import type { Summary } from '../../../../report/summary/summary.ts';
import { readHar, versionsByHost } from '../../../../test/e2e/hars.ts';
import { readPageLoads } from '../../../../test/e2e/page-loads.ts';
import { assertStatusOf } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { FONTS, HERO, SHOP, STATS, withShop } from './shop/shop.ts';

const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
const REPETITIONS = 2;
const ARMS = ['lsquic-h3', 'bun-h2'];

test('the owner of a shop gets an answer about HTTP/3 by one command', async () => {
  try {
    await withTemporaryFolder((folder) => withShop((shop) => measureShop(shop, folder)));
  } finally {
    await rm(siteFolder(SHOP), { recursive: true, force: true });
  }
});

async function measureShop(
  { internet, authority }: Parameters<Parameters<typeof withShop>[0]>[0],
  folder: string,
): Promise<void> {
  const out = path.join(folder, 'run');
  const words = `https://${SHOP} --trust ${authority} --network cable --repetitions ${REPETITIONS} --film 1 --seed 1 --out ${out}`;
  const { status, stdout, stderr } = await internet.run([
    ...[process.execPath, PROGRAM, 'benchmark'],
    ...words.split(' '),
  ]);
  const output = `${stdout}\n${stderr}`;
  const { pageLoads, warnings } = await readPageLoads(out);
  assert.deepEqual(warnings, []);
  assertStatusOf(pageLoads, status, output);

  const { resources } = await readManifest(siteFolder(SHOP));
  assert.equal(resources.length, 40);
  assert.match(output, /HTTP\/3 is spoken by 2 of 3 hosts: .*\. Not by stats\.third\.test/);
  assert.match(output, /Replayed by Bun \(h2\): \d+ of 40 recorded requests/);
  assert.match(output, /HTTP\/2 in both arms by stats\.third\.test/);

  const { choices } = await readRun(out);
  assert.deepEqual([choices.receiveBufferBytes, choices.initialWindowSegments], [null, null]);

  const filmed = pageLoads.filter((load) => load.filmed);
  assert.deepEqual(filmed.map(({ arm, warmup }) => [arm, warmup]).toSorted(), [
    ['bun-h2', true],
    ['lsquic-h3', true],
  ]);
  const counted = pageLoads.filter(({ warmup }) => !warmup);
  assert.equal(counted.length, ARMS.length * REPETITIONS);
  const ok = counted.filter(({ outcome }) => outcome === 'ok');
  for (const load of ok) {
    const own = load.arm === 'lsquic-h3' ? ['h3'] : ['h2'];
    const har = readHar(out, load);
    assert.deepEqual(versionsByHost(har), { [SHOP]: own, [FONTS]: own, [STATS]: ['h2'] }, load.id);
    assert.ok(har.log.entries.length >= resources.length - 1, load.id);
    const { element, url, splitMs } = load.details?.largestPaint ?? {};
    assert.deepEqual([element, url], ['img#hero', HERO], load.id);
    assert.ok((splitMs?.receiving ?? 0) > 0, load.id);
  }

  const summary: Summary = JSON.parse(readFileSync(runFolder(out).summaryJson, 'utf8'));
  for (const { arm, nPlanned, nOk, metrics } of summary.rows) {
    const own = ok.filter((load) => load.arm === arm);
    assert.deepEqual([nPlanned, nOk], [REPETITIONS, own.length]);
    assert.equal(metrics.pageLoadMs?.n, own.length);
  }
  assert.deepEqual(
    summary.recommendations.map(({ arm, baseline, advice }) => [arm, baseline, advice]),
    // Two pairs cannot decide.
    [[...ARMS, 'undecided']],
  );
  assert.match(output, /This run cannot decide whether to turn HTTP\/3 on\./);

  assert.equal(
    summary.matchedCommand,
    `npm run benchmark -- --stacks ${ARMS} --repetitions ${REPETITIONS} --seed 1 --network cable --sites ${SHOP} --receive-buffer matched --initcwnd matched`,
  );
  assert.ok(output.includes(`${summary.matchedCommand}\n`));

  const report = readFileSync(runFolder(out).report, 'utf8');
  for (const expected of [
    /This run cannot decide whether to turn HTTP\/3 on/,
    /Not like for like: initial window [^<]+first receive window/,
    /<image id="frame-0-0-0-0"/,
    /<image id="frame-0-0-1-0"/,
  ]) {
    assert.ok(expected.test(report), `the report lacks ${expected}`);
  }
  const [, paint = ''] = report.split('<caption>Largest paint and the parts');
  const [table = ''] = paint.split('</table>');
  assert.equal(table.split('<code>img#hero</code>').length - 1, ARMS.length, table);
  assert.equal(table.split(HERO).length - 1, ARMS.length, table);
}
