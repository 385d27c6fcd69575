import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { test } from 'node:test';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { BUN } from '../../../ground/system/folders.mjs';
import { runs, setUpProject, until } from './set-up-project.ts';

test('waits for another set-up, reports it, and finds everything done', async (t) => {
  const { start, started } = setUpProject(t);
  const ends = await Promise.all([start(), start(), start()].map(({ ended }) => ended));
  for (const { status, stderr } of ends) assert.equal(status, 0, stderr);
  assert.equal(started().length, 1);
  const waited = ends.filter(({ stderr }) => stderr.includes('waiting for another set-up'));
  assert.equal(waited.length, 2);
});

test('does not install through a link, which would empty the folder behind it', async (t) => {
  const { at, start, started } = setUpProject(t);
  mkdirSync(at('elsewhere'));
  writeFileSync(at('elsewhere', 'package'), '');
  symlinkSync('elsewhere', at('node_modules'));
  const { status, stderr } = await start().ended;
  assert.equal(status, EXIT.machine);
  assert.match(stderr, /node_modules is a symbolic link/);
  assert.deepEqual(readdirSync(at('elsewhere')), ['package']);
  assert.equal(started().length, 0);
});

test('writes nothing without anything to do', async (t) => {
  const { at, start, started } = setUpProject(t);
  assert.equal((await start().ended).status, 0);
  const files = () =>
    readdirSync(at('.'), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${name} ${lstatSync(at(name)).ctimeMs}`,
    );
  const before = files();
  assert.deepEqual(await start().ended, { status: 0, stderr: '' });
  assert.equal(started().length, 1);
  assert.deepEqual(files(), before);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
  test(`ends on ${signal} with all that it has started, and the next set-up completes what was begun`, async (t) => {
    const { at, start, started } = setUpProject(t);
    assert.equal((await start().ended).status, 0);
    // Its stamp is right, and something is missing.
    rmSync(at('node_modules'), { recursive: true });
    writeFileSync(at('slow'), '');
    const { process: killed, ended } = start();
    await until(() => existsSync(at('node_modules', BUN)));
    killed.kill(signal);
    const { status, stderr } = await ended;
    assert.equal(status, signal === 'SIGKILL' ? null : 130, stderr);
    // An ended process has not failed.
    assert.doesNotMatch(stderr, /npm ci failed/);
    const left = () => started().flat().filter(runs);
    if (signal === 'SIGKILL') await until(() => left().length === 0);
    assert.deepEqual(left(), []);

    rmSync(at('slow'));
    rmSync(at('at-work'), { recursive: true });
    const next = await start().ended;
    assert.equal(next.status, 0, next.stderr);
    assert.ok(existsSync(at('node_modules', 'whole')));
  });
}

test('reports a refusal by the system as a sentence with a remedy, not a stack trace', async (t) => {
  const { at, start } = setUpProject(t);
  writeFileSync(at('.setup'), 'a file in the place of the folder');
  const { status, stderr } = await start().ended;
  assert.equal(status, 3);
  assert.match(stderr, /It could not go on: EEXIST.*then run: npm run setup\n$/);
  assert.doesNotMatch(stderr, /^ +at /m);
});

test('ignores an unfinished stamp of a killed set-up', async (t) => {
  const { at, start } = setUpProject(t);
  mkdirSync(at('.setup'));
  writeFileSync(at('.setup', 'packages.unfinished'), '12');
  assert.equal((await start().ended).status, 0);
  assert.match(readFileSync(at('.setup', 'packages'), 'utf8'), /^[0-9a-f]{64}$/);
  assert.ok(!existsSync(at('.setup', 'packages.unfinished')));
});
