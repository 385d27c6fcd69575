import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { casesOf, readJunit } from '../../report/findings/junit-file.ts';
import { NONE, spoil } from '../../report/fixture-run.ts';
import { partOf, withParts } from './parts-of-run.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../../bin/quic-vs-https.ts');

const OPTIONS = { subjects: ['a.example', 'b.example'], networks: [NONE], repetitions: 2 };

function merge(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'merge', ...words], { encoding: 'utf8' });
}

test('merges two parts into one folder with its report, and prints the joined parts on stdout', async () => {
  const parts = [
    partOf('bench', ({ subject }) => subject === 'a.example', OPTIONS),
    partOf('barn', ({ subject }) => subject === 'b.example', OPTIONS),
  ];
  await withParts(parts, async (folders, out) => {
    const { status, stdout, stderr } = merge(...folders, '--out', out);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /^Joined 18 loads of 2 folders and 2 machines: /);
    assert.ok(stdout.includes(`Report: ${runFolder(out).report}`));
    assert.ok(existsSync(runFolder(out).report));
    const again = merge(...folders, '--out', out);
    assert.equal(again.status, 2);
    assert.match(again.stderr, /^Nothing was merged: \S+ exists, and nothing is ever overwritten/);
  });
});

test('ends with status 6 for loads that were not ok in any of the parts, like a run', async () => {
  const spoilOne = (load: PageLoad) => {
    const { subject, arm, repetition, warmup } = load;
    if (subject !== 'b.example' || arm !== 'bun-h2' || repetition !== 1 || warmup) return;
    spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
  };
  const parts = [
    partOf('bench', ({ subject }) => subject === 'a.example', OPTIONS),
    partOf('barn', ({ subject }) => subject === 'b.example', { ...OPTIONS, change: spoilOne }),
  ];
  await withParts(parts, async (folders, out) => {
    const { status, stdout, stderr } = merge(...folders, '--out', out);
    assert.match(stdout, /\n1 load failed: timeout /);
    assert.deepEqual([status, stderr], [6, '']);
    assert.ok(existsSync(runFolder(out).report));
  });
});

test('ends with status 7 and the reason for a rule that the joined run breaks', async () => {
  const options = {
    ...OPTIONS,
    repetitions: 8,
    change({ arm, metrics }: PageLoad) {
      if (arm === 'lsquic-h3') metrics.pageLoadMs = 2 * (metrics.pageLoadMs ?? Number.NaN);
    },
  };
  const parts = [
    partOf('bench', ({ subject }) => subject === 'a.example', options),
    partOf('barn', ({ subject }) => subject === 'b.example', options),
  ];
  await withParts(parts, async (folders, out) => {
    const rule = 'lsquic-h3 slower than bun-h2 by 5%';
    const junit = path.join(path.dirname(out), 'junit.xml');
    const words = ['--out', out, '--fail-if', rule, '--junit', junit];
    const { status, stdout, stderr } = merge(...folders, ...words);
    assert.deepEqual(casesOf(readJunit(readFileSync(junit, 'utf8'))), [
      'no added delay: failure met',
      'every one counts: passed',
      'ended: passed',
    ]);
    assert.equal(stderr, '');
    assert.equal(status, 7);
    assert.match(
      stdout,
      /\n--fail-if "lsquic-h3 slower than bun-h2 by 5%" is met: .* slower than Bun/,
    );
  });
});

test('shows the usage on stdout with --help', () => {
  const { status, stdout } = merge('--help');
  assert.equal(status, 0);
  assert.match(stdout, /Usage: npm run merge .* exit status 7 if/s);
});

test('ends with status 2 and the reason for too few folders, no --out and unknown options', () => {
  for (const [words, reason] of [
    [['a', '--out', 'x'], /at least two parts, got 1/],
    [['a', 'b'], /--out is missing: expected the folder to create/],
    [['a', 'b', '--out', 'x', '--nonsense'], /Unknown option --nonsense/],
    [['/nowhere-1', '/nowhere-2', '--out', '/nowhere'], /run\.json is missing/],
  ] as const) {
    const { status, stdout, stderr } = merge(...words);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, reason);
  }
});
