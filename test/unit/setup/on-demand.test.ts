import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../../ground/system/project-folder.ts';
import { STACKS } from '../../../servers/index.ts';
import { clients, stacks } from '../../../setup/on-demand.ts';
import { purposes } from '../../../setup/purposes.ts';

test('clients that are asked for are set up, and names that nobody has are refused', () => {
  const titles = clients(['aioquic', 'curl']).map(({ title }) => title);
  assert.deepEqual(titles, [
    'making the Python environment for the client curl',
    'making the Python environment for the client aioquic',
  ]);
  for (const name of ['nonsense', 'bun', '']) {
    assert.throws(() => clients([name]), /there are curl, aioquic to set up/);
  }
});

test('stacks that are asked for are set up, one program for all that run on it, and names that nobody has are refused', async () => {
  const onDemand = STACKS.filter(({ runtime }) => runtime?.onDemand);
  for (const [runtime, own] of Map.groupBy(onDemand, (stack) => stack.runtime)) {
    const steps = await stacks(own.map(({ stack }) => stack));
    assert.equal(steps.filter(({ title }) => title === runtime?.install?.title).length, 1);
  }
  const names = onDemand.map(({ stack }) => stack).join(', ');
  for (const name of ['nonsense', 'bun-h2', '']) {
    await assert.rejects(stacks([name]), (error: Error) =>
      error.message.startsWith(`--stacks ${name}: there are ${names} to set up`),
    );
  }
});

test('videos have ffmpeg and players brought, tests a screen, ping and servers that nothing starts as well, and purposes that nobody has are refused', () => {
  const ofVideo = ['looking for ffmpeg, which makes a video', 'fetching the players of videos'];
  const titlesOf = (name: string) => purposes([name]).map(({ title }) => title);
  assert.deepEqual(titlesOf('video'), ofVideo);
  assert.deepEqual(titlesOf('tests'), [
    'looking for a screen that nobody sees, and for ping',
    ...(existsSync('/run/systemd/system')
      ? []
      : ['looking for the servers that sites are exported for']),
    ...ofVideo,
  ]);
  for (const name of ['nonsense', 'constructor', '']) {
    assert.throws(() => purposes([name]), /--for .*: there is video, tests/);
  }
});

test('set-up options that it does not know are refused before anything is set up', () => {
  for (const options of [['--clients'], ['--client', 'curl'], ['--clients', 'curl', 'aioquic']]) {
    const setUp = path.join(projectFolder, 'setup.mjs');
    const { status, stderr } = spawnSync(process.execPath, [setUp, ...options], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(
      stderr,
      /Unknown set-up option .*Options: --only packages, --clients NAME,\.\.\., --stacks NAME,\.\.\.\|available, --for video\|tests\n$/,
    );
  }
});
