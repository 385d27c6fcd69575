import type { Browser, Page, WindowBounds } from 'puppeteer-core';
import { MachineError, UsageError } from '../../ground/system/errors.ts';
import { LIMITS } from './limits.ts';

/** A HAR that a person wants to see. */
export interface HarWindow {
  /** What its window is called. */
  title: string;
  /** Where it lies. */
  file: string;
  /** Where it lies as JSON. */
  unpacked: string;
  entries: number;
}

/** The DevTools that Chromium brings, as a page of its own, at their Network panel. */
const DEVTOOLS = 'devtools://devtools/bundled/devtools_app.html?panel=network';

/** A list is drawn by then; it is drawn as the browser has time to. */
const DRAW_MS = 500;

/** Less than this of a window, in pixels, has no room for requests. */
const MIN_HEIGHT_PX = 400;

/**
 * Opens the DevTools for each HAR, in windows one below the other, so that their waterfalls can be compared.
 * @throws UsageError when the DevTools refuse a HAR; MachineError when they are not as those known
 */
export async function showHars(browser: Browser, hars: readonly HarWindow[]): Promise<void> {
  const [first = await browser.newPage()] = await browser.pages();
  const places = await windowBoundsFor(first, hars.length);
  for (const [index, har] of hars.entries()) {
    const windowBounds = places[index] as WindowBounds;
    const page = index === 0 ? first : await browser.newPage({ type: 'window', windowBounds });
    if (index === 0) await browser.setWindowBounds(await first.windowId(), windowBounds);
    try {
      await importHar(page, har);
    } catch (error) {
      // Its window was closed meanwhile.
      if (page.isClosed()) continue;
      if (error instanceof UsageError) throw error;
      throw new MachineError(
        `The DevTools of ${await browser.version()} did not import the HAR: ${(error as Error).message.split('\n', 1)[0]}. Import it by hand: in Chromium, open DevTools (F12), and drag this file onto the Network panel, unpacked: ${har.file}`,
      );
    }
  }
}

/** The screen, divided among windows from top to bottom; what does not fit is laid over the others. */
async function windowBoundsFor(page: Page, windows: number): Promise<WindowBounds[]> {
  const { width, height } = await page.evaluate(() => ({
    width: screen.availWidth,
    height: screen.availHeight,
  }));
  const rows = Math.max(1, Math.min(windows, Math.floor(height / MIN_HEIGHT_PX)));
  const rowHeight = Math.floor(height / rows);
  return Array.from({ length: windows }, (_, index) => ({
    left: 0,
    top: (index % rows) * rowHeight,
    width,
    height: rowHeight,
  }));
}

async function importHar(page: Page, { title, file, unpacked, entries }: HarWindow): Promise<void> {
  await page.goto(DEVTOOLS, { timeout: LIMITS.browserStartMs });
  const input = await page.evaluateHandle(() => {
    const made = document.createElement('input');
    made.type = 'file';
    return made;
  });
  await input.uploadFile(unpacked);
  const { imported, refusal } = await page.evaluate(
    async (element, name, drawnMs) => {
      const harModule = 'devtools://devtools/bundled/models/har/har.js';
      const logsModule = 'devtools://devtools/bundled/models/logs/logs.js';
      const networkModule = 'devtools://devtools/bundled/panels/network/network.js';
      const { HARFormat, Importer } = await import(harModule);
      const { NetworkLog } = await import(logsModule);
      const { NetworkPanel } = await import(networkModule);
      // It draws what comes once it is there.
      const panel = NetworkPanel.NetworkPanel.instance();
      const { HARRoot } = HARFormat;
      const { requestsFromHARLog } = Importer.Importer;
      const log = NetworkLog.NetworkLog.instance();
      const har = JSON.parse((await element.files?.[0]?.text()) ?? '');
      let requests: unknown[];
      try {
        requests = requestsFromHARLog.call(Importer.Importer, new HARRoot(har).log);
      } catch (error) {
        return { imported: 0, refusal: String(error) };
      }
      log.importRequests(requests);
      document.title = name;
      // It shows the end of a list, as of one that grows: to scroll back is a favour, not what this is for.
      await new Promise((resolve) => setTimeout(resolve, drawnMs));
      panel.networkLogView?.columns?.()?.waterfallScroller?.scrollTo?.(0, 0);
      return { imported: log.requests().length as number, refusal: null };
    },
    input,
    title,
    DRAW_MS,
  );
  if (refusal !== null) throw new UsageError(`${file} is no HAR that DevTools read: ${refusal}`);
  if (imported !== entries) throw new Error(`of ${entries} requests ${imported} came in`);
}
