import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { allExperiments } from '../../../experiments/index.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { readComparison, writeComparison } from '../../../report/compare.ts';
import { madeLook, STOPPING } from '../made-run.ts';
import { casesOf, readJunit } from './findings/junit-file.ts';
import { twoRuns, withTwoFolders } from './two-runs.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/quic-vs-https.ts');

function report(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'report', ...words], { encoding: 'utf8' });
}

test('writes both files whole, and the same bytes for the same input', () =>
  withTwoFolders(twoRuns(), async (folders, out) => {
    const comparison = await readComparison(folders);
    const page = await writeComparison(comparison, out);
    assert.equal(page, path.join(out, 'compare.html'));
    assert.deepEqual((await readdir(out)).toSorted(), ['compare.html', 'compare.json']);
    const texts = () =>
      Promise.all(
        ['compare.html', 'compare.json'].map((name) => readFile(path.join(out, name), 'utf8')),
      );
    const before = await texts();
    assert.deepEqual(JSON.parse(before[1] ?? ''), comparison);
    assert.ok(!before.some((text) => text.includes(folders[0])));
    await writeComparison(await readComparison(folders), out);
    assert.deepEqual(await texts(), before);
  }));

test('does not say that a run ended early if its rule ended it', async () => {
  const fixtures = twoRuns();
  const [{ run, observations }] = fixtures;
  run.stopping = STOPPING;
  const look = madeLook({
    order: Math.max(...observations.map(({ order }) => order)),
    end: 'decided',
  });
  await withTwoFolders(fixtures, async (folders) => {
    await writeFile(runFolder(folders[0]).looks, `${JSON.stringify(look)}\n`);
    const comparison = await readComparison(folders);
    assert.deepEqual(comparison.runs[0].warnings, []);
  });
});

test('prints the sentences and the path of the page', () =>
  withTwoFolders(twoRuns(), async (folders, out) => {
    const { status, stdout, stderr } = report('--compare', ...folders, '--out', out);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /lsquic \(h3\) comes off .* First run: .* Second run: /);
    assert.match(stdout, /Not the same in both: .*; processor\./);
    assert.ok(stdout.endsWith(`Comparison: ${path.join(out, 'compare.html')}\n`));
  }));

test('decides the exit status by a rule about two runs, and leaves no file for an inapplicable one', () =>
  withTwoFolders(twoRuns(), async ([first, second], out) => {
    const junit = path.join(first, 'junit.xml');
    const held = (rule: string) =>
      report('--compare', first, second, '--out', out, '--fail-if', rule, '--junit', junit);
    for (const [rule, reason] of [
      ['lsquic-h3 slower than bun-h2 by 5%', /a stack of the second run is held against itself/],
      ['bun-h2 slower by 5%', /bun-h2 is the baseline/],
      ['own-h3 slower by 5%', /own-h3 is no stack that both runs compare/],
    ] as const) {
      const { status, stdout, stderr } = held(rule);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, reason);
    }
    await assert.rejects(readdir(out), /ENOENT/);
    const conditions = ['no added delay', '30ms: 30 ms round-trip time added'];
    for (const [rule, expected, state] of [
      ['lsquic-h3 slower by 5%', 7, 'failure met'],
      ['lsquic-h3 slower by 30%', 8, 'error undecided'],
      ['flask-h1 slower by 20%', 0, 'passed'],
    ] as const) {
      const { status, stdout, stderr } = held(rule);
      assert.equal(status, expected, stderr);
      assert.equal(stdout.includes(`--fail-if "${rule}"`), expected !== 0);
      assert.deepEqual(casesOf(readJunit(await readFile(junit, 'utf8'))), [
        ...conditions.map((condition) => `${condition}: ${state}`),
        'every one counts: passed',
        'every one counts: passed',
        'ended: passed',
      ]);
    }
    assert.deepEqual((await readdir(out)).toSorted(), ['compare.html', 'compare.json']);
  }));

test('rejects runs of two experiments, whose attempts are not paired', () => {
  const fixtures = twoRuns();
  const [{ run }, second] = fixtures;
  const other = allExperiments().find(({ name }) => name !== run.experiment);
  assert.ok(other);
  Object.assign(second.run, { experiment: other.name, recordFile: other.recordFile });
  second.observations = [];
  return withTwoFolders(fixtures, (folders) =>
    assert.rejects(readComparison(folders), /expected one for both\. .* not paired/),
  );
});

test('ends with status 2, a reason, and no file if the runs cannot be compared', () =>
  withTwoFolders(twoRuns(2), async ([first, second], out) => {
    const copy = path.join(first, 'copy');
    await cp(second, copy, { recursive: true });
    const foreign = path.join(first, 'foreign');
    await cp(second, foreign, { recursive: true });
    const run = JSON.parse(await readFile(runFolder(foreign).run, 'utf8'));
    await writeFile(runFolder(foreign).run, JSON.stringify({ ...run, formatVersion: 99 }));
    const margin = path.join(first, 'margin');
    await cp(copy, margin, { recursive: true });
    const analysis = { baseline: 'flask-h1', marginPercent: 3, metric: 'documentMs' };
    const other = { ...run, analysis };
    await writeFile(runFolder(margin).run, JSON.stringify(other));
    for (const [words, reason] of [
      [[first, '/nonexistent-run'], /run\.json is missing/],
      [[first, foreign], /formatVersion is 99/],
      [[first, first], /Both folders hold the same run/],
      [[second, copy], /Both folders hold the same run/],
      [[first, margin], /baseline bun-h2, the second with flask-h1: .* --baseline STACK/],
      [[first, margin, '--baseline', 'bun-h2'], /margin 5, the second with 3: .* --margin/],
      [
        [first, margin, '--baseline', 'bun-h2', '--margin', '5'],
        /metric pageLoadMs, the second with documentMs: .* --metric page-load\|document/,
      ],
      [
        [first, second, '--metric', 'speed'],
        /The metric is speed, expected one of page-load, complete, document/,
      ],
      [[first, second, '--baseline', 'nginx'], /The baseline is nginx/],
      [[first], /DIR is missing: --compare takes the folders of two runs/],
      [[first, second, copy], /Two DIRs at a time with --compare; there is also /],
    ] as const) {
      const { status, stdout, stderr } = report('--compare', ...words, '--out', out);
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, reason);
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
    await assert.rejects(readdir(out), /ENOENT/);
  }));
