import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { readMachine } from '../../runner/machine.ts';

export const { chromium } = readMachine();
const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Results of axe-core in the page, as far as they are used here. */
interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

type Scheme = 'light' | 'dark';

/** Complaints of a reader's browser about the page. */
export interface OpenedPage {
  page: Page;
  /** Errors and warnings of the console, and exceptions of the page. */
  complaints: string[];
  /** Addresses of all requests. */
  requests: string[];
}

/** Requests of all pages, from the first one on. */
let browser: Promise<Browser> | undefined;

after(async () => (await browser)?.close());

function launch(): Promise<Browser> {
  return puppeteer.launch({
    executablePath: chromium,
    pipe: true,
    defaultViewport: { width: 1366, height: 900 },
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

/** Opens a file as a reader does. */
export async function withFile(
  file: string,
  scheme: Scheme,
  use: (opened: OpenedPage) => Promise<void>,
): Promise<void> {
  browser ??= launch();
  const context = await (await browser).createBrowserContext();
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    page.on('dialog', (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(pathToFileURL(file).href);
    await use({ page, complaints, requests });
  } finally {
    await context.close();
  }
}

/** Opens a file in the light and in the dark theme. */
export async function inBothThemes(
  t: TestContext,
  file: string,
  use: (opened: OpenedPage) => Promise<void>,
): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await t.test(`in the ${scheme} theme`, () => withFile(file, scheme, use));
  }
}

/** Opens everything that can be opened. */
export async function openAll(page: Page): Promise<void> {
  await page.$$eval('details', (all) => {
    for (const details of all) details.open = true;
  });
}

/** Findings of axe-core in the current page. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.map(({ id, impact, nodes }) =>
      [`${impact} ${id}:`, ...nodes.slice(0, 3).map((node) => node.html.slice(0, 160))].join(' '),
    );
  });
}

/**
 * Asserts that a page has no complaints, no findings of axe, and at most the width of a telephone.
 */
export async function assertForEveryone(page: Page, complaints: readonly string[]): Promise<void> {
  assert.deepEqual(await violationsOf(page), []);
  await page.setViewport({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(complaints, []);
}
