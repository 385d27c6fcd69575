import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { casesOf, readJunit } from './findings/junit-file.ts';
import { fixtureRun, ONE_SITE, withRunFolder } from './fixture-run.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/quic-vs-https.ts');

function report(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'report', ...words], { encoding: 'utf8' });
}

test('prints the table of a run and the path of its report on stdout', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    const { status, stdout, stderr } = report(folder);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /\nwww\.iana\.org \(generated\) .* undecided +[\d.]+ ms +[\d.]+ ms\n/);
    assert.ok(stdout.includes(`Report: ${runFolder(folder).report}`));
    assert.ok(existsSync(runFolder(folder).report));
  });
});

test('lists what it can for a run of an unknown experiment', async () => {
  const fixture = fixtureRun({ ...ONE_SITE, repetitions: 1 });
  fixture.run.experiment = 'telepathy';
  await withRunFolder(fixture, async (folder) => {
    const { status, stdout, stderr } = report(folder);
    assert.equal(status, 2);
    assert.match(stdout, /^Run 2026-11-20T10-00-00Z of the experiment telepathy, planned /);
    assert.match(stdout, /^Arms: lsquic-h3 \(lsquic \(h3\)\), bun-h2 \(Bun \(h2\)\), /m);
    assert.match(stdout, /^Subjects: a\.example$/m);
    assert.match(stdout, /^Network conditions: none$/m);
    const { length: planned } = fixture.run.trials;
    const { length: made } = fixture.observations;
    assert.ok(made > 0);
    assert.ok(stdout.includes(`\nAttempts: ${made} in page-loads.jsonl, ${planned} planned\n`));
    assert.match(
      stdout,
      /^Files: .*\binvocations\.jsonl \(.*\), page-loads\.jsonl \(.*\brun\.json \(/m,
    );
    assert.match(stderr, /names the experiment telepathy, expected one of this version/);
    assert.ok(!existsSync(runFolder(folder).report));
    rmSync(path.join(folder, fixture.run.recordFile));
    assert.match(report(folder).stdout, /^Attempts: page-loads\.jsonl cannot be read \(/m);
  });
});

test('accepts existing values of baseline and margin after the run, and no other', () => {
  return withRunFolder(fixtureRun({ subjects: ['a.example'] }), async (folder) => {
    const chosen = report(folder, '--baseline', 'flask-h1', '--margin', '7.5');
    assert.equal(chosen.status, 0);
    assert.match(chosen.stdout, / verdict +lsquic \(h3\) +Flask \(http\/1\.1\)\n/);
    assert.match(chosen.stdout, /chosen after the run: flask-h1 and 7\.5 %/);
    for (const [words, reason] of [
      [['--baseline', 'nginx'], /The baseline is nginx, expected a stack of this run/],
      [['--margin', ''], /--margin "": expected a number from 0\.1 to 50/],
      [['--margin', 'five'], /--margin five: expected a number/],
    ] as const) {
      const { status, stdout, stderr } = report(folder, ...words);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, reason);
    }
  });
});

test('writes a second report to a new folder, which is named, and to no other one', () => {
  return withRunFolder(fixtureRun(ONE_SITE), async (folder) => {
    const out = `${folder}-other`;
    try {
      const words = [folder, '--metric', 'document', '--out', out];
      const { status, stdout, stderr } = report(...words);
      assert.deepEqual([status, stderr], [0, '']);
      assert.ok(stdout.includes(`Report: ${runFolder(out).report}`));
      assert.ok(existsSync(runFolder(out).report) && !existsSync(runFolder(folder).report));
      const again = report(...words);
      assert.deepEqual([again.status, again.stdout], [2, '']);
      assert.match(again.stderr, /--out \S+ is not empty: expected a new or an empty folder\.\n$/);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});

test('checks an existing run against a rule, with the chosen baseline', () => {
  const fixture = fixtureRun({ ...ONE_SITE, repetitions: 8 });
  return withRunFolder(fixture, async (folder) => {
    const [junit, markdown] = [path.join(folder, 'junit.xml'), path.join(folder, 'answers.md')];
    const files = ['--junit', junit, '--markdown', markdown];
    for (const [rule, options, expected, state] of [
      ['flask-h1 slower than bun-h2 by 5%', [], 7, 'failure met'],
      ['flask-h1 slower than bun-h2 by 90%', [], 0, 'passed'],
      ['flask-h1 slower than bun-h2 by 60%', [], 8, 'error undecided'],
      ['flask-h1 slower than lsquic-h3 by 5%', ['--baseline', 'lsquic-h3'], 7, 'failure met'],
    ] as const) {
      const { status, stdout, stderr } = report(folder, '--fail-if', rule, ...options, ...files);
      assert.equal(status, expected, stderr);
      assert.equal(stdout.includes(`--fail-if "${rule}"`), expected !== 0);
      assert.deepEqual(casesOf(readJunit(readFileSync(junit, 'utf8'))), [
        `no added delay: ${state}`,
        'ended: passed',
      ]);
      assert.ok(readFileSync(markdown, 'utf8').includes(`\`${rule}\``));
    }
    for (const [rule, reason] of [
      ['flask-h1 slower than nginx-h1 by 5%', /nginx-h1 is no stack of this run/],
      ['flask-h1 slower than lsquic-h3 by 5%', /not flask-h1 with lsquic-h3/],
      ['flask-h1 slower by 5%', /than which stack\?/],
      ['flask-h1', /expected two stacks and a percentage/],
    ] as const) {
      const { status, stdout, stderr } = report(folder, '--fail-if', rule, '--junit', junit);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, reason);
      assert.deepEqual(casesOf(readJunit(readFileSync(junit, 'utf8'))), [
        'ended: error not finished',
      ]);
    }
    const refused = report(folder, '--junit', folder);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /^--junit \S+: the file cannot be written: /);
  });
});

test('ends with status 2 and the reason for a folder without a run, two folders or an unknown option', () => {
  for (const [words, reason] of [
    [['/nonexistent-run'], /run\.json is missing/],
    [['a', 'b'], /One DIR at a time; there is also b\. Two are compared with --compare/],
    [[''], /DIR is missing\. See npm run report -- --help/],
    [['--nonsense'], /Unknown option --nonsense/],
  ] as const) {
    const { status, stdout, stderr } = report(...words);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test('shows the usage on stdout with --help', () => {
  const { status, stdout } = report('--help');
  assert.equal(status, 0);
  assert.match(stdout, /Usage: npm run report/);
});
