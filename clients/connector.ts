import type {
  ConnectionFacts,
  FailureReason,
  Resumption,
} from '../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import { type RequestProgram, startRequestProgram } from './request-program.ts';

export interface ConnectionRequest {
  transport: ConnectionTransport;
  /** Server name (SNI), which the certificate must match. */
  host: string;
  /** Authority of requests: host (IPv6 addresses in brackets), with the port unless it is 443. */
  authority: string;
  /** `ip:port` of the server, `[ip]:port` with IPv6. */
  address: string;
  /**
   * How to resume an earlier connection to the same host by the same transport. The program keeps tickets, and uses each
   * once. `none`: a full handshake; new tickets are kept.
   */
  resumption: Resumption;
  /** Waits at most 2 s after the handshake for a ticket, to prepare later connections. */
  awaitsTicket: boolean;
  /** Request to send as soon as the client may send; null: the client closes the connection once it is confirmed. */
  request: { path: string } | null;
  /** Default: x25519. */
  keyExchange?: KeyExchange;
  /** The client's port; null: any. */
  localPort: number | null;
  /** File of trusted authorities (PEM); `system`: this machine's; null: certificates are not verified. */
  trust: string | null;
  timeoutMs: number;
}

/**
 * Result of a request. Times are in ms since the request, by the program's monotonic clock; null: not reached, or not applicable.
 */
export interface ConnectionResult {
  /** TCP is connected; null with QUIC. */
  tcpMs: number | null;
  /** The first request may leave: with early data, with the keys of early data. */
  maySendMs: number | null;
  /** Handshake complete at the client (RFC 9001, 4.1.1). */
  completeMs: number | null;
  /** HANDSHAKE_DONE received (RFC 9001, 4.1.2); null with TCP. */
  confirmedMs: number | null;
  /** First byte of the response headers, and last byte of the response. */
  firstByteMs: number | null;
  totalMs: number | null;
  facts: ConnectionFacts;
  /** null: success, including the response to a request. */
  error: FailureReason | null;
  /** Secrets as NSS key log text. */
  keyLog: string;
}

/** A program that makes one connection at a time and keeps only tickets. */
export interface Connector
  extends Pick<RequestProgram<ConnectionRequest, ConnectionResult>, 'pid' | 'close'> {
  /** @throws Error if the program has ended */
  connect(target: ConnectionRequest): Promise<ConnectionResult>;
}

/** Files that a program reads for a request's `trust`. */
export function trustedFiles(trust: ConnectionRequest['trust']): string[] {
  return trust === null || trust === 'system' ? [] : [trust];
}

export function startConnector(command: readonly string[], needs: ProgramNeeds = {}): Connector {
  const { pid, request, close } = startRequestProgram<ConnectionRequest, ConnectionResult>(
    command,
    needs,
  );
  return { pid, connect: request, close };
}
