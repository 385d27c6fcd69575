import { createCipheriv } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { initialKeys } from '../../../network/handshakes/packet-key.ts';

const LONG_HEADER = 0x80;
const NUMBER_BYTES = 4;
const TAG_BYTES = 16;
/** Minimum size of a handshake datagram (RFC 9000, 14.1). */
const MIN_BYTES = 1200;

interface Hello {
  /** The server's as the client chose it, and the client's. */
  destination: Buffer;
  source: Buffer;
}

/** Frames by their bytes (RFC 9000, 19). */
export const FRAMES = {
  /** CONNECTION_CLOSE without a reason. */
  close: (code: number) => Buffer.from([0x1c, 0x40 | (code >> 8), code & 0xff, 0, 0]),
  /** Of the first packet. */
  acknowledgement: Buffer.from([0x02, 0, 0, 0, 0]),
};

/** A list of versions that no client has (RFC 9000, 17.2.1). */
export function otherVersions({ destination, source }: Hello): Buffer {
  const head = Buffer.from([LONG_HEADER, 0, 0, 0, 0, source.length]);
  const versions = Buffer.from('1a2a3a4a', 'hex');
  return Buffer.concat([head, source, Buffer.from([destination.length]), destination, versions]);
}

/** An Initial packet with these frames, the first of its server. */
export function initialWith(frames: Buffer): (hello: Hello) => Buffer {
  return ({ destination, source }) => {
    const { key, iv, headerKey } = initialKeys(destination).server;
    const own = Buffer.alloc(8, 7);
    const payload = Buffer.concat([frames, Buffer.alloc(MIN_BYTES - 100 - frames.length)]);
    const length = NUMBER_BYTES + payload.length + TAG_BYTES;
    const head = Buffer.concat([
      Buffer.from([LONG_HEADER | 0x40 | (NUMBER_BYTES - 1), 0, 0, 0, 1, source.length]),
      source,
      Buffer.from([own.length]),
      own,
      Buffer.from([0, 0x40 | (length >> 8), length & 0xff]),
      Buffer.alloc(NUMBER_BYTES),
    ]);
    // Number 0, so that the nonce is the vector itself.
    const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(head);
    const closed = [cipher.update(payload), cipher.final(), cipher.getAuthTag()];
    const packet = Buffer.concat([head, ...closed]);
    const numberAt = head.length - NUMBER_BYTES;
    const sample = packet.subarray(numberAt + 4, numberAt + 20);
    const mask = createCipheriv('aes-128-ecb', headerKey, null).update(sample);
    packet[0] = packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f);
    for (let index = 0; index < NUMBER_BYTES; index++)
      packet[numberAt + index] = mask[1 + index] ?? 0;
    return packet;
  };
}

/** Answers each first packet of a QUIC client with a datagram; null: with nothing. */
export async function withQuicAnswers<T>(
  answer: (hello: Hello) => Buffer | null,
  use: (address: string) => Promise<T>,
): Promise<T> {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.on('message', (datagram, from) => {
    if (datagram.length < MIN_BYTES || datagram.readUInt32BE(1) !== 1) return;
    const sourceAt = 6 + datagram.readUInt8(5);
    const destination = datagram.subarray(6, sourceAt);
    const source = datagram.subarray(sourceAt + 1, sourceAt + 1 + datagram.readUInt8(sourceAt));
    const sent = answer({ destination, source });
    if (sent !== null) socket.send(sent, from.port, from.address);
  });
  try {
    return await use(`127.0.0.1:${socket.address().port}`);
  } finally {
    socket.close();
  }
}
