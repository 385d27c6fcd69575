import type { NetLogEvent } from '../../clients/chromium/net-log/events.ts';
import { cipherName } from '../../network/handshakes/connection-record.ts';
import { begunConnection } from './connection.ts';
import { PRE_SHARED_KEY } from './handshake-message.ts';
import type { ObservedConnection } from './observed.ts';
import { createQuicHandshake, type QuicHandshake } from './quic-handshake.ts';
import { dependencyOf } from './source-dependency.ts';

/** Watches the events of QUIC sessions. */
export interface QuicSessions {
  take(event: NetLogEvent): void;
  observed(): ObservedConnection[];
}

interface Session extends ObservedConnection {
  handshake: QuicHandshake;
  completed: boolean;
}

/** Every session is a connection, kept for as long as the browser lived. */
export function watchQuicSessions(): QuicSessions {
  const sessions = new Map<number, Session>();
  const addressOfJob = new Map<number, string>();
  return {
    take(event) {
      const { name, params, source } = event;
      if (source.type.startsWith('QUIC_SESSION_POOL')) {
        takeFromJob(event, addressOfJob, sessions);
        return;
      }
      if (name === 'QUIC_SESSION' && event.phase === 'begin') {
        sessions.set(source.id, begun(event));
        return;
      }
      const session = sessions.get(source.id);
      if (session === undefined) return;
      const { connection } = session;
      switch (name) {
        case 'QUIC_SESSION_PACKET_RECEIVED':
          connection.address ||= String(params.peer_address ?? '');
          break;
        case 'QUIC_SESSION_CRYPTO_FRAME_RECEIVED':
          session.handshake.add(params);
          break;
        case 'QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE':
          session.completed = true;
          break;
        case 'QUIC_SESSION_ZERO_RTT_STATE':
          connection.earlyData = EARLY_DATA_OF_STATE[String(params.state)] ?? connection.earlyData;
          break;
        case 'QUIC_CHROMIUM_CLIENT_STREAM_SEND_REQUEST_HEADERS':
          session.lastRequestMs = event.timeMs;
          break;
      }
    },
    observed() {
      return [...sessions.values()].map(({ handshake, completed, ...observed }) => {
        const hello = completed ? handshake.serverHello() : null;
        if (completed) {
          observed.connection.protocol = 'h3';
          observed.connection.tlsVersion = 'TLS 1.3';
        }
        if (hello !== null) {
          observed.connection.cipher = cipherName(hello.cipherSuite ?? 0);
          observed.connection.handshake = hello.extensions.has(PRE_SHARED_KEY) ? 'resumed' : 'full';
        }
        return observed;
      });
    },
  };
}

// Chromium's words for the progress of early data. Reasons not to try have other words.
const EARLY_DATA_OF_STATE: Record<string, 'accepted' | 'rejected'> = {
  AttemptedAndSucceeded: 'accepted',
  AttemptedAndRejected: 'rejected',
};

function begun({ timeMs, params }: NetLogEvent): Session {
  return {
    connection: begunConnection(String(params.host ?? '')),
    beganMs: timeMs,
    handshakeBeganMs: timeMs,
    lastRequestMs: null,
    handshake: createQuicHandshake(),
    completed: false,
  };
}

/** The job that made a session knows the address even when no packet ever comes back from there. */
function takeFromJob(
  { name, params, phase, source }: NetLogEvent,
  addressOfJob: Map<number, string>,
  sessions: Map<number, Session>,
): void {
  if (name === 'HOST_RESOLVER_MANAGER_REQUEST' && phase === 'begin') {
    const [, address] = /^https:\/\/(\d+\.\d+\.\d+\.\d+:\d+)$/.exec(String(params.host)) ?? [];
    if (address !== undefined) addressOfJob.set(source.id, address);
  }
  if (name === 'QUIC_SESSION_CREATED') {
    const session = sessions.get(dependencyOf(params));
    if (session) session.connection.address ||= addressOfJob.get(source.id) ?? '';
  }
}
