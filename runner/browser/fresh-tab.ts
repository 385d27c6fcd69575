import type { Browser, Target } from 'puppeteer-core';

/**
 * Opens an empty tab and closes all others, with the processes and the caches in memory of the pages they held. For the
 * page that is loaded into it, it is like a browser that was not closed since its last visit.
 */
export async function freshTab(browser: Browser): Promise<Target> {
  const others = browser.targets().filter((target) => target.type() === 'page');
  const page = await browser.newPage();
  for (const other of others) {
    const otherPage = await other.page();
    await otherPage?.close();
  }
  return page.target();
}
