import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Page } from 'puppeteer-core';

/** A request in Chromium's DevTools after the import of a HAR. */
export interface DevToolsRow {
  url: string;
  method: string;
  status: number;
  protocol: string;
  resourceType: string;
  priority: string | null;
  initiatorType: string;
  remoteAddress: string;
  connectionId: string;
  fromCache: boolean;
  postData: string | null;
  requestCookies: string[];
  responseCookies: string[];
  /** Size of the decoded body. */
  resourceBytes: number;
  transferBytes: number;
  startedAtMs: number;
  durationMs: number;
  /** Chromium's ResourceTiming, in ms since the start; -1: did not take place. */
  connectMs: [start: number, end: number];
  sslMs: [start: number, end: number];
}

/**
 * Imports a HAR with the code of the DevTools in the installed Chromium, without their window.
 * @throws what the DevTools throw at a HAR that they cannot read.
 */
export async function importIntoDevTools(
  chromiumPath: string,
  harFile: string,
): Promise<DevToolsRow[]> {
  const har = await readFile(harFile, 'utf8');
  return withDevTools(chromiumPath, (page) =>
    page.evaluate(async (text) => {
      const devToolsModule = 'devtools://devtools/bundled/models/har/har.js';
      const { HARFormat, Importer } = await import(devToolsModule);
      const root = new HARFormat.HARRoot(JSON.parse(text));
      const requests = Importer.Importer.requestsFromHARLog(root.log);
      return Promise.all(
        // biome-ignore lint/suspicious/noExplicitAny: the DevTools have no types here
        requests.map(async (request: any): Promise<DevToolsRow> => {
          const names = (cookies: { name(): string }[]) => cookies.map((each) => each.name());
          return {
            url: request.url(),
            method: request.requestMethod,
            status: request.statusCode,
            protocol: request.protocol,
            resourceType: request.resourceType().name(),
            priority: request.priority(),
            initiatorType: request.initiator()?.type ?? '',
            remoteAddress: request.remoteAddress(),
            connectionId: request.connectionId,
            fromCache: request.cached(),
            postData: await request.requestFormData(),
            requestCookies: names(
              request.includedRequestCookies().map(({ cookie }: { cookie: never }) => cookie),
            ),
            responseCookies: names(request.responseCookies),
            resourceBytes: request.resourceSize,
            transferBytes: request.transferSize,
            startedAtMs: request.issueTime() * 1000,
            durationMs: (request.endTime - request.startTime) * 1000,
            connectMs: [request.timing.connectStart, request.timing.connectEnd],
            sslMs: [request.timing.sslStart, request.timing.sslEnd],
          };
        }),
      );
    }, har),
  );
}

/** Visible content of the Network panel after the import. */
export interface NetworkPanel {
  /** The rows in view; a long list is drawn only in part. */
  rows: { name: string; status: string; type: string }[];
  /** For example `26 requests203 kB transferred206 kB resources`. */
  summary: string;
}

/** Imports a HAR as a person does: with the button of the Network panel. */
export async function importByButton(chromiumPath: string, harFile: string): Promise<NetworkPanel> {
  return withDevTools(chromiumPath, async (page) => {
    const button = await page.waitForSelector('>>> devtools-button[aria-label^="Import HAR"]');
    if (!button) throw new Error('the Network panel has no button to import a HAR');
    const [chooser] = await Promise.all([page.waitForFileChooser(), button.click()]);
    await chooser.accept([harFile]);
    const { entries } = JSON.parse(await readFile(harFile, 'utf8')).log;
    const rows = await shownRows(page, ['name', 'status', 'type'], entries.length);
    const summary = await settledSummary(page);
    return { rows, summary };
  });
}

/**
 * Texts of these columns of the Network panel, as soon as its list is drawn; of a long list only
 * the visible part.
 * @param requests number to wait for: a window without time draws and counts some of them first
 */
export async function shownRows<Column extends string>(
  page: Page,
  columns: readonly Column[],
  requests = 1,
): Promise<Record<Column, string>[]> {
  await page.waitForSelector(ROW);
  const isWhole = async () =>
    (await page.$$(ROW)).length >= requests &&
    Number.parseInt(await summaryOf(page), 10) >= requests;
  for (let wait = 0; wait < 200 && !(await isWhole()); wait += 1) await sleep(100);
  await settledSummary(page);
  return page.$$eval(
    ROW,
    (elements, names) =>
      elements.map((element) => {
        const cell = (name: string) => {
          const column = element.querySelector(`.${name}-column`)?.cloneNode(true);
          // The second line of a cell: the host of a name, the text of a status.
          (column as Element | undefined)?.querySelector('.network-cell-subtitle')?.remove();
          return column?.textContent?.trim() ?? '';
        };
        return Object.fromEntries(names.map((name) => [name, cell(name)])) as never;
      }),
    columns,
  );
}

const ROW = '>>> .network-log-grid tr.data-grid-data-grid-node';

/** The line below the list. */
function summaryOf(page: Page): Promise<string> {
  return page.$eval('>>> .network-summary-bar', (bar) => bar.textContent ?? '');
}

/** The same once it no longer changes. */
async function settledSummary(page: Page): Promise<string> {
  for (let before = ''; ; await sleep(300)) {
    const now = await summaryOf(page);
    if (now !== '' && now === before) return now;
    before = now;
  }
}

async function withDevTools<T>(chromiumPath: string, use: (page: Page) => Promise<T>): Promise<T> {
  const browser = await puppeteer.launch({
    executablePath: chromiumPath,
    pipe: true,
    defaultViewport: { width: 1600, height: 1000 },
    // Previews of imported images must reach no host.
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  try {
    const page = await browser.newPage();
    await page.goto('devtools://devtools/bundled/devtools_app.html?panel=network');
    return await use(page);
  } finally {
    await browser.close();
  }
}
