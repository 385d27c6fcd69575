import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runFolder } from '../../../records/run-folder.ts';
import { fixtureRun, withRunFolder } from './fixture-run.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../report/main.ts');

function report(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
}

test('a run gives its table and the path of its report on stdout', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    const { status, stdout, stderr } = report(folder);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /www\.iana\.org +[\d.]+ \(3\/3\)/);
    assert.ok(stdout.includes(`Report: ${runFolder(folder).report}`));
    assert.ok(existsSync(runFolder(folder).report));
  });
});

test('a folder without a run, two folders or an unknown option end with status 2 and say why', () => {
  for (const [words, reason] of [
    [['/nonexistent-run'], /run\.json is missing/],
    [['a', 'b'], /Expected one folder, got 2: a, b/],
    [['--nonsense'], /Unknown option '--nonsense'/],
  ] as const) {
    const { status, stdout, stderr } = report(...words);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test('--help shows the usage on stdout', () => {
  const { status, stdout } = report('--help');
  assert.equal(status, 0);
  assert.match(stdout, /Usage: npm run report/);
});
