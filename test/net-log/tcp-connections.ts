import type { NetLogEvent } from '../../clients/chromium/net-log/events.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { cipherName } from '../../network/handshakes/connection-record.ts';
import { begunConnection } from './connection.ts';
import { EARLY_DATA, type HandshakeMessage, readHandshakeMessages } from './handshake-message.ts';
import type { ObservedConnection } from './observed.ts';
import { dependencyOf } from './source-dependency.ts';

/** Watches the events of TCP connections, of their TLS handshakes and of HTTP/2 upon them. */
export interface TcpConnections {
  take(event: NetLogEvent): void;
  observed(): ObservedConnection[];
}

/** A socket that a connect job made is a connection as soon as it starts to connect. */
export function watchTcpConnections(): TcpConnections {
  const hostOfJob = new Map<number, string>();
  const hostOfSocket = new Map<number, string>();
  const connections = new Map<number, ObservedConnection>();
  const socketOfHttp2Session = new Map<number, number>();

  const takeFromSocket = ({ name, phase, params, source, timeMs }: NetLogEvent) => {
    if (name === 'SOCKET_ALIVE' && phase === 'begin') {
      hostOfSocket.set(source.id, hostOfJob.get(dependencyOf(params)) ?? '');
      return;
    }
    if (name === 'TCP_CONNECT' && phase === 'begin') {
      connections.set(source.id, begun(hostOfSocket.get(source.id) ?? '', timeMs));
      return;
    }
    const observed = connections.get(source.id);
    if (observed === undefined) return;
    switch (`${name} ${phase}`) {
      case 'TCP_CONNECT_ATTEMPT begin':
        // A host may have several addresses; the last one tried is the one that may have answered.
        observed.connection.address = String(params.address ?? '');
        break;
      case 'SSL_CONNECT begin':
        observed.handshakeBeganMs = timeMs;
        break;
      case 'SSL_HANDSHAKE_MESSAGE_SENT none':
      case 'SSL_HANDSHAKE_MESSAGE_RECEIVED none':
        for (const message of messagesOf(params)) noteEarlyData(observed, message);
        break;
      case 'SSL_CONNECT end':
        noteHandshake(observed, params);
        break;
      case 'SOCKET_IN_USE begin':
        // A request got the socket; HTTP/2 reports every request itself.
        observed.lastRequestMs = timeMs;
        break;
    }
  };

  return {
    take(event) {
      const { name, params, source } = event;
      switch (name) {
        case 'SOCKET_POOL_CONNECT_JOB_CREATED':
          hostOfJob.set(source.id, hostOfGroup(String(params.group_id)));
          return;
        case 'HTTP2_SESSION_INITIALIZED':
          socketOfHttp2Session.set(source.id, dependencyOf(params));
          return;
        case 'HTTP2_SESSION_SEND_HEADERS': {
          const observed = connections.get(socketOfHttp2Session.get(source.id) ?? Number.NaN);
          if (observed) observed.lastRequestMs = event.timeMs;
          return;
        }
      }
      if (source.type === 'SOCKET') takeFromSocket(event);
    },
    observed() {
      return [...connections.values()];
    },
  };
}

function begun(host: string, beganMs: number): ObservedConnection {
  return {
    connection: begunConnection(host),
    beganMs,
    handshakeBeganMs: null,
    lastRequestMs: null,
  };
}

/** `pm/https://www.example.org <https://example.org same_site>`: `pm` for requests without credentials, last whose page it is for. */
function hostOfGroup(group: string): string {
  const [, host = '', port] = /^(?:\w+\/)*https?:\/\/([^/\s:]+)(?::(\d+))?/.exec(group) ?? [];
  return port === undefined ? host : `${host}:${port}`;
}

function noteHandshake({ connection }: ObservedConnection, params: Record<string, unknown>): void {
  if (params.net_error !== undefined || typeof params.version !== 'string') return;
  connection.tlsVersion = params.version;
  connection.cipher = cipherName(Number(params.cipher_suite));
  connection.handshake = params.is_resumed === true ? 'resumed' : 'full';
  // A server that chooses none speaks HTTP/1.1 (RFC 7301 leaves that to the application).
  connection.protocol = params.next_proto === 'unknown' ? 'http/1.1' : protocolOf(params);
}

function protocolOf({ next_proto: name }: Record<string, unknown>): Protocol | null {
  return name === 'h2' || name === 'http/1.1' ? name : null;
}

/**
 * Offered by the client, accepted by the server: until the latter is seen, it counts as rejected.
 */
function noteEarlyData({ connection }: ObservedConnection, message: HandshakeMessage): void {
  if (!message.extensions.has(EARLY_DATA)) return;
  if (message.type === 'client hello') connection.earlyData = 'rejected';
  if (message.type === 'encrypted extensions') connection.earlyData = 'accepted';
}

function messagesOf({ bytes }: Record<string, unknown>): HandshakeMessage[] {
  return typeof bytes === 'string' ? readHandshakeMessages(Buffer.from(bytes, 'base64')) : [];
}
