import { isIP } from 'node:net';
import { type ConnectionFacts, NO_FACTS } from '../../ground/records/connection-attempt.ts';
import type { ConnectionRequest, ConnectionResult } from '../connector.ts';
import { ConnectionFailure, failureOf, type Stage, timeoutFailure } from './failure.ts';

type Instants = Omit<ConnectionResult, 'facts' | 'error' | 'keyLog'>;

/** Of a connection that never began. */
export const NO_INSTANTS: Instants = {
  tcpMs: null,
  maySendMs: null,
  completeMs: null,
  confirmedMs: null,
  firstByteMs: null,
  totalMs: null,
};

/** What an examination asks for, and takes of the answer. */
export interface Examination {
  /** What TLS over TCP offers (ALPN). */
  alpn: readonly string[];
  /** Of the request, names in lower case; beside those of its own address. */
  fields: Readonly<Record<string, string>>;
  /** DER, the server's own first; of the others QUIC tells only by a ticket. */
  certificates: Buffer[];
  /** Names in lower case. */
  headers: [name: string, value: string][];
  /** Takes the next piece of the body, and asks for no more until it has. */
  take(piece: Uint8Array): void | Promise<void>;
}

/** What can be asked to wait with what it brings. */
interface PausableSource {
  pause(): unknown;
  resume(): unknown;
}

/** A connection that is being made: what is known of it so far, whatever becomes of the rest. */
export interface PendingConnection {
  readonly target: ConnectionRequest;
  readonly instants: Instants;
  readonly facts: ConnectionFacts;
  /** null: the connection is timed, and nothing of the answer is taken. */
  readonly examination: Examination | null;
  /** Tells what is waited for. */
  stage: () => Stage;
  /** Starts the clock: the connection is asked for now. */
  begin(): void;
  /** ms since the connection was asked for. */
  elapsedMs(): number;
  /** Takes a line of a key log. */
  keep(line: string | Buffer): void;
  keyLog(): string;
  /**
   * Hands a piece of the answer's body to an examination; the source waits meanwhile. The time that a connection may take begins anew
   * with each of them.
   */
  take(piece: Uint8Array, source?: PausableSource): Promise<void>;
  /** Waits for something, at most until the time is over. @throws ConnectionFailure when it is */
  until<T>(awaited: Promise<T>): Promise<T>;
  /** Stops the clock of `until`. */
  end(): void;
  /** Never comes to anything but a ConnectionFailure, once the time is over. */
  late: Promise<never>;
}

/** Prepares a connection. The time that it may take runs from here, its clock when the way that makes it says so. */
export function prepareConnection(
  target: ConnectionRequest,
  examination: Examination | null = null,
): PendingConnection {
  const late = Promise.withResolvers<never>();
  // Whether anything waits for it, the way that makes the connection decides.
  late.promise.catch(() => {});
  const lines: string[] = [];
  let startMs = performance.now();
  let taking = 0;
  const timer = setTimeout(() => {
    // It is who takes the answer that is waited for.
    if (taking > 0) timer.refresh();
    else late.reject(new ConnectionFailure(timeoutFailure(pending.stage(), target.timeoutMs)));
  }, target.timeoutMs);
  const pending: PendingConnection = {
    target,
    instants: { ...NO_INSTANTS },
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

/** Fields of a request that are not its own address. */
export function requestFields({ examination }: PendingConnection): Record<string, string> {
  return { ...examination?.fields };
}

/** The fields of an answer as a list, without those of HTTP/2 and HTTP/3 themselves (`:status`). */
export function fieldsOf(headers: object): Examination['headers'] {
  return Object.entries(headers).flatMap(([name, values]) =>
    name.startsWith(':')
      ? []
      : [values].flat().map((value): [string, string] => [name, `${value}`]),
  );
}

/** Refuses what this program cannot do. */
export function throwUnsupported(code: string, expected: string, got: string): never {
  throw new ConnectionFailure(failureOf({ layer: 'client', expected }, code, got));
}

/** The name to ask for: addresses are no names of servers (RFC 6066, 3). */
export function serverName({ host }: ConnectionRequest): string {
  return isIP(host) ? '' : host;
}

/** `ip:port` or `[ip]:port`, taken apart. */
export function splitAddress(address: string): { ip: string; port: number; family: 4 | 6 } {
  const end = address.lastIndexOf(':');
  const ip = address.slice(0, end).replace(/^\[(.*)\]$/, '$1');
  return { ip, port: Number(address.slice(end + 1)), family: ip.includes(':') ? 6 : 4 };
}
