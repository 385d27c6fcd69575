import type { Browser, CDPSession, Target } from 'puppeteer-core';

/**
 * Opens an empty tab and closes all others, with the processes and the caches in memory of the pages they held. For the
 * page that is loaded into it, it is like a browser that was not closed since its last visit.
 */
export async function freshTab(browser: Browser): Promise<Target> {
  const session = await browser.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const fresh = await openTab(browser, session, { background: false });
  for (const { type, targetId } of targetInfos) {
    if (type === 'page') await session.send('Target.closeTarget', { targetId });
  }
  await session.detach();
  return fresh;
}

/** Opens an empty tab behind the one that is there, hands it on, and closes it: the other stays as it is. */
export async function withTabBeside<T>(
  browser: Browser,
  use: (session: CDPSession) => Promise<T>,
): Promise<T> {
  const session = await browser.target().createCDPSession();
  const tab = await openTab(browser, session, { background: true });
  const beside = await tab.createCDPSession();
  const { targetInfo } = await beside.send('Target.getTargetInfo');
  try {
    return await use(beside);
  } finally {
    await session.send('Target.closeTarget', { targetId: targetInfo.targetId });
    await session.detach();
  }
}

/** Not by Puppeteer's own newPage(), which gives its tabs another window size than the browser's. */
async function openTab(
  browser: Browser,
  session: CDPSession,
  { background }: { background: boolean },
): Promise<Target> {
  const known = new Set(browser.targets());
  await session.send('Target.createTarget', { url: 'about:blank', background });
  return browser.waitForTarget((each) => each.type() === 'page' && !known.has(each));
}
