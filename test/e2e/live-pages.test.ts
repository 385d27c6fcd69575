import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { eachObservation, readRun } from '../../ground/records/read.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import type { Summary } from '../../report/summary/summary.ts';
import { readMachine } from '../../runner/machine.ts';
import type { Hosts } from '../internet/hosts.ts';
import { type Internet, withInternet } from '../internet/internet.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { assertOkButForMachine } from './whole-run.ts';

const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');

const withoutPolicies =
  !existsSync('/etc/chromium') || readMachine().chromium !== '/usr/lib/chromium/chromium'
    ? "Chromium is not Debian's, whose policies lie in /etc/chromium: it cannot be made to trust the tests' authority"
    : false;

interface Measured {
  status: Awaited<ReturnType<Internet['run']>>['status'];
  output: string;
  out: string;
  loads: PageLoad[];
}

/** An internet whose authority Chromium trusts. */
function withLivePages(hosts: Hosts, use: (internet: Internet) => Promise<void>): Promise<void> {
  const chromiumPolicies = (authority: string) => ({
    CACertificates: [authority.replace(/-----[^-]+-----|\s/g, '')],
  });
  return withInternet({ hosts, chromiumPolicies }, use);
}

/** Loads pages of an internet whose authority Chromium trusts, and reads the written results. */
function withLoads(
  hosts: Hosts,
  words: readonly string[],
  use: (measured: Measured, internet: Internet) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder((folder) =>
    withLivePages(hosts, async (internet) => {
      const out = path.join(folder, 'run');
      const command = [process.execPath, PROGRAM, 'benchmark', '--live', ...words, '--out', out];
      const { status, stdout, stderr } = await internet.run(command);
      const output = `${stdout}\n${stderr}`;
      const loads = existsSync(out)
        ? ((await Array.fromAsync(eachObservation(out, pageLoad, () => {}))) as PageLoad[])
        : [];
      await use({ status, output, out, loads }, internet);
    }),
  );
}

const IMAGES = ['https://cdn.test/a.svg', 'https://cdn.test/b.svg', 'https://ads.test/c.svg'];

const REPETITIONS = 3;

const HOSTS: Hosts = {
  'www.test': { kind: 'web', images: [...IMAGES, '/d.svg'] },
  'cdn.test': 'web',
  'ads.test': 'tls-only',
  'changing.test': { kind: 'web', images: ['/*.svg', '/x*.svg'] },
  'old.test': { kind: 'web', redirectsTo: 'https://www.test/' },
  'plain.test': 'tls-only',
  'unasked.test': 'web',
};

