import type { ObservedConnections } from '../../ground/records/connection.ts';
import { PATH_DEVICE } from '../addresses.ts';
import type { PathAgent, TappedPacket, TappedPackets } from '../agent.ts';
import { type ParsedConnection, readConnection } from './connection-record.ts';
import { handshakeSecrets } from './key-log.ts';
import { type Handshake, type Packet, readPacket } from './packet.ts';
import { beginQuicHandshake } from './quic-handshake.ts';
import { beginTcpHandshake } from './tcp-handshake.ts';

export interface HandshakeWatch {
  begin(): Promise<void>;
  /** @param keyLog text of an NSS key log; left out: none. */
  connections(keyLog?: string): Promise<ObservedConnections>;
  /** Of the clients' hellos, in hex. */
  answeredRandoms(): Promise<string[]>;
}

/** IP and UDP headers. */
const HEAD_BYTES = 28;

/** Watches at the browser's end, where nothing that the browser sends is lost yet. */
export async function watchHandshakes(
  agent: Pick<PathAgent, 'openTap' | 'takePackets'>,
): Promise<HandshakeWatch> {
  await agent.openTap(PATH_DEVICE);
  const tappedPackets: TappedPackets = { packets: [], missed: 0 };
  let earlier = new Set<string>();
  const take = async (mostBytes?: number) => {
    const { packets, missed } = await agent.takePackets(mostBytes);
    tappedPackets.packets.push(...packets);
    tappedPackets.missed += missed;
  };
  return {
    async begin() {
      // Between loads a calibration may have filled the tap: only the ends are wanted of it.
      await take(HEAD_BYTES);
      earlier = quicEnds(tappedPackets.packets);
      tappedPackets.packets = [];
      tappedPackets.missed = 0;
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
  /** Text of an NSS key log; left out: there is none. */
  keyLog?: string;
  /** Ends of connections from before, as `quicEnds()` tells them: packets of theirs are nothing missed. */
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
  };
}

/** By what a key log names those of these connections that a server answered. */
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

/** An Initial that was sent again: to open it takes the id that the first one had. */
function isLeftover(handshake: Handshake, earlier: ReadonlySet<string>): boolean {
  return earlier.has(endsOf(handshake.first)) && handshake.clientMessages().length === 0;
}

function endsOf({ transport, clientPort, address }: Packet): string {
  return `${transport} ${clientPort} ${address}`;
}
