import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { EXPORT_FORMATS } from '../../../cache/exporters/index.ts';
import type { Commands } from '../../../ground/options/command.ts';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { measuringCommands } from '../../../runner/command-line/commands.ts';
import { loadTools } from '../../../tools/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const COMMANDS: Commands = { ...measuringCommands(), ...(await loadTools()) };

const FORMAT = EXPORT_FORMATS[0]?.format ?? '';
const root = path.join(import.meta.dirname, '..', '..', '..');

function program(...words: string[]) {
  return spawnSync(process.execPath, [path.join(root, 'bin', 'quic-vs-https.ts'), ...words], {
    encoding: 'utf8',
  });
}

for (const [name, { options, statuses }] of Object.entries(COMMANDS)) {
  test(`the help of ${name} has every option, no line that a terminal would break, and the exit statuses`, () => {
    const { status, stdout, stderr } = program(name, '--help');
    assert.deepEqual([status, stderr], [EXIT.ok, '']);
    assert.match(stdout, new RegExp(`^Usage: npm run ${name} --`));
    for (const option of Object.keys(options)) {
      assert.match(stdout, new RegExp(`^  --${option} `, 'm'));
    }
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
    );
    assert.ok(stdout.replaceAll('\n', ' ').includes(statuses));
  });
}

test('-h is --help, and without a command there is the list of commands', () => {
  assert.equal(program('merge', '-h').stdout, program('merge', '--help').stdout);
  const { stdout } = program('--help');
  for (const name of Object.keys(COMMANDS)) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
});

test('--version prints the version and the commit, with and without a command', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const words of [['--version'], ['-V'], ['benchmark', '--version'], ['merge', '-V']]) {
    const { status, stdout, stderr } = program(...words);
    assert.deepEqual([status, stderr], [EXIT.ok, ''], words.join(' '));
    assert.ok(stdout.startsWith(`quic-vs-https ${version} (commit `), stdout);
  }
});

test('a user error is printed without a stack trace, and ends with status 2', () => {
  for (const [words, message] of [
    [['benchmark', '--repetitions', '0'], /^--repetitions 0: expected auto, or a whole number/],
    [['bench'], /^Unknown command bench\./],
    [['bench', '--help'], /^Unknown command bench\./],
    [['sites', 'www.nowhere.test'], /^Unknown site www\.nowhere\.test\. `npm run sites`/],
    [
      ['export', 'www.nowhere.test', '--to', FORMAT],
      /^Unknown site www\.nowhere\.test\. `npm run sites`/,
    ],
    [
      ['export', 'www.example.org', '--to', FORMAT, '--out', '/dev/null/x'],
      /^\/dev\/null cannot be read or written: a file has this name\. Name/,
    ],
    [
      ['import', '/nowhere.archive'],
      /^\/nowhere\.archive cannot be read: no such file or directory\. Name an archive/,
    ],
  ] as const) {
    const { status, stdout, stderr } = program(...words);
    assert.deepEqual([status, stdout], [EXIT.usage, ''], words.join(' '));
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test('the program loads only the package that reads its command line at the start', () => {
  assert.deepEqual(packagesBehind('bin/program.ts'), ['commander']);
});

test('the report is written without loading packages for command lines or browsers', () => {
  const packages = packagesBehind('report/command.ts');
  assert.ok(packages.includes('linkedom'));
  assert.deepEqual(
    packages.filter((each) => ['commander', 'puppeteer-core', 'bullmq'].includes(each)),
    [],
  );
});

/** Packages that a file loads at once, itself or by its imports; types load nothing. */
function packagesBehind(file: string, seen = new Set<string>()): string[] {
  const packages = new Set<string>();
  const visit = (each: string) => {
    if (seen.has(each)) return;
    seen.add(each);
    const source = readFileSync(path.join(root, each), 'utf8').replace(/^import type [^;]*;/gm, '');
    for (const [, specifier = ''] of source.matchAll(
      /^(?:import|export|\}) [^;]*?from '([^']+)'/gm,
    )) {
      if (specifier.startsWith('.') && !specifier.endsWith('.json'))
        visit(path.join(path.dirname(each), specifier));
      else if (!/^node:|\.json$/.test(specifier)) packages.add(specifier);
    }
  };
  visit(file);
  return [...packages].sort();
}

test('no word, file or folder of a command line steers the terminal or begins a message of its own', (t) => {
  const folder = temporaryFolder(t);
  const hostile = 'x\u001b]0;y\u0007\u009b2J\u202e\n::error::All is well';
  const file = path.join(folder, hostile.replaceAll(':', ''));
  writeFileSync(file, `{"planSha256":"${hostile}"}`);
  const results = [
    ...[[hostile], ['benchmark', hostile], ['benchmark', '--rtt', hostile], ['sites', hostile]],
    ...[
      ['report', hostile],
      ['merge', hostile, hostile, '--out', hostile],
      ['open', hostile],
    ],
    ...[
      ['import', hostile],
      ['import', file],
      ['packets', file],
      ['benchmark', '--plan', file],
    ],
    ...[
      ['benchmark', '--resume', file],
      ['doctor', hostile],
      ['get', hostile],
      ['record', hostile],
    ],
  ].map((words) => ({ words, ...program(...words) }));
  for (const { words, status, stdout, stderr } of results) {
    assert.notEqual(status, EXIT.ok, words[0]);
    for (const line of `${stdout}${stderr}`.split('\n')) {
      assert.doesNotMatch(
        line,
        /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s*::error|^All/u,
        words.join(' '),
      );
    }
  }
});
