/** JavaScript that closes all connections, over TCP and QUIC, and forgets addresses. Tickets, caches and cookies stay. */
export const CLOSE_CONNECTIONS = `(() => {
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
  Services.dns.clearCache(true);
})()`;

/** JavaScript that forgets what an ended user context left open. */
export const FORGET = CLOSE_CONNECTIONS;
