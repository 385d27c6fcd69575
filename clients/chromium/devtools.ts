import type { Browser, Page, WindowBounds } from 'puppeteer-core';
import { MachineError, UsageError } from '../../ground/system/errors.ts';
import { LIMITS } from '../browser-limits.ts';

export interface HarWindow {
  title: string;
  file: string;
  /** Path of the HAR as uncompressed JSON. */
  unpacked: string;
  entries: number;
}

/** Chromium's bundled DevTools as a page, with the Network panel open. */
const DEVTOOLS = 'devtools://devtools/bundled/devtools_app.html?panel=network';

/** Time to draw a list. */
const DRAW_MS = 500;

/** Smallest height of a window with room for requests. */
const MIN_HEIGHT_PX = 400;

/**
 * Opens the DevTools for each HAR in windows one below the other, to compare their waterfalls.
 * @throws UsageError if the DevTools reject a HAR; MachineError if these DevTools are unknown
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
      // The user closed its window.
      if (page.isClosed()) continue;
      if (error instanceof UsageError) throw error;
      throw new MachineError(
        `The DevTools of ${await browser.version()} did not import the HAR: ${(error as Error).message.split('\n', 1)[0]}. Import it by hand: in Chromium, open DevTools (F12), and drag this file onto the Network panel, unpacked: ${har.file}`,
      );
    }
  }
}

/** Divides the screen among windows from top to bottom; excess windows overlap the last. */
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
      // Requests appear only once the panel exists.
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
      // The panel scrolls to the end of a list; scrolling back is optional.
      await new Promise((resolve) => setTimeout(resolve, drawnMs));
      panel.networkLogView?.columns?.()?.waterfallScroller?.scrollTo?.(0, 0);
      return { imported: log.requests().length as number, refusal: null };
    },
    input,
    title,
    DRAW_MS,
  );
  if (refusal !== null) throw new UsageError(`DevTools cannot read the HAR ${file}: ${refusal}`);
  if (imported !== entries) throw new Error(`${imported} of ${entries} requests were imported`);
}
