import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { PORT } from './listener.ts';

/** Receives everything, and stays silent. */
export async function takeDatagrams(address: string): Promise<void> {
  await bound(address);
}

/** A version that no client has, from those reserved as unknown (RFC 9000, section 15). */
const OTHER_VERSION = 0x1a2a3a4a;
const LONG_HEADER = 0x80;
const MIN_INITIAL_BYTES = 1200;

/** Answers every version of QUIC but one by Version Negotiation that lists that one. */
export async function listenWithOtherVersion(address: string): Promise<void> {
  const socket = await bound(address);
  socket.on('message', (packet, { address: to, port }) => {
    const answer = versionNegotiation(packet);
    if (answer) socket.send(answer, port, to);
  });
}

/**
 * A server's response to the first packet of a client (RFC 9000, section 17.2.1); null: it is no
 * such packet.
 */
function versionNegotiation(packet: Buffer): Buffer | null {
  if (packet.length < MIN_INITIAL_BYTES || !(packet.readUInt8(0) & LONG_HEADER)) return null;
  if ([0, OTHER_VERSION].includes(packet.readUInt32BE(1))) return null;
  const destinationEnd = 6 + packet.readUInt8(5);
  const sourceEnd = destinationEnd + 1 + packet.readUInt8(destinationEnd);
  const head = Buffer.from([LONG_HEADER, 0, 0, 0, 0]);
  const version = Buffer.alloc(4);
  version.writeUInt32BE(OTHER_VERSION);
  // Both connection identifiers with their lengths, swapped.
  const source = packet.subarray(destinationEnd, sourceEnd);
  return Buffer.concat([head, source, packet.subarray(5, destinationEnd), version]);
}

async function bound(address: string): Promise<Socket> {
  const isIPv6 = address.includes(':');
  const socket = createSocket({ type: isIPv6 ? 'udp6' : 'udp4', ipv6Only: isIPv6 });
  socket.bind(PORT, address);
  await once(socket, 'listening');
  return socket;
}
