import type { ObservedConnections } from '../../ground/records/connection.ts';
import { PATH_DEVICE } from '../addresses.ts';
import type { PathAgent, TappedPacket, TappedPackets } from '../agent.ts';
import { addCounts, clientTransports } from './client-transports.ts';
import { type ParsedConnection, readConnection } from './connection-record.ts';
import { handshakeSecrets } from './key-log.ts';
import { type Handshake, type Packet, readPacket } from './packet.ts';
import { beginQuicHandshake } from './quic-handshake.ts';
import { beginTcpHandshake } from './tcp-handshake.ts';

export interface HandshakeWatch {
  begin(): Promise<void>;
  /** @param keyLog text of an NSS key log */
  connections(keyLog?: string): Promise<ObservedConnections>;
  /** Randoms of the clients' hellos, in hex. */
  answeredRandoms(): Promise<string[]>;
}

/** IP and UDP headers. */
const HEAD_BYTES = 28;

/** Captures at the browser's end, before the path loses any of the browser's packets. */
export async function watchHandshakes(
  agent: Pick<PathAgent, 'openTap' | 'takePackets'>,
): Promise<HandshakeWatch> {
  await agent.openTap(PATH_DEVICE);
  const tappedPackets: TappedPackets = { packets: [], missed: 0 };
  let earlier = new Set<string>();
  const take = async (mostBytes?: number) => {
    const { packets, missed, counts } = await agent.takePackets(mostBytes);
    tappedPackets.packets.push(...packets);
    tappedPackets.missed += missed;
    tappedPackets.counts = addCounts(tappedPackets.counts, counts);
  };
  return {
    async begin() {
      // Calibration may have filled the tap: only the endpoints of its packets are needed.
      await take(HEAD_BYTES);
      earlier = quicEnds(tappedPackets.packets);
      tappedPackets.packets = [];
      tappedPackets.missed = 0;
      tappedPackets.counts = undefined;
    },
    async connections(keyLog) {
      await take();
      return observedConnections(tappedPackets, { keyLog, earlier });
    },
    async answeredRandoms() {
      await take();
      return answeredRandoms(tappedPackets, { earlier });
    },
  };
}

interface ReadOptions {
  /** Text of an NSS key log. */
  keyLog?: string;
  /** Endpoints of earlier connections, from quicEnds(): their packets are not missed handshakes. */
  earlier?: ReadonlySet<string>;
}

export function observedConnections(
  tapped: TappedPackets,
  aids: ReadOptions = {},
): ObservedConnections {
  const read = readConnections(tapped, aids);
  return {
    opened: read.map(({ record }) => record),
    whole: tapped.missed === 0 && read.every(({ readable }) => readable),
    ...(tapped.counts && { client: clientTransports(read, tapped.counts) }),
  };
}

/** The key log's names of the connections that a server answered. */
function answeredRandoms(tapped: TappedPackets, aids: ReadOptions = {}): string[] {
  return readConnections(tapped, aids).flatMap(({ record, random }) =>
    random === null || record.handshake === null ? [] : [random],
  );
}

function readConnections(
  { packets }: TappedPackets,
  { keyLog = '', earlier = new Set() }: ReadOptions,
): ParsedConnection[] {
  const handshakes: Handshake[] = [];
  const latest = new Map<string, Handshake>();
  for (const tapped of packets) {
    const packet = readPacket(tapped);
    if (packet === null) continue;
    const ends = endsOf(packet);
    if (latest.get(ends)?.take(packet)) continue;
    const begun = packet.tcp ? beginTcpHandshake(packet) : beginQuicHandshake(packet);
    if (begun === null) continue;
    handshakes.push(begun);
    latest.set(ends, begun);
  }
  const secrets = handshakeSecrets(keyLog);
  const own = handshakes.filter((handshake) => !isLeftover(handshake, earlier));
  const beganNs = own[0]?.first.timeNs ?? 0n;
  return own.map((handshake) => readConnection(handshake, secrets, beganNs));
}

export function quicEnds(packets: readonly TappedPacket[]): Set<string> {
  const read = packets.map(readPacket).filter((packet) => packet?.transport === 'quic');
  return new Set(read.map((packet) => endsOf(packet as Packet)));
}

/** A retransmitted Initial of an earlier connection, whose first id is needed to decrypt it. */
function isLeftover(handshake: Handshake, earlier: ReadonlySet<string>): boolean {
  return earlier.has(endsOf(handshake.first)) && handshake.clientMessages().length === 0;
}

function endsOf({ transport, clientPort, address }: Packet): string {
  return `${transport} ${clientPort} ${address}`;
}
