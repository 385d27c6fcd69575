import * as quic from 'node:quic';

/** lsquic counts its window in bytes, as so many packets of this payload. */
const PACKET_BYTES = 1460;
const LIMIT_MS = 2000;

/** The congestion window that a server gives a new connection. */
interface InitialWindow {
  bytes: number;
  packets: number;
}

/**
 * Asks the server for its initial window, which no option and no interface of node:quic tells: right after the handshake of a
 * connection that has sent nothing else, its window still is the initial one.
 */
export function watchInitialWindow(offered: { alpn: string; groups: string }) {
  const first = Promise.withResolvers<InitialWindow | null>();
  return {
    /** To be called with every session of the server. */
    sees(session: quic.QuicSession): void {
      session.opened.then(
        () => {
          const bytes = Number(session.stats.cwnd);
          first.resolve(bytes > 0 ? { bytes, packets: Math.round(bytes / PACKET_BYTES) } : null);
        },
        () => first.resolve(null),
      );
    },
    /** Connects to the server itself and reads what it gave that connection, its first; null: it did not come about. */
    async read(address: string, host: string): Promise<InitialWindow | null> {
      const timer = setTimeout(() => first.resolve(null), LIMIT_MS);
      try {
        const options = { ...offered, servername: host, verifyPeer: 'manual' } as const;
        const client = await quic.connect(address, options);
        client.closed.catch(() => {});
        const window = await first.promise;
        // Its socket would stay open as long as the server lives.
        const { endpoint } = client;
        await client.close().catch(() => {});
        await endpoint.close();
        return window;
      } catch {
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
