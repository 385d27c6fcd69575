import { isIP } from 'node:net';
import { type ConnectionFacts, NO_FACTS } from '../../records/connection-attempt.ts';
import type { AskedConnection, ConnectionMade } from '../connector.ts';
import { ConnectionFailure, failureOf, type Stage, timeoutFailure } from './failure.ts';

type Instants = Omit<ConnectionMade, 'facts' | 'error' | 'keyLog'>;

const NO_INSTANTS: Instants = {
  tcpMs: null,
  maySendMs: null,
  completeMs: null,
  confirmedMs: null,
  firstByteMs: null,
  totalMs: null,
};

/** What an examination asks for, and keeps of the answer. */
export interface Examination {
  /** What TLS over TCP offers (ALPN). */
  alpn: readonly string[];
  /** DER, the server's own first; of the others QUIC tells only by a ticket. */
  certificates: Buffer[];
  /** Names in lower case. */
  headers: [name: string, value: string][];
  body: Uint8Array[];
}

/** Content codings that a browser takes. */
const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

/** A connection that is being made: what is known of it so far, whatever becomes of the rest. */
export interface Making {
  readonly asked: AskedConnection;
  readonly instants: Instants;
  readonly facts: ConnectionFacts;
  /** null: the connection is timed, and nothing of the answer is kept. */
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
  /** Waits for something, at most until the time is over. @throws ConnectionFailure when it is */
  until<T>(awaited: Promise<T>): Promise<T>;
  /** Stops the clock of `until`. */
  end(): void;
}

/** Prepares a connection. The time that it may take runs from here, its clock when the way that makes it says so. */
export function prepareMaking(
  asked: AskedConnection,
  examination: Examination | null = null,
): Making {
  const late = Promise.withResolvers<never>();
  // Whether anything waits for it, the way that makes the connection decides.
  late.promise.catch(() => {});
  const lines: string[] = [];
  let startMs = performance.now();
  const timer = setTimeout(
    () => late.reject(new ConnectionFailure(timeoutFailure(making.stage(), asked.timeoutMs))),
    asked.timeoutMs,
  );
  const making: Making = {
    asked,
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
    until: (awaited) => Promise.race([awaited, late.promise]),
    end: () => clearTimeout(timer),
  };
  return making;
}

/** Fields of a request that are not its own address. */
export function requestFields({ examination }: Making): Record<string, string> {
  return examination ? { 'accept-encoding': ACCEPTED_CODINGS } : {};
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
export function refuse(code: string, expected: string, got: string): never {
  throw new ConnectionFailure(failureOf({ layer: 'client', expected }, code, got));
}

/** The name to ask for: addresses are no names of servers (RFC 6066, 3). */
export function serverName({ host }: AskedConnection): string {
  return isIP(host) ? '' : host;
}

/** `ip:port` or `[ip]:port`, taken apart. */
export function splitAddress(address: string): { ip: string; port: number; family: 4 | 6 } {
  const end = address.lastIndexOf(':');
  const ip = address.slice(0, end).replace(/^\[(.*)\]$/, '$1');
  return { ip, port: Number(address.slice(end + 1)), family: ip.includes(':') ? 6 : 4 };
}
