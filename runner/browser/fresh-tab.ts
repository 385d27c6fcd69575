import type { Browser, CDPSession, Target } from 'puppeteer-core';

/**
 * Opens an empty tab and closes all others, with the processes and the caches in memory of the pages they held. For the
 * page that is loaded into it, it is like a browser that was not closed since its last visit.
 */
export async function freshTab(browser: Browser): Promise<Target> {
  const session: CDPSession = await browser.target().createCDPSession();
  const others = browser.targets().filter((target) => target.type() === 'page');
  // Not by Puppeteer's own newPage(), which gives its tabs another window size than the browser's.
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank' });
  const fresh = await browser.waitForTarget((target) => idOf(target) === targetId);
  for (const other of others) await session.send('Target.closeTarget', { targetId: idOf(other) });
  await session.detach();
  return fresh;
}

/** Puppeteer knows every target's id but does not tell it. */
function idOf(target: Target): string {
  return (target as unknown as { _targetId: string })._targetId;
}
