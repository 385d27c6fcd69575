import * as quic from 'node:quic';

/** lsquic's window is a number of packets of this payload, in bytes. */
const PACKET_BYTES = 1460;
const LIMIT_MS = 2000;

interface InitialWindow {
  bytes: number;
  packets: number;
}

/**
 * Reads the server's initial window, which neither an option nor node:quic reports: right after the handshake of a
 * connection without other data, the current window is the initial one.
 */
export function watchInitialWindow(offered: { alpn: string; groups: string }) {
  const first = Promise.withResolvers<InitialWindow | null>();
  return {
    /** Called with every session of the server. */
    sees(session: quic.QuicSession): void {
      session.opened.then(
        () => {
          const bytes = Number(session.stats.cwnd);
          first.resolve(bytes > 0 ? { bytes, packets: Math.round(bytes / PACKET_BYTES) } : null);
        },
        () => first.resolve(null),
      );
    },
    /** Connects to the server itself and reads the window of its first connection; null: no connection. */
    async read(address: string, host: string): Promise<InitialWindow | null> {
      const timer = setTimeout(() => first.resolve(null), LIMIT_MS);
      try {
        const options = { ...offered, servername: host, verifyPeer: 'manual' } as const;
        const client = await quic.connect(address, options);
        client.closed.catch(() => {});
        const window = await first.promise;
        // The client's socket would stay open as long as the server runs.
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
