import type { CDPSession } from 'puppeteer-core';

/**
 * Has Chromium forget what a load left behind, save its session tickets: HTTP cache, cookies, and everything that pages of these hosts
 * may have stored. Caches in memory end with their tab. With its cache it forgets what the servers offer beside (Alt-Svc).
 * @param session of any tab of the browser.
 */
export async function forgetSite(session: CDPSession, hosts: readonly string[]): Promise<void> {
  await Promise.all([
    session.send('Network.clearBrowserCache'),
    session.send('Network.clearBrowserCookies'),
    ...hosts.map((host) =>
      session.send('Storage.clearDataForOrigin', {
        origin: `https://${host}`,
        storageTypes: 'all',
      }),
    ),
  ]);
}
