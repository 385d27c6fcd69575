import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { NODE, projectFolder } from '../../../ground/system/folders.mjs';
import { temporaryFolder } from '../../temporary-folder.ts';

const SET_UP = `
console.log('set-up', ...process.argv.slice(2));
process.exitCode = Number(process.env.SET_UP_STATUS ?? 0);
`;

const PROGRAM = `
console.log('program', ...process.argv.slice(2));
process.exitCode = 6;
if (process.env.WAITS) {
  const timer = setInterval(() => {}, 1000);
  process.on(process.env.WAITS, (name) => { console.log(name); clearInterval(timer); });
}
`;

/** A project with bin/start.mjs, and a set-up and a program that print their arguments. */
function project(t: TestContext, { node = process.versions.node, isPackage = false } = {}) {
  const folder = temporaryFolder(t);
  for (const file of ['bin/start.mjs', 'ground/system/folders.mjs', 'ground/system/printed.mjs']) {
    cpSync(path.join(projectFolder, file), path.join(folder, file));
  }
  const bin = path.join(folder, 'node_modules', NODE, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, path.join(bin, 'node'));
  const scripts = {
    benchmark: 'node bin/start.mjs benchmark',
    report: 'node bin/start.mjs report',
  };
  const about = {
    type: 'module',
    version: '1.0.0',
    scripts,
    optionalDependencies: { [NODE]: node },
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(about));
  if (isPackage) writeFileSync(path.join(folder, 'identity.json'), '{}');
  writeFileSync(path.join(folder, 'setup.mjs'), SET_UP);
  writeFileSync(path.join(folder, 'bin', 'quic-vs-https.ts'), PROGRAM);
  return path.join(folder, 'bin', 'start.mjs');
}

function start(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], options);
  return [status, ...stdout.trim().split('\n')];
}

test('a command has the set-up that it needs, and then runs', (t) => {
  const program = project(t);
  for (const [words, setUp] of [
    ['benchmark --rtt 0', 'set-up --command benchmark'],
    ['benchmark -- --help', 'set-up --command benchmark'],
    ['benchmark --rtt 0 --help', 'set-up --only packages'],
    ['benchmark --version', 'set-up --only packages'],
    ['report x', 'set-up --only packages'],
    ['unknown', 'set-up --only packages'],
    ['--help', 'set-up --only packages'],
  ] as const) {
    assert.deepEqual(start(program, words.split(' ')), [6, setUp, `program ${words}`]);
  }
  assert.deepEqual(start(program, ['setup', '--stacks', 'x']), [0, 'set-up --stacks x']);
});

test('an installed package needs no set-up for its help', (t) => {
  const program = project(t, { isPackage: true });
  assert.deepEqual(start(program, ['benchmark', '--help']), [6, 'program benchmark --help']);
});

test('a failed set-up ends the command with its status', (t) => {
  assert.deepEqual(start(project(t), ['benchmark'], { SET_UP_STATUS: '3' }), [
    3,
    'set-up --command benchmark',
  ]);
});

test('a missing Node is named', (t) => {
  const program = project(t, { node: '1.0.0', isPackage: true });
  rmSync(path.join(path.dirname(program), '..', 'node_modules'), { recursive: true });
  assert.equal(start(program, ['--help'])[0], EXIT.machine);
});

test('another Node starts the project’s, which gets each signal once', async (t) => {
  const program = project(t, { node: '1.0.0' });
  assert.deepEqual(start(program, ['report']), [6, 'set-up --only packages', 'program report']);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const env = { ...process.env, WAITS: signal };
    const child = spawn(process.execPath, [program, 'report'], { env });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (text.includes('program')) setTimeout(() => child.kill(signal), 50);
    });
    assert.deepEqual(await once(child, 'close'), [6, null]);
    assert.match(printed, new RegExp(`${signal}\n$`));
    assert.equal(printed.split(signal).length, 2);
  }
});