test(
  'loads live pages by both versions of HTTP in the same blocks, and skips HTTP/3 for a host without it',
  { skip: withoutPolicies },
  () =>
    withLoads(
      HOSTS,
      [
        ...['www.test', 'https://changing.test/', 'plain.test', 'old.test'],
        ...['--repetitions', `${REPETITIONS}`, '--pause', '1s', '--hars', 'all'],
      ],
      async ({ status, output, out, loads }, internet) => {
        assert.equal(loads.length, 4 * 2 * REPETITIONS);
        const able = loads.filter((load) => !lacksVersion(load));
        assertOkButForMachine(able, status, output);
        for (const load of loads) assertAsRequested(load);
        const pairsOf = (subject: string) => {
          const own = able.filter((load) => load.subject === subject && load.outcome === 'ok');
          const blocks = Map.groupBy(own, ({ block }) => block);
          return [...blocks.values()].filter(({ length }) => length === 2).length;
        };
        assertBlocks(loads);
        await assertOnlyResolved(
          internet,
          Object.keys(HOSTS).filter((name) => name !== 'unasked.test'),
        );
        assert.match(output, /Loads https:\/\/www\.test\/.*: 28 loads at most/);
        assert.match(output, /www\.test: a load is [56] requests, .* to 3 hosts/);
        assert.match(output, /old\.test redirects to https:\/\/www\.test\//);
        const changing = pairsOf('changing.test');
        const differs = `content of changing.test differs between loads: in ${changing} of ${changing} pair`;
        assert.ok(changing > 0 && output.includes(differs), output);
        assert.doesNotMatch(output, /content of www\.test differs/);
        const summary: Summary = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
        const verdicts = summary.comparisons.map(({ subject, nPairs }) => [subject, nPairs]);
        assert.deepEqual(
          verdicts,
          ['www.test', 'changing.test', 'plain.test', 'old.test'].map((subject) => [
            subject,
            pairsOf(subject),
          ]),
        );
        const { backend, networks, choices } = await readRun(out);
        assert.deepEqual([backend, networks.map(({ name }) => name)], ['live', ['live']]);
        assert.deepEqual(choices.livePages, { pauseMs: 1000 });
        const report = await readFile(path.join(out, 'report.html'), 'utf8');
        assert.match(report, /id="live-pages"/);
        assert.match(report, /ads\.test<\/bdi>: Expected a response over UDP/);
      },
    ),
);

/** Whether the page is on a host without the requested version. */
function lacksVersion({ subject, arm }: PageLoad): boolean {
  return subject === 'plain.test' && arm === 'h3';
}

function assertAsRequested(load: PageLoad): void {
  const { id, subject, arm, outcome, code, message, details, metrics, path: seen } = load;
  if (lacksVersion(load)) {
    assert.deepEqual([outcome, code, details], ['unsupported', 'no-h3', null], id);
    assert.match(message ?? '', /plain\.test:443 made no connection over HTTP\/3.*UDP/);
    return;
  }
  assert.ok(Number(metrics.pageLoadMs) > 0, id);
  assert.equal(seen, null, id);
  const versions = Object.fromEntries(
    (details?.live?.hosts ?? []).map((host) => [host.host, Object.keys(host.versions)]),
  );
  const usual = [arm];
  const www = { 'www.test:443': usual, 'cdn.test:443': usual, 'ads.test:443': ['h2'] };
  assert.deepEqual(
    versions,
    {
      'www.test': www,
      'changing.test': { 'changing.test:443': usual },
      'plain.test': { 'plain.test:443': usual },
      'old.test': { 'old.test:443': usual, ...www },
    }[subject],
    id,
  );
}

/**
 * Every block has both versions one after the other, with a pause before each load from the same
 * host.
 */
function assertBlocks(loads: readonly PageLoad[]): void {
  const blocks = Map.groupBy(loads, ({ subject, block }) => `${subject} ${block}`);
  assert.equal(blocks.size, 4 * REPETITIONS);
  for (const [name, own] of blocks) {
    assert.deepEqual(own.map(({ arm }) => arm).toSorted(), ['h2', 'h3'], name);
    const [first, second] = own;
    assert.equal((second?.order ?? 0) - (first?.order ?? 0), 1, name);
  }
  const ofOne = loads.filter(({ subject }) => subject === 'changing.test');
  for (const [index, { startedAt, metrics }] of ofOne.entries()) {
    const next = ofOne[index + 1];
    if (!next) break;
    const apartMs = Date.parse(next.startedAt) - Date.parse(startedAt);
    assert.ok(apartMs >= 1000 + Number(metrics.pageLoadMs) - 50, `${next.id}: ${apartMs} ms`);
  }
}

/** Only hosts of the pages were resolved: neither foreign ones nor Chromium's own services. */
async function assertOnlyResolved(internet: Internet, names: readonly string[]): Promise<void> {
  const resolved = new Set((await internet.questions()).map(({ name }) => name));
  assert.deepEqual([...resolved].toSorted(), names.toSorted());
}

test(
  'reports why a page fails, checks certificates, and loads by HTTP/3 what only HTTP/3 serves',
  { skip: withoutPolicies },
  () =>
    withLoads(
      {
        'resets.test': 'resets',
        'gone.test': 'no-name',
        'expired.test': 'expired',
        'h3-only.test': 'h3-only',
        'drops.test': 'drops-udp',
        'old-tls.test': 'tls1.2-only',
      },
      [
        ...[
          'resets.test',
          'gone.test',
          'expired.test',
          'h3-only.test',
          'drops.test',
          'old-tls.test',
        ],
        ...['--repetitions', '1', '--pause', '1s', '--timeout', '10'],
      ],
      async ({ status, output, loads }) => {
        assert.equal(status, 6, output);
        const found = Object.fromEntries(
          loads.map(({ subject, arm, outcome, code, message }) => [
            `${subject} ${arm}`,
            [outcome, /ERR_\w+/.exec(message ?? '')?.[0] ?? code],
          ]),
        );
        const { 'resets.test h3': reset, ...rest } = found;
        assert.deepEqual(rest, {
          'resets.test h2': ['failed', 'ERR_CONNECTION_RESET'],
          'gone.test h2': ['failed', 'ERR_NAME_NOT_RESOLVED'],
          'gone.test h3': ['failed', 'ERR_NAME_NOT_RESOLVED'],
          'expired.test h2': ['failed', 'ERR_CERT_DATE_INVALID'],
          'expired.test h3': ['failed', 'ERR_CERT_DATE_INVALID'],
          'h3-only.test h2': ['failed', 'ERR_CONNECTION_REFUSED'],
          'h3-only.test h3': ['ok', null],
          'drops.test h2': ['ok', null],
          'drops.test h3': ['unsupported', 'no-h3'],
          'old-tls.test h2': ['ok', null],
          'old-tls.test h3': ['unsupported', 'no-h3'],
        });
        // Chromium's name for it depends on its progress.
        assert.match(reset?.join(' ') ?? '', /^failed ERR_QUIC_/);
        assert.match(output, /expired\.test: the first visit failed\. .*rejects its certificate/);
      },
    ),
);

test(
  'resumes an interrupted run of live pages, with another first visit',
  { skip: withoutPolicies },
  () =>
    withLoads(
      { 'www.test': 'web' },
      ['www.test', '--repetitions', '3', '--pause', '1s', '--budget', '1s'],
      async ({ status, output, out, loads }, internet) => {
        assert.ok(loads.length < 6, output);
        const command = [process.execPath, PROGRAM, 'benchmark', '--resume', out];
        const resumed = await internet.run(command);
        assert.match(resumed.stderr, /www\.test: a load is/);
        const all = await Array.fromAsync(eachObservation(out, pageLoad, () => {}));
        assert.equal(all.length, 6);
        // Each reports its own loads.
        assertOkButForMachine(all, resumed.status || status, `${output}\n${resumed.stderr}`);
      },
    ),
);

/** Interrupts a command a moment after the report of its first visit, and returns its output. */
const INTERRUPTED_IN_PAUSE = `said=$1; shift; "$@" 2>"$said" & pid=$!
until grep -q ': a load is' "$said" || ! kill -0 $pid; do sleep 0.1; done
sleep 1; kill -INT $pid; wait $pid; status=$?; cat "$said" >&2; exit $status`;

test('makes no further load after an interruption in a pause', { skip: withoutPolicies }, () =>
  withTemporaryFolder((folder) =>
    withLivePages({ 'www.test': 'web' }, async (internet) => {
      const out = path.join(folder, 'run');
      const program = [process.execPath, PROGRAM, 'benchmark', '--live', 'www.test'];
      const { status, stderr } = await internet.run([
        ...['sh', '-c', INTERRUPTED_IN_PAUSE, 'sh', path.join(folder, 'stderr')],
        ...[...program, '--repetitions', '2', '--pause', '10m', '--out', out],
      ]);
      assert.equal(status, 130, stderr);
      // The first visit was over, and the first load was waiting.
      assert.match(stderr, /www\.test: a load is/);
      assert.deepEqual(await Array.fromAsync(eachObservation(out, pageLoad, () => {})), []);
    }),
  ),
);
