import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { siteFolder } from '../../cache/catalogue.ts';
import { readManifest } from '../../cache/manifest.ts';
import type { Har } from '../../clients/har/har.ts';
import { cellKey } from '../../ground/records/cell.ts';
import { readRun } from '../../ground/records/read.ts';
import { isPlanned } from '../../ground/records/run.ts';
import { temporaryPrefix } from '../../ground/system/temporary-folder.ts';
import { resultsFolder } from '../../runner/results.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { type Command, startBenchmark, startMeasuring, startProgram } from './command.ts';
import { assertNoProcessLeft, temporaryFoldersOf } from './left-behind.ts';
import { networkOfMachine } from './network-of-machine.ts';
import { readPageLoads } from './page-loads.ts';
import { processesFrom, serversOf } from './run-processes.ts';
import { writeFixtureSite } from './site-fixture.ts';
import {
  assertOkButForMachine,
  assertStatusOf,
  assertWhole,
  isSpoilt,
  lastLoads,
} from './whole-run.ts';

test('loads two sites by three stacks with and without delay: every load ok, its HAR whole, the summary complete, nothing left', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const sites = ['www.iana.org', 'www.wikipedia.org'];
    const before = networkOfMachine();
    const latest = () => readlink(path.join(resultsFolder, 'latest')).catch(() => null);
    const latestBefore = await latest();
    const command = startMeasuring(`benchmark --sites ${sites} --repetitions 2`, out);
    const status = await command.ended;
    assert.ok(status === 0 || status === 6, command.output());
    await assertNoProcessLeft(command);
    assert.equal(networkOfMachine(), before);

    const run = await readRun(out);
    const { pageLoads, warnings } = await readPageLoads(out);
    assertOkButForMachine(pageLoads, status, command.output());
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      pageLoads.filter(isPlanned).map(({ id }) => id),
      run.trials.map(({ id }) => id),
    );
    // Each stack on each site has one planned warm-up, and two further ones without a record.
    assert.equal(pageLoads.filter(({ warmup }) => warmup).length, 3 * 2);
    assert.deepEqual(
      pageLoads.map(({ order }) => order),
      pageLoads.map((_, index) => index + 1),
    );
    const measured = pageLoads.filter(({ warmup }) => !warmup);
    assert.equal(measured.length, 2 * 3 * 2 * 2);
    for (const { id, client } of measured) assert.ok((client?.attemptsBefore ?? 0) >= 3, id);
    for (const load of measured) {
      const { id, subject, protocol, disturbed, files, metrics, network, path: counts } = load;
      assert.equal(network.backend, run.backend);
      const offMs = (network.measuredRttMs ?? 0) - network.rttMs;
      // The wait for a machine that stays late is limited, and each load over the path reports it.
      const isLate = /The path was late when it was measured/.test(disturbed ?? '');
      const reading = `${id}: measured ${network.measuredRttMs}, disturbed: ${disturbed}`;
      assert.ok(offMs >= -0.1 && (offMs < 1.5 || isLate), reading);
      assert.ok(counts && counts.toServer.packets > 5 && counts.toClient.packets > 5, id);
      assert.ok((metrics.pageLoadMs ?? 0) > 5, id);
      const { log } = JSON.parse(await readFile(path.join(out, files.har ?? ''), 'utf8')) as Har;
      const { resources } = await readManifest(siteFolder(subject));
      const wanted = resources.filter(({ status }) => status === 200);
      const responses = log.entries.filter(({ response }) => response.status === 200);
      assert.deepEqual(
        responses.map(({ request }) => request.url).sort(),
        wanted.map(({ url }) => url).sort(),
        id,
      );
      assert.deepEqual(
        [...new Set(log.entries.map(({ response }) => response.httpVersion))],
        [protocol],
      );
    }

    const summary = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
    assert.equal(summary.rows.length, 12);
    const loadsOfCell = Map.groupBy(measured, cellKey);
    for (const row of summary.rows) {
      const outcomes = loadsOfCell.get(cellKey(row))?.map(({ outcome }) => outcome) ?? [];
      assert.equal(outcomes.length, 2);
      assert.equal(row.n, outcomes.filter((outcome) => outcome === 'ok').length);
    }
    const csv = (await readFile(path.join(out, 'summary.csv'), 'utf8')).trim().split('\n');
    assert.equal(csv.length, 13);
    assert.match(
      csv[0] ?? '',
      /^site,stack,rtt_ms,n_ok,n_failed,n_invalid,plt_mean_ms,plt_median_ms,/,
    );
    const page = await readFile(path.join(out, 'report.html'), 'utf8');
    assert.match(page, /generated from the shape of www\.iana\.org in 2018/);
    assert.match(page, /href="har\/www\.iana\.org\.30ms\.lsquic-h3\.1\.har"/);
    assert.deepEqual(readdirSync(path.join(out, 'logs')).length, 6);
    // Only its existence: parallel runs of other tests move it as well.
    assert.equal(await latest(), latestBefore);

    // The report is made again from the records alone, to the byte.
    await rm(path.join(out, 'report.html'));
    await rm(path.join(out, 'summary.json'));
    const again = startProgram(['report', out]);
    assert.equal(await again.ended, 0, again.output());
    assert.equal(await readFile(path.join(out, 'report.html'), 'utf8'), page);

    // A folder with results is not overwritten.
    const second = startMeasuring('benchmark --sites www.iana.org', out);
    assert.equal(await second.ended, 2);
    assert.match(second.output(), /not empty/);
    assert.equal(await readFile(path.join(out, 'report.html'), 'utf8'), page);
  }));

