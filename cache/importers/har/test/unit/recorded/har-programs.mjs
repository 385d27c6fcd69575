/** Programs that write HARs, for `make-hars.mjs` and `make-odd-hars.mjs`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium';
const playwright = process.env.PLAYWRIGHT_FOLDER ?? 'playwright-core';

/** Chromium driven by Playwright. */
export async function launchByPlaywright(options) {
  const { chromium } = await import(
    playwright.startsWith('/') ? pathToFileURL(`${playwright}/index.mjs`) : playwright
  );
  return chromium.launch({ executablePath, ...options });
}

/** Chromium with these flags. */
export const launch = (args) =>
  puppeteer.launch({
    executablePath,
    args: [...args, '--no-sandbox', '--remote-allow-origins=*'],
  });

/**
 * Passes on a tab, and a function that saves a HAR of its loads: the DevTools in a separate tab,
 * connected to the first by the debugging port, build the HAR of their button, or without content
 * that of extensions.
 */
export async function withDevTools(args, use) {
  const browser = await launch(args);
  try {
    const tab = await browser.newPage();
    const devTools = await browser.newPage();
    const { host } = new URL(browser.wsEndpoint());
    await devTools.goto(
      `devtools://devtools/bundled/devtools_app.html?ws=${host}/devtools/page/${tab.target()._targetId}&panel=network`,
    );
    await devTools.waitForFunction(() => document.querySelector('.widget') !== null);
    await sleep(3000);
    return await use(tab, (withContent) => devTools.evaluate(builtHar, withContent));
  } finally {
    await browser.close();
  }
}

/** Runs in the DevTools. */
async function builtHar(withContent) {
  const base = 'devtools://devtools/bundled/';
  const Logs = await import(`${base}models/logs/logs.js`);
  const { Log, Writer } = await import(`${base}models/har/har.js`);
  const requests = Logs.NetworkLog.NetworkLog.instance().requests();
  if (!withContent) {
    return JSON.stringify({ log: await Log.Log.build(requests, { sanitize: false }) }, null, 1);
  }
  let text = '';
  const output = {
    write: async (part) => {
      text += part;
    },
  };
  const progress = {
    setTitle() {},
    setTotalWork() {},
    setWorked() {},
    done() {},
    incrementWorked() {},
    isCanceled: () => false,
    canceled: false,
  };
  await Writer.Writer.write(output, requests, { sanitize: false }, progress);
  return text;
}
