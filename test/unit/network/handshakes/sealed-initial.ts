import { createCipheriv } from 'node:crypto';
import { initialKeys, quicVersion } from '../../../../network/handshakes/packet-key.ts';

export const QUIC_2 = 0x6b3343cf;

/**
 * An Initial of QUIC with a message of the handshake, sealed with the keys derived from an id (RFC
 * 9001, section 5).
 */
export function sealedInitial(
  keysOf: Buffer,
  from: 'client' | 'server',
  message: Buffer,
  { packetNumber = 0, version = 1 } = {},
): Buffer {
  const { key, iv, headerKey } = initialKeys(keysOf, quicVersion(version))[from];
  const to = from === 'client' ? keysOf : Buffer.alloc(0);
  const frame = Buffer.concat([Buffer.from([0x06, 0]), varint(message.length), message]);
  const head = Buffer.concat([
    Buffer.from([version === QUIC_2 ? 0xd0 : 0xc0]),
    numberOf(version),
    Buffer.from([to.length]),
    to,
    // No id of its own, no token; then the length of the rest.
    Buffer.from([0, 0]),
    varint(1 + frame.length + 16),
    Buffer.from([packetNumber]),
  ]);
  const nonce = Buffer.from(iv);
  nonce[11] = nonce.readUInt8(11) ^ packetNumber;
  const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(head);
  const body = Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
  const mask = createCipheriv('aes-128-ecb', headerKey, null).update(body.subarray(3, 19));
  head[0] = head.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f);
  head[head.length - 1] = packetNumber ^ mask.readUInt8(1);
  return Buffer.concat([head, body]);
}

function numberOf(version: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(0x4000 | value);
  return bytes;
}
