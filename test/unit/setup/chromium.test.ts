import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectCopy } from './project-copy.ts';

/** The step, on a machine with programs that report a version. */
async function withPrograms(t: TestContext) {
  const { folder, step } = projectCopy(t);
  const chromium = await step('chromium');
  const original = process.env.CHROMIUM_PATH;
  t.after(() => setPath(original));
  t.mock.method(console, 'error', () => {});
  return {
    folder,
    chromium,
    program(name: string, says: string) {
      const file = path.join(folder, name);
      writeFileSync(file, `#!/bin/sh\necho '${says}'\n`);
      chmodSync(file, 0o755);
      return file;
    },
    found: () =>
      JSON.parse(readFileSync(path.join(folder, '.setup/machine.json'), 'utf8')).chromium,
  };
}

function setPath(file: string | undefined): void {
  if (file === undefined) delete process.env.CHROMIUM_PATH;
  else process.env.CHROMIUM_PATH = file;
}

test('uses the browser in CHROMIUM_PATH, and the next one when it changes', async (t) => {
  const { chromium, program, found } = await withPrograms(t);
  for (const [name, says] of [
    ['one', 'Chromium 150.0.1.1 built on Debian'],
    ['two', 'Google Chrome 151.0.1.1'],
    ['chromium-headless-shell', 'Chromium 150.0.1.1'],
    ['headless_shell', 'HeadlessChrome 150.0.1.1'],
  ] as const) {
    const file = program(name, says);
    setPath(file);
    assert.equal(await chromium.isDone(), false);
    await chromium.run();
    assert.equal(await chromium.isDone(), true);
    assert.equal(found(), file);
  }
});

test('searches for the browser anew once CHROMIUM_PATH is unset', async (t) => {
  const { chromium, program } = await withPrograms(t);
  setPath(program('chromium', 'Chromium 150.0.1.1'));
  await chromium.run();
  for (const unset of [undefined, '']) {
    setPath(unset);
    assert.equal(await chromium.isDone(), false);
  }
});

test('requires CHROMIUM_PATH to name an existing, runnable Chromium', async (t) => {
  const { folder, chromium, program } = await withPrograms(t);
  const text = path.join(folder, 'text');
  writeFileSync(text, '');
  for (const [file, problem] of [
    ['/nowhere/chromium', /CHROMIUM_PATH is \/nowhere\/chromium, which is not there/],
    [text, /which is no program/],
    [folder, /which is no program/],
    [program('firefox', 'Mozilla Firefox 140.0'), /which is no Chromium.*Mozilla Firefox 140\.0/],
    [program('chromedriver', 'ChromeDriver 150.0.1.1'), /which is no Chromium/],
  ] as const) {
    setPath(file);
    await assert.rejects(async () => chromium.run(), problem);
    await assert.rejects(async () => chromium.run(), /Chromium or Chrome binary, or unset it/);
  }
});
