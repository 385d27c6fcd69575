import type { Browser, Page } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { MachineError } from '../../ground/system/errors.ts';
import { LIMITS } from '../browser-limits.ts';

/**
 * Opens DevTools next to the first tab, whose profile has DEVTOOLS_PREFERENCES, and loads the page once they watch the tab, so that
 * the Network panel shows every request.
 * @throws MachineError if this Chromium opens no DevTools, or an unknown version
 */
export async function openWithNetworkPanel(browser: Browser, url: string): Promise<void> {
  const [page = await browser.newPage()] = await browser.pages();
  const refused = async (reason: string) => {
    throw new MachineError(
      `The DevTools of ${await browser.version()} did not open: ${reason.split('\n', 1)[0]}. Run without --devtools, and press F12 in the window.`,
    );
  };
  const late = () => refused(`they were not ready within ${LIMITS.browserStartMs / 1000} s`);
  const opened = page.openDevTools().then(untilWatching);
  await withDeadline(opened, LIMITS.browserStartMs, late).catch((error: Error) =>
    error instanceof MachineError ? Promise.reject(error) : refused(error.message),
  );
  const session = await page.createCDPSession();
  // The window shows the user if a page fails.
  await session.send('Page.navigate', { url });
}

async function untilWatching(devTools: Page): Promise<void> {
  await devTools.evaluate(async () => {
    const modules = 'devtools://devtools/bundled';
    const { TargetManager } = await import(`${modules}/core/sdk/sdk.js`);
    const watched = () => {
      try {
        return TargetManager.TargetManager.instance().primaryPageTarget();
      } catch {
        return null;
      }
    };
    // The tab becomes the primary target last.
    while (!watched()) await new Promise((resolve) => setTimeout(resolve, 50));
    // Its response follows those to all earlier DevTools commands.
    await watched().networkAgent().invoke_enable({});
  });
}
