import { authorityText } from '../ground/options/hosts.ts';
import type { ConnectionFacts } from '../ground/records/connection-attempt.ts';
import { Failure, within } from './connection-failure.ts';
import { type ConnectionResult, type Connector, startConnector } from './connector.ts';

/** Added to the timeout, since the program may first have to start on a busy machine. */
const GRACE_MS = 10_000;

export interface TargetServer {
  host: string;
  address: string;
  port: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface TargetResource {
  /** Host and port as in URLs. */
  authority: string;
  /** Path and query. */
  path: string;
}

/** A connection, and when the client may send its request, in ms; null: unknown. */
type QuicConnection = ConnectionFacts & Pick<ConnectionResult, 'maySendMs'>;

/** A pool of programs that make QUIC connections, one per simultaneous connection, started on demand. */
export interface QuicConnector {
  /**
   * Makes a connection with ALPN h3.
   * @param request absent: sends no request
   * @throws Failure without a connection or response
   */
  connect(server: TargetServer, request?: TargetResource): Promise<QuicConnection>;
  close(): Promise<void>;
}

/** @param command runs a program for clients/connector.ts */
export function quicConnector(command: readonly string[]): QuicConnector {
  const all = new Set<Connector>();
  const idle: Connector[] = [];
  const start = () => {
    const started = startConnector(command);
    all.add(started);
    return started;
  };
  const end = async (connector: Connector) => {
    all.delete(connector);
    await connector.close();
  };
  return {
    async connect({ host, address, port, timeoutMs, signal }, request) {
      const connector = idle.pop() ?? start();
      const stop = () => void end(connector);
      signal.addEventListener('abort', stop);
      try {
        const connecting = connector.connect({
          transport: 'quic',
          host,
          authority: request?.authority ?? authorityText({ host, port }),
          address: address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
          resumption: 'none',
          awaitsTicket: false,
          request: request ? { path: request.path } : null,
          localPort: null,
          trust: null,
          timeoutMs,
        });
        const late = () => new Error('the client did not report a result in time');
        const { error, facts, maySendMs } = await within(
          connecting,
          timeoutMs + GRACE_MS,
          signal,
          late,
        );
        idle.push(connector);
        if (error !== null) throw new Failure(error.layer, error.code, error.reason);
        const alpn = facts.alpn ?? 'h3';
        if (alpn !== 'h3') throw new Failure('tls', 'alpn', `the server picked ${alpn}, not h3`);
        return { ...facts, maySendMs };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure) throw error;
        await end(connector);
        throw new Failure('client', 'client-failed', (error as Error).message);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async close() {
      await Promise.all([...all].map(end));
    },
  };
}
