import type { CDPSession } from 'puppeteer-core';

/**
 * Clears what a load left behind, except session tickets: HTTP cache, cookies and all storage of these hosts. Memory caches end
 * with their tab. Clearing the HTTP cache also clears learned Alt-Svc.
 * @param session of any tab of the browser
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
