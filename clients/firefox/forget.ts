import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../browser-limits.ts';
import type { FirefoxContext } from './user-context.ts';

/** JavaScript that closes all connections, over TCP and QUIC, and forgets addresses. Tickets, caches and cookies stay. */
const CLOSE_CONNECTIONS = `(() => {
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
  Services.dns.clearCache(true);
})()`;

/** JavaScript that returns a promise of Firefox's open sockets, from the thread that has closed connections before. */
const SOCKETS = `new Promise((resolve) => {
  const dashboard = Cc['@mozilla.org/network/dashboard;1'].getService(Ci.nsIDashboard);
  dashboard.requestSockets(({ sockets }) => resolve(sockets));
})`;

/**
 * JavaScript that forgets what an ended user context left open or in the cache, and which hosts had failed over QUIC. Attempts to
 * connect, which the first step leaves alone, would fail during the next load, which would then not use QUIC.
 */
export const FORGET = `(async () => {
  ${CLOSE_CONNECTIONS};
  Services.cache2.clear();
  await ${SOCKETS};
  Services.obs.notifyObservers(null, 'net:cancel-all-connections');
  await ${SOCKETS};
  Services.obs.notifyObservers(null, 'network:reset-http3-excluded-list');
})()`;

type OwnContext = Pick<FirefoxContext, 'privileged' | 'userContextId'>;

/**
 * Closes all connections, idle or in use, over TCP and QUIC, and forgets addresses. Session tickets, caches and cookies stay.
 * @throws Error if Firefox does not close them
 */
export async function closeConnections({ privileged, userContextId }: OwnContext): Promise<void> {
  await privileged(CLOSE_CONNECTIONS);
  const sinceMs = performance.now();
  // A closed QUIC connection answers late packets for three probe timeouts.
  while ((await privileged<number>(countSockets(userContextId))) > 0) {
    if (performance.now() - sinceMs > LIMITS.closeConnectionsMs) {
      throw new Error(
        `Firefox did not close its connections within ${LIMITS.closeConnectionsMs} ms`,
      );
    }
    await sleep(CLOSE_INTERVAL_MS);
  }
}

const CLOSE_INTERVAL_MS = 20;

/** JavaScript that counts the open sockets of a user context. */
function countSockets(userContextId: number): string {
  return `${SOCKETS}.then((sockets) => sockets.filter(({ originAttributesSuffix }) =>
    new URLSearchParams(originAttributesSuffix.slice(1)).get('userContextId') === '${userContextId}').length)`;
}

/**
 * Clears what a load left behind, except session tickets and Alt-Svc: cookies and storage of its user context, and the caches of the
 * whole browser, in which no other load is under way. Memory caches end with their tab.
 */
export async function forgetSite({ privileged, userContextId }: OwnContext): Promise<void> {
  await privileged(`new Promise((resolve) => {
    const { clearData } = Services;
    clearData.deleteDataFromOriginAttributesPattern({ userContextId: ${userContextId} }, {
      onDataDeleted: () =>
        clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL_CACHES, { onDataDeleted: resolve }),
    });
  })`);
}
