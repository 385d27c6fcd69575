import { isIP } from 'node:net';
import { type ConnectionFacts, NO_FACTS } from '../../ground/records/connection-attempt.ts';
import type { ConnectionRequest, ConnectionResult } from '../connector.ts';
import { ConnectionFailure, failureOf, type Stage, timeoutFailure } from './failure.ts';

type Times = Omit<ConnectionResult, 'facts' | 'error' | 'keyLog'>;

/** Times of a connection that never began. */
export const NO_TIMES: Times = {
  tcpMs: null,
  maySendMs: null,
  completeMs: null,
  confirmedMs: null,
  firstByteMs: null,
  totalMs: null,
};

/** Request and collected response of an examination. */
export interface Examination {
  /** ALPN offer over TCP. */
  alpn: readonly string[];
  /** Request fields in addition to method, scheme, authority and path; names in lower case. */
  fields: Readonly<Record<string, string>>;
  /** DER, leaf first. Over QUIC only a ticket has the rest of the chain. */
  certificates: Buffer[];
  /** Response fields, names in lower case. */
  headers: [name: string, value: string][];
  /** Takes the next piece of the body; the source pauses until it resolves. */
  take(piece: Uint8Array): void | Promise<void>;
}

interface PausableSource {
  pause(): unknown;
  resume(): unknown;
}

export interface PendingConnection {
  readonly target: ConnectionRequest;
  readonly times: Times;
  readonly facts: ConnectionFacts;
  /** null: a timed connection, which discards the response. */
  readonly examination: Examination | null;
  stage: () => Stage;
  /** Starts the clock. */
  begin(): void;
  /** ms since `begin()`. */
  elapsedMs(): number;
  /** Adds a line to the key log. */
  keep(line: string | Buffer): void;
  keyLog(): string;
  /**
   * Passes a piece of the body to the examination while the source pauses. Each piece restarts the timeout.
   */
  take(piece: Uint8Array, source?: PausableSource): Promise<void>;
  /** Waits at most until the timeout. @throws ConnectionFailure at the timeout */
  until<T>(awaited: Promise<T>): Promise<T>;
  end(): void;
  /** Only ever rejects, with ConnectionFailure at the timeout. */
  late: Promise<never>;
}

/** Prepares a connection and starts its timeout; `begin()` starts its clock. */
export function prepareConnection(
  target: ConnectionRequest,
  examination: Examination | null = null,
): PendingConnection {
  const late = Promise.withResolvers<never>();
  // Not every transport awaits `late`.
  late.promise.catch(() => {});
  const lines: string[] = [];
  let startMs = performance.now();
  let taking = 0;
  const timer = setTimeout(() => {
    // The consumer, not the server, caused the delay.
    if (taking > 0) timer.refresh();
    else late.reject(new ConnectionFailure(timeoutFailure(pending.stage(), target.timeoutMs)));
  }, target.timeoutMs);
  const pending: PendingConnection = {
    target,
    times: { ...NO_TIMES },
    facts: { ...NO_FACTS },
    examination,
    stage: () => ({ layer: 'client', expected: 'a connection' }),
    begin() {
      startMs = performance.now();
    },
    elapsedMs: () => performance.now() - startMs,
    keep: (line) => void lines.push(line.toString().trimEnd()),
    keyLog: () => lines.map((line) => `${line}\n`).join(''),
    async take(piece, source) {
      if (examination === null) return;
      taking++;
      source?.pause();
      try {
        await examination.take(piece);
      } finally {
        timer.refresh();
        taking--;
      }
      if (taking === 0) source?.resume();
    },
    until: (awaited) => Promise.race([awaited, late.promise]),
    end: () => clearTimeout(timer),
    late: late.promise,
  };
  return pending;
}

/** Request fields in addition to method, scheme, authority and path. */
export function requestFields({ examination }: PendingConnection): Record<string, string> {
  return { ...examination?.fields };
}

/** Response fields as a list, without pseudo-header fields (`:status`). */
export function fieldsOf(headers: object): Examination['headers'] {
  return Object.entries(headers).flatMap(([name, values]) =>
    name.startsWith(':')
      ? []
      : [values].flat().map((value): [string, string] => [name, `${value}`]),
  );
}

/** Rejects a request that this program does not support. */
export function throwUnsupported(code: string, expected: string, got: string): never {
  throw new ConnectionFailure(failureOf({ layer: 'client', expected }, code, got));
}

/** Server name (SNI); IP addresses are not allowed (RFC 6066, 3). */
export function serverName({ host }: ConnectionRequest): string {
  return isIP(host) ? '' : host;
}

/** Splits `ip:port` or `[ip]:port`. */
export function splitAddress(address: string): { ip: string; port: number; family: 4 | 6 } {
  const end = address.lastIndexOf(':');
  const ip = address.slice(0, end).replace(/^\[(.*)\]$/, '$1');
  return { ip, port: Number(address.slice(end + 1)), family: ip.includes(':') ? 6 : 4 };
}
