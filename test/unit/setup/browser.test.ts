import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BROWSERS, type BrowserKind } from '../../../ground/browser-kind.ts';
import { projectCopy } from './project-copy.ts';

/** The step of a browser, on a machine with programs that report a version. */
async function withPrograms(t: TestContext, kind: BrowserKind) {
  const { folder, step } = projectCopy(t);
  const { variable, foundFile } = BROWSERS[kind];
  const original = process.env[variable];
  t.after(() => setPath(original));
  t.mock.method(console, 'error', () => {});
  function program(name: string, says: string, status = 0) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho '${says}'\nexit ${status}\n`);
    chmodSync(file, 0o755);
    return file;
  }
  function setPath(file: string | undefined): void {
    if (file === undefined) delete process.env[variable];
    else process.env[variable] = file;
  }
  return {
    folder,
    browser: await step(kind),
    program,
    setPath,
    found: () => JSON.parse(readFileSync(path.join(folder, '.setup', foundFile), 'utf8'))[kind],
  };
}

const VERSIONS = {
  chromium: [
    ['one', 'Chromium 150.0.1.1 built on Debian'],
    ['two', 'Google Chrome 151.0.1.1'],
    ['chromium-headless-shell', 'Chromium 150.0.1.1'],
    ['headless_shell', 'HeadlessChrome 150.0.1.1'],
  ],
  firefox: [
    ['one', 'Mozilla Firefox 153.8.0esr'],
    ['two', 'Mozilla Firefox 160.0a1'],
    ['three', 'Mozilla Firefox 138.0'],
  ],
} as const;

const OTHERS = {
  chromium: [
    ['firefox', 'Mozilla Firefox 140.0', /which is no Chromium.*Mozilla Firefox 140\.0/],
    ['chromedriver', 'ChromeDriver 150.0.1.1', /which is no Chromium/],
  ],
  firefox: [
    ['chrome', 'Chromium 150.0.1.1', /which is no Firefox.*Chromium 150\.0\.1\.1/],
    ['geckodriver', 'geckodriver 0.36.0', /which is no Firefox/],
    ['old', 'Mozilla Firefox 128.14.0esr', /which is Firefox 128\.14\.0esr, and 138 or newer/],
  ],
} as const;

for (const kind of ['chromium', 'firefox'] as const) {
  const { variable, noun } = BROWSERS[kind];

  test(`uses the browser in ${variable}, and the next one when it changes`, async (t) => {
    const { browser, program, setPath, found } = await withPrograms(t, kind);
    for (const [name, says] of VERSIONS[kind]) {
      const file = program(name, says);
      setPath(file);
      assert.equal(await browser.isDone(), false);
      await browser.run();
      assert.equal(await browser.isDone(), true);
      assert.equal(found(), file);
    }
  });

  test(`searches for the browser anew once ${variable} is unset`, async (t) => {
    const { browser, program, setPath } = await withPrograms(t, kind);
    setPath(program('program', VERSIONS[kind][0][1]));
    await browser.run();
    for (const unset of [undefined, '']) {
      setPath(unset);
      assert.equal(await browser.isDone(), false);
    }
  });

  test(`requires ${variable} to name an existing, runnable program of its kind`, async (t) => {
    const { folder, browser, program, setPath } = await withPrograms(t, kind);
    const text = path.join(folder, 'text');
    writeFileSync(text, '');
    for (const [file, problem] of [
      ['/nowhere/browser', new RegExp(`${variable} is /nowhere/browser, which is not there`)],
      [text, /which is no program/],
      [folder, /which is no program/],
      [program('broken', VERSIONS[kind][0][1], 1), /which is no /],
      ...OTHERS[kind].map(([name, says, said]) => [program(name, says), said] as const),
    ] as const) {
      setPath(file);
      await assert.rejects(async () => browser.run(), problem);
      await assert.rejects(async () => browser.run(), new RegExp(`${noun} binary, or unset it`));
    }
  });
}

test('rejects a snap of Firefox, which is a link to the program that starts snaps', async (t) => {
  const { folder, browser, program, setPath } = await withPrograms(t, 'firefox');
  const link = path.join(folder, 'firefox');
  symlinkSync(program('bin/snap', 'Mozilla Firefox 153.0'), link);
  setPath(link);
  await assert.rejects(async () => browser.run(), /which is a snap/);
});

test('uses the first installed browser that is usable, and else says how to get one', async (t) => {
  const { folder, program } = await withPrograms(t, 'firefox');
  // In the place of the system's, which a root of Debian may use.
  program('bin/apt-get', 'E: no such package', 100);
  const module = pathToFileURL(path.join(folder, 'setup', 'browser.ts')).href;
  const { browserStep } = (await import(module)) as typeof import('../../../setup/browser.ts');
  const stepOf = (...paths: string[]) =>
    browserStep({
      kind: 'firefox',
      paths,
      debianPackage: 'the-package',
      isBrowser: (version) => version.startsWith('Browser'),
      problemOf: (_, version) => (version.startsWith('Browser 1') ? 'is old' : null),
      download: async () => ({ way: 'download it' }),
    });
  const old = program('old', 'Browser 1');
  const usable = program('usable', 'Browser 2');
  const found = stepOf('/nowhere/browser', old, usable);
  await found.run();
  assert.equal(await found.isDone(), true);
  const stamp = path.join(folder, '.setup', BROWSERS.firefox.foundFile);
  assert.equal(JSON.parse(readFileSync(stamp, 'utf8')).firefox, usable);
  await assert.rejects(
    async () => stepOf('/nowhere/browser', old).run(),
    (error: Error) =>
      [
        'No Firefox was found and none could be installed. Ways to get one:',
        '  - set FIREFOX_PATH to a Firefox binary',
        `  - install Firefox (looked for: /nowhere/browser, ${old})`,
        '  - on Debian, run this as root: it then installs the package the-package',
        '  - download it',
      ].join('\n') === error.message,
  );
});
