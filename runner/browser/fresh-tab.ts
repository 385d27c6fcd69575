import type { Browser, Target } from 'puppeteer-core';

/**
 * Opens an empty tab and closes all others, with the processes and the caches in memory of the pages they held. For the
 * page that is loaded into it, it is like a browser that was not closed since its last visit.
 */
export async function freshTab(browser: Browser): Promise<Target> {
  const session = await browser.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const known = new Set(browser.targets());
  // Not by Puppeteer's own newPage(), which gives its tabs another window size than the browser's.
  await session.send('Target.createTarget', { url: 'about:blank' });
  const fresh = await browser.waitForTarget((each) => each.type() === 'page' && !known.has(each));
  for (const { type, targetId } of targetInfos) {
    if (type === 'page') await session.send('Target.closeTarget', { targetId });
  }
  await session.detach();
  return fresh;
}
