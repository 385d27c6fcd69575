import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CLIENTS } from '../../../clients/index.ts';
import { allExperiments } from '../../../experiments/index.ts';
import { projectFolder } from '../../../ground/system/folders.mjs';
import { STACKS } from '../../../servers/index.ts';
import { browsers, clients, stacks } from '../../../setup/on-demand.ts';
import { purposes } from '../../../setup/purposes.ts';
import { SetupError } from '../../../setup/setup-error.mjs';
import { carryOutEach } from '../../../setup/step.mjs';

test('sets up the requested clients, and rejects unknown names', async () => {
  const names = CLIENTS.flatMap(({ name, runtime }) => (runtime ? [name] : []));
  for (const name of names) {
    const steps = await clients([name]);
    assert.ok(steps.some(({ title }) => title.endsWith(` for the client ${name}`)));
  }
  assert.equal((await clients(['available'])).length, names.length);
  for (const name of ['nonsense', 'bun', '']) {
    await assert.rejects(clients([name]), (error: Error) =>
      error.message.endsWith(`there are ${names.join(', ')} to set up.`),
    );
  }
});

test('sets up the requested stacks, one program for all that share it, and rejects unknown names', async () => {
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

test('sets up a version of a stack once for all stacks of its program, and rejects what is no version', async () => {
  const [first] = STACKS.filter(({ runtime }) => runtime?.versions);
  assert.ok(first?.runtime?.versions);
  const alike = STACKS.filter(({ runtime }) => runtime === first.runtime);
  const title = `installing ${first.runtime.versions.library} 1.2.3 for its stacks`;
  const steps = await stacks(alike.map(({ stack }) => `${stack}@1.2.3`));
  assert.equal(steps.filter((step) => step.title === title).length, 1);
  const refused = (work: () => unknown, said: RegExp) =>
    assert.rejects(
      async () => work(),
      (error: Error & { exitStatus?: number }) =>
        said.test(error.message) && error.exitStatus === 2,
    );
  await refused(() => stacks(['nonsense@1.2.3']), /^--stacks nonsense@1\.2\.3: there are /);
  const fixed = STACKS.find(({ runtime }) => runtime && !runtime.versions);
  assert.ok(fixed);
  const other = `${fixed.stack}@1.2.3`;
  const some = await stacks([`${first.stack}@1.2.3`, `${first.stack}@latest`, other]);
  assert.ok(some.some((step) => step.title === title));
  const stepOf = (name: string) => some.find((step) => step.title === `installing ${name}`);
  await refused(() => stepOf(`${first.stack}@latest`)?.run(), /a version of .* got "latest"/);
  await refused(() => stepOf(other)?.run(), /has the version that the project installs/);
});

test('sets up Firefox on request, and rejects other browsers', () => {
  assert.deepEqual(
    browsers(['firefox']).map(({ title }) => title),
    ['looking for Firefox'],
  );
  for (const name of ['chromium', 'safari', '']) {
    assert.throws(() => browsers([name]), {
      message: `--browser ${name}: there is firefox to set up.`,
    });
  }
});

test('carries out every requested step, and then names each that failed', async () => {
  const done: string[] = [];
  const step = (title: string, problem: string | null) => ({
    title,
    isDone: () => done.includes(title),
    run() {
      if (problem !== null) throw new SetupError(problem);
      done.push(title);
    },
  });
  const steps = [step('one', 'no network'), step('two', null), step('three', 'no compiler')];
  await assert.rejects(
    carryOutEach(steps),
    (error: Error & { exitStatus?: number }) =>
      error.message ===
        'Failed: one. no network\nFailed: three. no compiler\nThe rest is set up.' &&
      error.exitStatus === 3,
  );
  assert.deepEqual(done, ['two']);
  await carryOutEach([step('two', null)]);
});

test('sets up for tests a screen, ping, manual servers, Firefox and the needs of every experiment, and rejects unknown purposes', () => {
  const titlesOf = (name: string) => purposes([name]).map(({ title }) => title);
  const needing = allExperiments().flatMap(({ name, setUp }) => (setUp ? [name] : []));
  assert.deepEqual(titlesOf('tests'), [
    'looking for Xvfb, an invisible screen, and for ping',
    ...(existsSync('/run/systemd/system')
      ? []
      : ['looking for the servers that sites are exported for']),
    'looking for Firefox',
    ...needing.flatMap(titlesOf),
  ]);
  for (const name of ['nonsense', 'constructor', '']) {
    assert.throws(
      () => purposes([name]),
      (error: Error) =>
        error.message === `--for ${name}: there is ${[...needing, 'tests'].join(', ')}.`,
    );
  }
});

test('rejects a set-up option that occurs twice', () => {
  const words = ['--stacks', 'go-h2', '--stacks', 'hypercorn-h3'];
  const setUp = path.join(projectFolder, 'setup.mjs');
  const { status, stderr } = spawnSync(process.execPath, [setUp, ...words], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /--stacks occurs twice\. Give it once, with commas between the names\./);
});

test('rejects unknown set-up options before setting up anything', () => {
  for (const options of [['--clients'], ['--client', 'bun'], ['--clients', 'one', 'another']]) {
    const setUp = path.join(projectFolder, 'setup.mjs');
    const { status, stderr } = spawnSync(process.execPath, [setUp, ...options], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(
      stderr,
      /Unknown set-up option .*Options: --only packages, --clients NAME,\.\.\.\|available, --stacks NAME,\.\.\.\|available, --for EXPERIMENT\|tests, --browser firefox\n$/,
    );
  }
});
