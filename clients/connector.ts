import type {
  ConnectionFacts,
  FailureReason,
  Resumption,
} from '../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import { type RequestProgram, startRequestProgram } from './request-program.ts';

/** A connection that is to be made. */
export interface ConnectionRequest {
  via: ConnectionTransport;
  /** The name to ask for (SNI), which the certificate has to be of. */
  host: string;
  /** What requests call it: the name, in brackets if it is an IPv6 address, with its port unless that is 443. */
  authority: string;
  /** `ip:port` of the server, `[ip]:port` with IPv6. */
  address: string;
  /**
   * What is taken over from an earlier connection to the same host by the same way; tickets are kept by the program, each is used once.
   * `none` makes a full handshake, and keeps the tickets that come.
   */
  resumption: Resumption;
  /** Waits after the handshake, at most 2 s, until a ticket has come: of connections that only prepare others. */
  awaitsTicket: boolean;
  /** What to ask for once the client may send; null: nothing, the connection is closed when it is confirmed. */
  request: { path: string } | null;
  /** What a key is offered for; absent: the usual one. */
  keyExchange?: KeyExchange;
  /** The client's port; null: any. */
  localPort: number | null;
  /** File with the certificates (PEM) of authorities to trust; `system`: this machine's; null: certificates are not checked. */
  trust: string | null;
  timeoutMs: number;
}

/**
 * What became of it. Times are in ms since the connection was asked for, by the program's own monotonic clock; null: it never came to
 * that, or there is no such instant.
 */
export interface ConnectionResult {
  /** TCP was connected; null with QUIC. */
  tcpMs: number | null;
  /** The first request may leave: with early data, with the keys of early data. */
  maySendMs: number | null;
  /** The client has all of the handshake: its own last message leaves (RFC 9001, 4.1.1). */
  completeMs: number | null;
  /** QUIC's HANDSHAKE_DONE has come (RFC 9001, 4.1.2); null with TCP, which has no such thing. */
  confirmedMs: number | null;
  /** The first byte of the answer's head, and its last byte. */
  firstByteMs: number | null;
  totalMs: number | null;
  facts: ConnectionFacts;
  /** null: it was made, and answered where something was asked for. */
  error: FailureReason | null;
  /** Its secrets, as text of an NSS key log. */
  keyLog: string;
}

/** A program that makes connections, one after the other, and keeps none but their tickets. */
export interface Connector
  extends Pick<RequestProgram<ConnectionRequest, ConnectionResult>, 'pid' | 'close'> {
  /** @throws Error when the program has ended */
  connect(target: ConnectionRequest): Promise<ConnectionResult>;
}

/** The files that a program reads for `trust` of what it is asked. */
export function trustedFiles(trust: ConnectionRequest['trust']): string[] {
  return trust === null || trust === 'system' ? [] : [trust];
}

/** Starts a program that makes connections. */
export function startConnector(command: readonly string[], needs: ProgramNeeds = {}): Connector {
  const { pid, ask, close } = startRequestProgram<ConnectionRequest, ConnectionResult>(
    command,
    needs,
  );
  return { pid, connect: ask, close };
}
