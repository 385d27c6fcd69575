import type { Handshake } from './handshake.ts';
import { readMessages } from './hello.ts';
import type { Packet } from './packet.ts';
import { initialKeys, openPacket, packetKey } from './packet-key.ts';
import { addHandshake, type LongPacket, longPacketsOf } from './quic-packets.ts';
import { Stream } from './stream.ts';

/** Begins with a client's Initial; null: the datagram has none. */
export function beginQuicHandshake(first: Packet): Handshake | null {
  const initial = first.toServer ? longPacketsOf(first.payload).find(isInitial) : undefined;
  if (initial === undefined) return null;
  // The ids that the client chose for the server: after a Retry it takes another.
  const ids: Buffer[] = [];
  const client = new Stream();
  const server = new Stream();
  const encrypted: { packet: LongPacket; timeNs: bigint }[] = [];
  let quicVersion: number | null = null;
  let unopened = { client: false, server: false };

  const takeInitial = (packet: LongPacket, from: 'client' | 'server', timeNs: bigint) => {
    const stream = from === 'client' ? client : server;
    const frames = openByAny(packet, from, ids);
    if (frames === null) {
      unopened = { ...unopened, [from]: true };
      return;
    }
    addHandshake(frames, stream, timeNs);
    if (from === 'server') quicVersion = packet.version.number;
  };
  const takeOfClient = (packet: LongPacket, timeNs: bigint): boolean => {
    if (openByAny(packet, 'client', ids) === null) {
      const own = packet.destination;
      if (openByAny(packet, 'client', [own]) !== null) {
        // Once the server has answered, another id is another connection from the same port.
        if (server.begun) return false;
        ids.push(own);
      }
    }
    takeInitial(packet, 'client', timeNs);
    return true;
  };
  const take = ({ toServer, payload, timeNs }: Packet): boolean => {
    for (const packet of longPacketsOf(payload)) {
      if (packet.type === 'handshake' && !toServer) encrypted.push({ packet, timeNs });
      if (packet.type !== 'initial') continue;
      if (!toServer) takeInitial(packet, 'server', timeNs);
      else if (!takeOfClient(packet, timeNs)) return false;
    }
    return true;
  };
  take(first);
  return {
    first,
    take,
    clientMessages: () => readMessages(client.beginning()),
    serverMessages: () => readMessages(server.beginning()),
    encryptedMessages(secret) {
      const stream = new Stream();
      for (const { packet, timeNs } of encrypted) {
        const { version, bytes, numberAt } = packet;
        const frames = openPacket(bytes, numberAt, packetKey(secret, version));
        if (frames !== null) addHandshake(frames, stream, timeNs);
      }
      return readMessages(stream.beginning());
    },
    get clientSpoke() {
      return client.begun || unopened.client;
    },
    get serverSpoke() {
      return unopened.server || readMessages(server.beginning()).length > 0;
    },
    get clientHelloNs() {
      return client.firstNs;
    },
    get serverHelloNs() {
      return server.firstNs;
    },
    get quicVersion() {
      return quicVersion;
    },
  };
}

function isInitial({ type }: LongPacket): boolean {
  return type === 'initial';
}

/** Both ends may go over to another version after the client's first packet, whose id the keys are made of all the same (RFC 9369, section 4). */
function openByAny(
  { version, bytes, numberAt }: LongPacket,
  from: 'client' | 'server',
  ids: readonly Buffer[],
): Buffer | null {
  for (const id of ids) {
    const frames = openPacket(bytes, numberAt, initialKeys(id, version)[from]);
    if (frames !== null) return frames;
  }
  return null;
}
