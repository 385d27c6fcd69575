import type { QuicSession, SocketAddress } from 'node:quic';
import { monotonicMs } from '../system/monotonic-clock.ts';
import type { QuicConnection, QuicSample } from './quic-sample.ts';

type End = 'client' | 'server';

export interface TransportSampler {
  /** Must be called with every session of this end. */
  sees(session: QuicSession): void;
  /** Returns samples since the previous call, by connection. */
  taken(): QuicConnection[];
}

/**
 * Samples every open session at an interval and at its end. Unchanged samples are dropped, so that idle sessions
 * need no memory.
 * @param end the end of the sessions
 * @param everyMs null: never
 */
export function sampleTransport(end: End, everyMs: number | null): TransportSampler {
  const connections = new Map<QuicSession, QuicConnection>();
  const open = new Set<QuicSession>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const sample = (session: QuicSession) => {
    const now = sampleOf(session);
    const samples = connections.get(session)?.samples;
    if (samples && now && !isSame(now, samples.at(-1))) samples.push(now);
  };
  const begin = (session: QuicSession) => {
    connections.set(session, connectionOf(session, end));
    open.add(session);
    sample(session);
    timer ??= setInterval(() => open.forEach(sample), everyMs ?? 0);
  };
  const finish = (session: QuicSession) => {
    open.delete(session);
    sample(session);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    sees(session) {
      if (everyMs === null) return;
      session.opened.then(
        () => begin(session),
        () => {}, // `closed` has the same error.
      );
      session.closed.then(
        () => finish(session),
        () => finish(session),
      );
    },
    taken() {
      const sampled = [...connections].map(([session, connection]) => {
        if (!open.has(session)) connections.delete(session);
        return { ...connection, samples: connection.samples.splice(0) };
      });
      return sampled.filter(({ samples }) => samples.length > 0);
    },
  };
}

function connectionOf(
  { path, remoteTransportParams: remote, localTransportParams: local }: QuicSession,
  end: End,
): QuicConnection {
  const [client, server] = end === 'client' ? [local, remote] : [remote, local];
  const [clientAddress, serverAddress] =
    end === 'client' ? [path?.local, path?.remote] : [path?.remote, path?.local];
  return {
    client: addressText(clientAddress),
    server: addressText(serverAddress),
    // Local and remote say which end opens a stream; the client opens requests.
    clientStreamWindowBytes: bytesOf(client?.initialMaxStreamDataBidiLocal),
    clientWindowBytes: bytesOf(client?.initialMaxData),
    serverStreamWindowBytes: bytesOf(server?.initialMaxStreamDataBidiRemote),
    serverWindowBytes: bytesOf(server?.initialMaxData),
    samples: [],
  };
}

function addressText(address: SocketAddress | undefined): string {
  if (address === undefined) return 'unknown';
  const { address: ip, port } = address;
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function bytesOf(bytes: bigint | undefined): number | null {
  return bytes === undefined ? null : Number(bytes);
}

/** null: no statistics yet. */
function sampleOf({ stats }: QuicSession): QuicSample | null {
  if (stats.cwnd === 0n) return null;
  return {
    atMs: monotonicMs(),
    cwndBytes: Number(stats.cwnd),
    rttMs: millisecondsOf(stats.smoothedRtt),
    rttVarMs: millisecondsOf(stats.rttVar),
    minRttMs: stats.minRtt === 0n ? null : millisecondsOf(stats.minRtt),
    sentPackets: Number(stats.pktSent),
    sentBytes: Number(stats.bytesSent),
    lostPackets: Number(stats.pktLost),
    receivedPackets: Number(stats.pktRecv),
    receivedBytes: Number(stats.bytesRecv),
  };
}

/** lsquic's own unit is the nanosecond. */
function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

function isSame(now: QuicSample, before: QuicSample | undefined): boolean {
  return (
    before !== undefined &&
    now.sentPackets === before.sentPackets &&
    now.receivedPackets === before.receivedPackets &&
    now.lostPackets === before.lostPackets &&
    now.cwndBytes === before.cwndBytes
  );
}
