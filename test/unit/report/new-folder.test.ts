import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../../ground/system/exit-status.ts';
import { makeNewFolder } from '../../../report/new-folder.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('makes a new or an empty folder, with its parents', async (t) => {
  const top = temporaryFolder(t);
  const run = path.join(top, 'run');
  mkdirSync(run);
  for (const name of ['new', 'below/it/new', 'run-2', '..run']) {
    await makeNewFolder('out', path.join(top, name), run);
    assert.deepEqual(readdirSync(path.join(top, name)), []);
    await makeNewFolder('out', path.join(top, name), run);
  }
  await makeNewFolder('charts', path.join(run, 'charts'));
});

test('rejects any other folder with what it is and what is expected', async (t) => {
  const top = temporaryFolder(t);
  const at = (...names: string[]) => path.join(top, ...names);
  for (const name of ['run', 'run/empty', 'full', 'empty']) mkdirSync(at(name));
  for (const name of ['file', 'full/a-file', 'run/run.json']) writeFileSync(at(name), '');
  symlinkSync(at('empty'), at('link'));
  symlinkSync(at('run'), at('to-run'));
  symlinkSync(at('nowhere'), at('dangling'));
  for (const [folder, problem] of [
    ['full', /is not empty: expected a new or an empty folder\.$/],
    ['file', /is a file: expected a new or an empty folder\.$/],
    ['link', /is a symbolic link: expected a new or an empty folder\.$/],
    ['dangling', /is a symbolic link: /],
    ['run', /lies in the folder of the run: /],
    ['run/empty', /lies in the folder of the run: /],
    ['run/new', /lies in the folder of the run: /],
    ['to-run/new/below', /lies in the folder of the run: /],
    ['full/../run/new', /lies in the folder of the run: /],
    ['x'.repeat(300), /cannot be written: name too long\. Name another folder\.$/],
    ['file/below', /cannot be written: not a directory\. Name another folder\.$/],
  ] as const) {
    await assert.rejects(makeNewFolder('out', `${top}/${folder}`, at('run')), (error) => {
      assert.ok(error instanceof UsageError, folder);
      assert.ok(error.message.startsWith(`--out ${top}/${folder} `));
      assert.match(error.message, problem);
      return true;
    });
  }
  assert.deepEqual(readdirSync(at('run')), ['empty', 'run.json']);
});