describe('before anything is started, it rejects', () => {
  const refused: [title: string, words: string, status: number, message: RegExp][] = [
    [
      'an unknown site',
      '--sites www.nowhere.test',
      2,
      /Unknown site www\.nowhere\.test\. .*npm run sites/,
    ],
    ['an unknown stack', '--stacks nginx-h3', 2, /nginx-h3.*lsquic-h3, bun-h2, flask-h1/],
    ['an unknown option', '--repeat 3', 2, /--repeat.*--repetitions/],
    ['a number out of range', '--repetitions 0', 2, /--repetitions 0/],
  ];
  for (const [title, words, status, message] of refused) {
    test(title, () =>
      withTemporaryFolder(async (temporary) => {
        const out = path.join(temporary, 'run');
        const command = startMeasuring(`benchmark ${words}`, out);
        assert.equal(await command.ended, status);
        assert.match(command.output(), message);
        assert.ok(!existsSync(out));
      }),
    );
  }

  test('a missing Chromium', async () => {
    const command = startBenchmark(['--sites', 'www.example.org'], {
      CHROMIUM_PATH: '/nowhere/chromium',
    });
    assert.equal(await command.ended, 3);
    assert.match(command.output(), /\/nowhere\/chromium.*CHROMIUM_PATH/s);
  });

  test('a site with a damaged manifest or a missing body, with its name', async () => {
    const site = 'damaged-by-a-test';
    const folder = siteFolder(site);
    try {
      await writeFixtureSite(folder, [
        { url: 'https://damaged.test/', type: 'document', body: 'x' },
      ]);
      await rm(path.join(folder, 'bodies', '0'));
      const missing = startBenchmark(['--sites', site]);
      assert.equal(await missing.ended, 2);
      assert.match(missing.output(), /damaged-by-a-test\/bodies\/0.*missing/);
      await writeFile(path.join(folder, 'index.json'), '{');
      const damaged = startBenchmark(['--sites', site]);
      assert.equal(await damaged.ended, 2);
      assert.match(damaged.output(), /damaged-by-a-test\/index\.json/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('after any failure of a run, nothing stays running and the rows so far are kept:', () => {
  /** A run with this number of finished loads. */
  async function startRun(
    out: string,
    { repetitions = 50, rttMs = 0, done = 3 } = {},
  ): Promise<Command> {
    const command = startMeasuring(
      `benchmark --sites www.wikipedia.org --rtt ${rttMs} --repetitions ${repetitions}
        --warm-ups 0 --stacks lsquic-h3,bun-h2`,
      out,
    );
    await command.printed(new RegExp(`^${done} of`, 'm'));
    return command;
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} once: finishes the current load, writes the summary, exits with status 130`, () =>
      withTemporaryFolder(async (temporary) => {
        const out = path.join(temporary, 'run');
        const command = await startRun(out);
        command.child.kill(signal);
        assert.equal(await command.ended, 130, command.output());
        await assertNoProcessLeft(command);
        assert.deepEqual(temporaryFoldersOf(command.child.pid), []);
        const [before, after] = command.output().split(`Interrupted (${signal}): finishing`);
        const doneIn = (output = '') => output.match(/^\d+ of \d+ loads done/gm)?.length ?? 0;
        // The current load, and perhaps the one whose browser was starting.
        assert.ok([1, 2].includes(doneIn(after)), command.output());
        const { pageLoads } = await readPageLoads(out);
        assert.equal(pageLoads.length, doneIn(before) + doneIn(after));
        assert.ok(pageLoads.every(({ outcome }) => outcome !== 'failed'));
        const summary = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
        assert.equal(summary.rows.length, 2);
        assert.equal(summary.progress.complete, false);
      }));
  }

  test('Ctrl-C twice: stops at once, with status 130 and every row whole', () =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'run');
      // A load is long enough to be still in progress when the second signal comes.
      const command = await startRun(out, { rttMs: 500, done: 1 });
      command.child.kill('SIGINT');
      await command.printed(/finishing the attempt in progress/);
      command.child.kill('SIGINT');
      assert.equal(await command.ended, 130, command.output());
      assert.match(command.output(), /Stopping at once/);
      await assertNoProcessLeft(command);
      assert.deepEqual(temporaryFoldersOf(command.child.pid), []);
      const { pageLoads, warnings } = await readPageLoads(out);
      assert.ok(pageLoads.length >= 1);
      assert.deepEqual(warnings, []);
    }));

  test('a server that dies: fails one load, is restarted, and the run continues to its end with status 6', () =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'run');
      const command = await startRun(out, { repetitions: 6, done: 1 });
      const { pid = 0 } = command.child;
      const server = serversOf(processesFrom(pid), pid).find((each) =>
        each.command.includes('servers/bun-h2/'),
      );
      assert.ok(server);
      process.kill(server.pid, 'SIGKILL');
      assert.equal(await command.ended, 6, command.output());
      await assertNoProcessLeft(command);
      await assertWhole(out, 12, ['server-failed']);
      const { pageLoads } = await readPageLoads(out);
      const failed = pageLoads.filter(({ outcome }) => outcome === 'failed');
      assert.equal(failed.length, 1);
      assert.equal(failed[0]?.stack, 'bun-h2');
      assert.equal(failed[0]?.code, 'server-failed');
      assert.match(
        failed[0]?.message ?? '',
        /Bun \(h2\) server for www\.wikipedia\.org ended \(SIGKILL\)/,
      );
      assert.equal(pageLoads.findLast((each) => !isSpoilt(each))?.outcome, 'ok');
    }));

  test('kill -9: leaves no server and no browser, and the next run clears its profile', () =>
    withTemporaryFolder(async (temporary) => {
      const command = await startRun(path.join(temporary, 'run'));
      const { pid } = command.child;
      command.child.kill('SIGKILL');
      await command.ended;
      await assertNoProcessLeft(command);
      await mkdir(`${temporaryPrefix('profile', pid ?? 0)}left`, { recursive: true });
      const next = startMeasuring(
        'benchmark --sites www.example.org --stacks bun-h2 --rtt 0 --repetitions 1 --warm-ups 0',
        path.join(temporary, 'next'),
      );
      const status = await next.ended;
      assertStatusOf(await lastLoads(path.join(temporary, 'next')), status, next.output());
      assert.deepEqual(temporaryFoldersOf(pid), []);
    }));
});
