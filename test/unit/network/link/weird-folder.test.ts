import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bun } from '../../../../ground/runtimes/bun.ts';
import { MachineError } from '../../../../ground/system/errors.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { assertBunCanRunIn } from '../../../../runner/machine.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const NAMES = ['"', "'", '\n', '\t', ' ', '#', '%', '%41', '$(id)', '`id`', ';', ':', ',', '=']
  .concat([
    '&',
    '|',
    '<',
    '*',
    '[',
    '{}',
    '~',
    '@',
    '^',
    '!',
    'ä測',
    '\u202e',
    '-nostdinc',
    '?',
    '\\',
  ])
  .map((part) => `a${part}b`);

test('compiles the link in a folder of any name, or rejects the name with a sentence before measuring', (t) => {
  const folder = temporaryFolder(t);
  for (const name of NAMES) {
    const link = path.join(folder, name, 'link');
    mkdirSync(link, { recursive: true });
    cpSync(path.join(projectFolder, 'network', 'userspace', 'link'), link, { recursive: true });
    const program = path.join(link, 'compile.ts');
    writeFileSync(
      program,
      "import { compileLink } from './native.ts';\nconsole.log(typeof compileLink().now_ns(), process.cwd());",
    );
    const compiled = spawnSync(bun.program, [program], { cwd: folder, encoding: 'utf8' });
    if (compiled.status === 0) {
      assert.equal(compiled.stdout, `number ${folder}\n`, name);
      assertBunCanRunIn(link);
    } else {
      assert.throws(() => assertBunCanRunIn(link), MachineError, `${name}: ${compiled.stderr}`);
    }
  }
});

test('rejects only folders from which Bun cannot load', () => {
  for (const [name, isRefused] of [
    ['/home/a"b', false],
    ['/home/a?b', true],
    ['/home/a\\b', true],
  ] as const) {
    if (isRefused) assert.throws(() => assertBunCanRunIn(name), /Move or rename it/);
    else assertBunCanRunIn(name);
  }
});
