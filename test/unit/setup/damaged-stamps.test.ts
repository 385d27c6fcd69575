import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browserFoundBySetUp } from '../../../runner/machine.ts';
import type { Step } from '../../../setup/step.mjs';
import { temporaryFolder } from '../../temporary-folder.ts';
import { DAMAGES } from './damaged.ts';
import { projectCopy } from './project-copy.ts';

/** A step that works here, and its stamp. */
interface Stamped {
  step: Step;
  stamp: string;
}

/** Steps with a stamp, of every kind. */
const STEPS: Record<string, (t: TestContext) => Promise<Stamped>> = {
  async runtime(t) {
    const { folder, load } = project(t);
    writeFileSync(path.join(folder, 'requirements.txt'), 'flask');
    const program = path.join(folder, 'python');
    const { runtimeStep } = await load('runtime-step.ts');
    const install = {
      title: 'installing',
      madeFrom: ['requirements.txt'],
      run: async () => {
        writeFileSync(program, '');
        return null;
      },
    };
    return stamped(folder, 'python', runtimeStep({ name: 'python', program, install }));
  },
  async browser(t) {
    const { folder, load } = project(t);
    const program = path.join(folder, 'chromium');
    writeFileSync(program, "#!/bin/sh\necho 'Chromium 150.0.1.1'\n");
    chmodSync(program, 0o755);
    const before = process.env.CHROMIUM_PATH;
    t.after(() => {
      if (before === undefined) delete process.env.CHROMIUM_PATH;
      else process.env.CHROMIUM_PATH = before;
    });
    process.env.CHROMIUM_PATH = program;
    return stamped(folder, 'machine.json', (await load('chromium.ts')).chromium);
  },
  async sites(t) {
    const { folder, load } = project(t);
    for (const name of ['generator/a', 'shapes/a', 'importers/a', 'manifest.ts']) {
      const file = path.join(folder, 'cache', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    writeFileSync(path.join(folder, 'package-lock.json'), '{}');
    writeFileSync(
      path.join(folder, 'cache', 'fill.ts'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
      export function fillCache() {
        const site = import.meta.dirname + '/sites/made.test';
        mkdirSync(site + '/bodies', { recursive: true });
        writeFileSync(site + '/index.json', '{"kind":"generated"}');
        return { done: 'filled', problem: null };
      }`,
    );
    return stamped(folder, 'sites', (await load('sites.ts')).sites);
  },
};

function project(t: TestContext) {
  t.mock.method(console, 'error', () => {});
  const { folder } = projectCopy(t);
  const load = (file: string) => import(pathToFileURL(path.join(folder, 'setup', file)).href);
  return { folder, load };
}

function stamped(folder: string, name: string, step: Step): Stamped {
  return { step, stamp: path.join(folder, '.setup', name) };
}

for (const [kind, make] of Object.entries(STEPS)) {
  test(`treats every damaged stamp as missing, and writes it anew: ${kind}`, async (t) => {
    const { step, stamp } = await make(t);
    await step.run();
    assert.equal(step.isDone(), true);
    const whole = readFileSync(stamp, 'utf8');
    for (const [damage, damageFile] of Object.entries(DAMAGES)) {
      damageFile(stamp);
      assert.equal(step.isDone(), false, damage);
      await step.run();
      assert.equal(step.isDone(), true, damage);
      assert.ok(lstatSync(stamp).isFile(), damage);
      assert.equal(readFileSync(stamp, 'utf8').length, whole.length, damage);
    }
  });
}

test('recognizes a step that was begun before by its stamp, however damaged', async (t) => {
  const { folder, load } = project(t);
  const { hasStamp, writeStamp } = await load('folders.mjs');
  const stamp = path.join(folder, '.setup', 'python');
  assert.equal(hasStamp('python'), false);
  for (const [damage, damageFile] of Object.entries(DAMAGES)) {
    if (damage === 'missing') continue;
    writeStamp('python', 'text');
    damageFile(stamp);
    assert.equal(hasStamp('python'), true, damage);
  }
});

test('makes a runtime again whose set-up was killed, although its program is there', async (t) => {
  const { folder, load } = project(t);
  writeFileSync(path.join(folder, 'requirements.txt'), 'flask');
  const program = path.join(folder, 'python');
  const { runtimeStep } = await load('runtime-step.ts');
  let isKilled = false;
  const install = {
    title: 'installing',
    madeFrom: ['requirements.txt'],
    async run() {
      writeFileSync(program, '');
      if (isKilled) throw new Error('killed');
      return null;
    },
  };
  const step: Step = runtimeStep({ name: 'python', program, install });
  await step.run();
  isKilled = true;
  await assert.rejects(async () => step.run(), /killed/);
  assert.equal(step.isDone(), false);
  isKilled = false;
  await step.run();
  assert.equal(step.isDone(), true);
});

test('names the remedy in commands if files of set-up are missing or damaged', (t) => {
  const folder = temporaryFolder(t);
  for (const [kind, name, remedy] of [
    ['chromium', 'machine.json', /Run: npm run setup$/],
    ['firefox', 'firefox.json', /Run: npm run setup -- --browser firefox$/],
  ] as const) {
    const file = path.join(folder, name);
    const found = `/usr/bin/${kind}`;
    const rejected = { name: 'MachineError', message: remedy };
    assert.throws(() => browserFoundBySetUp(kind, folder), rejected);
    writeFileSync(path.join(folder, 'whole'), JSON.stringify({ [kind]: found }));
    for (const [damage, damageFile] of Object.entries(DAMAGES)) {
      cpSync(path.join(folder, 'whole'), file);
      assert.equal(browserFoundBySetUp(kind, folder), found);
      damageFile(file);
      assert.throws(() => browserFoundBySetUp(kind, folder), rejected, damage);
      rmSync(file, { recursive: true, force: true });
    }
  }
});
