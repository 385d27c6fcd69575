import type { Browser, Page } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { MachineError } from '../../ground/system/errors.ts';
import { LIMITS } from './limits.ts';

/**
 * Opens DevTools beside the first tab, whose profile has DEVTOOLS_PREFERENCES, and when they watch it, the page in it: all that it loads is
 * in their Network panel.
 * @throws MachineError when this Chromium opens no DevTools, or others than those known
 */
export async function openWithNetworkPanel(browser: Browser, url: string): Promise<void> {
  const [page = await browser.newPage()] = await browser.pages();
  const refused = async (reason: string) => {
    throw new MachineError(
      `The DevTools of ${await browser.version()} did not open: ${reason.split('\n', 1)[0]}. Leave --devtools out, and press F12 in the window.`,
    );
  };
  const late = () => refused(`they were not ready within ${LIMITS.browserStartMs / 1000} s`);
  const opened = page.openDevTools().then(untilWatching);
  await withDeadline(opened, LIMITS.browserStartMs, late).catch((error: Error) =>
    error instanceof MachineError ? Promise.reject(error) : refused(error.message),
  );
  const session = await page.createCDPSession();
  // A page that fails is news for whoever sees the window.
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
    // They are told of the tab last.
    while (!watched()) await new Promise((resolve) => setTimeout(resolve, 50));
    // When this is answered, so is all that they had asked of the tab before.
    await watched().networkAgent().invoke_enable({});
  });
}
