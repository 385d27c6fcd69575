import type { Handshake } from './handshake.ts';
import { readMessages } from './hello.ts';
import type { Packet } from './packet.ts';
import { initialKeys, openPacket, packetKey } from './packet-key.ts';
import { addHandshake, type LongPacket, longPacketsOf } from './quic-packets.ts';
import { Stream } from './stream.ts';

type Keys = ReturnType<typeof initialKeys>;

/** Begins with a client's Initial; null: the datagram has none. */
export function beginQuicHandshake(first: Packet): Handshake | null {
  const initial = first.toServer ? longPacketsOf(first.payload).find(isInitial) : undefined;
  if (initial === undefined) return null;
  // One pair of keys for each id that the client chose: after a Retry it takes another.
  const keys: Keys[] = [];
  const client = new Stream();
  const server = new Stream();
  const encrypted: LongPacket[] = [];
  let unopened = { client: false, server: false };

  const takeInitial = (packet: LongPacket, from: 'client' | 'server') => {
    const stream = from === 'client' ? client : server;
    const frames = openWithAny(packet, from, keys);
    if (frames === null) unopened = { ...unopened, [from]: true };
    else addHandshake(frames, stream);
  };
  const takeOfClient = (packet: LongPacket): boolean => {
    if (openWithAny(packet, 'client', keys) === null) {
      const own = initialKeys(packet.destination);
      if (openWithAny(packet, 'client', [own]) !== null) {
        // Once the server has answered, another id is another connection from the same port.
        if (server.begun) return false;
        keys.push(own);
      }
    }
    takeInitial(packet, 'client');
    return true;
  };
  const take = ({ toServer, payload }: Packet): boolean => {
    for (const packet of longPacketsOf(payload)) {
      if (packet.type === 'handshake' && !toServer) encrypted.push(packet);
      if (packet.type !== 'initial') continue;
      if (!toServer) takeInitial(packet, 'server');
      else if (!takeOfClient(packet)) return false;
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
      const key = packetKey(secret);
      const stream = new Stream();
      for (const { bytes, numberAt } of encrypted) {
        const frames = openPacket(bytes, numberAt, key);
        if (frames !== null) addHandshake(frames, stream);
      }
      return readMessages(stream.beginning());
    },
    get clientSpoke() {
      return client.begun || unopened.client;
    },
    get serverSpoke() {
      return server.begun || unopened.server;
    },
  };
}

function isInitial({ type }: LongPacket): boolean {
  return type === 'initial';
}

function openWithAny(
  { bytes, numberAt }: LongPacket,
  from: 'client' | 'server',
  keys: readonly Keys[],
): Buffer | null {
  for (const key of keys) {
    const frames = openPacket(bytes, numberAt, key[from]);
    if (frames !== null) return frames;
  }
  return null;
}
