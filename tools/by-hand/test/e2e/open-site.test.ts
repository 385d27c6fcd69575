import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { siteFolder } from '../../../../cache/catalogue.ts';
import { readManifest } from '../../../../cache/manifest.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { shownRows } from '../../../../test/e2e/devtools/devtools.ts';
import { assertNothingLeft } from '../../../../test/e2e/left-behind.ts';
import { agentOf } from '../../../../test/e2e/processes.ts';
import { TESTED_STACKS } from '../../../../test/e2e/tested-stacks.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { type OpenedWindow, withOpenedWindow } from './opened-window.ts';
import { withScreen } from './screen.ts';

const SITE = 'www.example.org';
const { url } = await readManifest(siteFolder(SITE));

/** Opens the site on a separate screen; returns the exit status, when nothing is left of it. */
async function opened(
  words: readonly string[],
  use: (window: OpenedWindow) => Promise<void>,
  { byPort = false } = {},
): Promise<{ status: number | null; output: string }> {
  const reachedAt = byPort ? ['-listen', 'tcp', '-nolisten', 'unix'] : ['-nolisten', 'tcp'];
  return withScreen(
    (number) =>
      withTemporaryFolder(async (folder) => {
        const display = byPort ? `localhost${number}` : number;
        const command = await withOpenedWindow([SITE, ...words], { display, folder }, use);
        await assertNothingLeft(command);
        return { status: await command.ended, output: command.output() };
      }),
    reachedAt,
  );
}

async function pageIn(browser: Browser, wanted: (url: string) => boolean): Promise<Page> {
  const target = await browser.waitForTarget((each) => wanted(each.url()));
  const page = await target.page();
  assert.ok(page);
  return page;
}

async function keepScreenshot(page: Page, name: string): Promise<void> {
  const { TEST_SCREENSHOTS: folder } = process.env;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.png`), await page.screenshot());
}

for (const { stack, protocol } of TESTED_STACKS) {
  test(`${stack}: shows the protocol in the DevTools of the window, and ends everything on closing it`, async () => {
    const { status, output } = await opened(
      ['--stack', stack, '--rtt', '10', '--devtools'],
      async ({ browser, command }) => {
        const devTools = await pageIn(browser, (each) => each.startsWith('devtools://'));
        const page = await pageIn(browser, (each) => each === url);
        const [document] = await shownRows(devTools, ['name', 'protocol']);
        // A new browser uses HTTP/2 first where it may choose.
        const expected = protocol === 'h2+h3' ? 'h2' : protocol;
        assert.deepEqual(document, { name: 'www.example.org', protocol: expected });
        assert.equal(await page.evaluate(() => window.document.visibilityState), 'visible');
        await keepScreenshot(devTools, `open-${stack}`);
        // Like a person, without signals.
        await page.close();
        await command.ended;
      },
    );
    assert.equal(status, 0, output);
  });
}

test('shows only the page without --devtools, and closes its window on Ctrl-C', async () => {
  const { status, output } = await opened(['--stack', 'bun-h2'], async ({ browser }) => {
    const page = await pageIn(browser, (each) => each === url);
    await page.waitForFunction(() => document.readyState === 'complete');
    assert.ok(!browser.targets().some((each) => each.url().startsWith('devtools://')));
  });
  assert.equal(status, 130, output);
});

test("forwards a screen behind a port, as that of ssh -X, to the path's end", async () => {
  const { status, output } = await opened(
    ['--stack', 'bun-h2'],
    async ({ browser }) => {
      const page = await pageIn(browser, (each) => each === url);
      await page.waitForFunction(() => document.visibilityState === 'visible');
    },
    { byPort: true },
  );
  assert.equal(status, 130, output);
});

test('closes the window when a path breaks, and reports it', async () => {
  const { status, output } = await opened(['--stack', 'bun-h2'], async ({ command }) => {
    process.kill(agentOf(command.child.pid ?? 0).pid, 'SIGKILL');
    await command.ended;
  });
  assert.equal(status, 5, output);
  assert.match(output, /path agent ended \(SIGKILL\) unexpectedly/);
});

test('rejects a site that the cache lacks', () =>
  withScreen(async (display) => {
    const command = startProgram(['open', 'www.example.orgg'], { DISPLAY: display });
    assert.equal(await command.ended, 2, command.output());
    assert.match(command.output(), /Did you mean www\.example\.org\?/);
    await assertNothingLeft(command);
  }));

const REFUSED: readonly [string, string[], Record<string, string>, number, RegExp][] = [
  [
    'without a screen, before anything is made',
    [SITE],
    { DISPLAY: '', WAYLAND_DISPLAY: '' },
    3,
    /^There is no screen .* npm run serve/,
  ],
  [
    'on a screen that is not there',
    [SITE],
    { DISPLAY: ':4321', WAYLAND_DISPLAY: '' },
    3,
    /^The screen does not respond: DISPLAY=:4321/,
  ],
  ['of two sites', [SITE, 'www.iana.org'], {}, 2, /^Only one site at a time: .*www\.iana\.org/],
  ['of a HAR with a stack', ['page.har', '--stack', 'bun-h2'], {}, 2, /^--stack needs a site/],
];

for (const [what, words, env, status, reason] of REFUSED) {
  test(`opens nothing ${what}`, async () => {
    const command = startProgram(['open', ...words], env);
    assert.equal(await command.ended, status, command.output());
    assert.match(command.output(), reason);
    await assertNothingLeft(command);
  });
}
