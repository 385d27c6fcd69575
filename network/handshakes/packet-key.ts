import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** Keys of one direction's QUIC packets, for AES-128-GCM (RFC 9001, section 5). */
interface PacketKey {
  key: Buffer;
  iv: Buffer;
  headerKey: Buffer;
}

const HASH_BYTES = 32;
const KEY_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SAMPLE_BYTES = 16;
const LONGEST_NUMBER_BYTES = 4;

/** Keys of Initial packets, derived from the connection id that the client chose for the server. */
export function initialKeys(
  connectionId: Buffer,
  version: QuicVersion = VERSION_1,
): { client: PacketKey; server: PacketKey } {
  const secret = hmac(version.initialSalt, connectionId);
  return {
    client: packetKey(expand(secret, 'client in', HASH_BYTES), version),
    server: packetKey(expand(secret, 'server in', HASH_BYTES), version),
  };
}

export function packetKey(secret: Buffer, { labels }: QuicVersion): PacketKey {
  return {
    key: expand(secret, `${labels} key`, KEY_BYTES),
    iv: expand(secret, `${labels} iv`, IV_BYTES),
    headerKey: expand(secret, `${labels} hp`, KEY_BYTES),
  };
}

/**
 * Decrypts a packet with a long header.
 * @param numberAt offset of its packet number
 * @returns its frames; null: another key was used, or it is damaged
 */
export function decryptPacket(packet: Buffer, numberAt: number, keys: PacketKey): Buffer | null {
  const sampleAt = numberAt + LONGEST_NUMBER_BYTES;
  if (packet.length < sampleAt + Math.max(SAMPLE_BYTES, TAG_BYTES)) return null;
  const mask = headerMask(packet, numberAt, keys);
  const first = packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f);
  const numberBytes = (first & 3) + 1;
  const head = Buffer.from(packet.subarray(0, numberAt + numberBytes));
  head[0] = first;
  const nonce = Buffer.from(keys.iv);
  for (let index = 0; index < numberBytes; index++) {
    const byte = packet.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index);
    head[numberAt + index] = byte;
    // A handshake has few packets, so that the truncated packet number is complete.
    nonce[IV_BYTES - numberBytes + index] = nonce.readUInt8(IV_BYTES - numberBytes + index) ^ byte;
  }
  const cipher = createDecipheriv('aes-128-gcm', keys.key, nonce);
  cipher.setAAD(head).setAuthTag(packet.subarray(-TAG_BYTES));
  const frames = cipher.update(packet.subarray(head.length, -TAG_BYTES));
  try {
    cipher.final();
    return frames;
  } catch {
    return null;
  }
}

/**
 * Encrypts a packet with a long header: the inverse of decryptPacket().
 * @param head everything before its frames, with a packet number of 4 bytes at its end
 */
export function encryptPacket(head: Buffer, frames: Buffer, keys: PacketKey): Buffer {
  const numberAt = head.length - LONGEST_NUMBER_BYTES;
  const nonce = Buffer.from(keys.iv);
  for (let index = 0; index < LONGEST_NUMBER_BYTES; index++) {
    const at = IV_BYTES - LONGEST_NUMBER_BYTES + index;
    nonce[at] = nonce.readUInt8(at) ^ head.readUInt8(numberAt + index);
  }
  const cipher = createCipheriv('aes-128-gcm', keys.key, nonce);
  cipher.setAAD(head);
  const closed = Buffer.concat([cipher.update(frames), cipher.final(), cipher.getAuthTag()]);
  const packet = Buffer.concat([head, closed]);
  const mask = headerMask(packet, numberAt, keys);
  packet[0] = packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f);
  for (let index = 0; index < LONGEST_NUMBER_BYTES; index++) {
    packet[numberAt + index] = packet.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index);
  }
  return packet;
}

/** Mask of the first byte and the packet number (RFC 9001, section 5.4). */
function headerMask(packet: Buffer, numberAt: number, keys: PacketKey): Buffer {
  const sampleAt = numberAt + LONGEST_NUMBER_BYTES;
  return createCipheriv('aes-128-ecb', keys.headerKey, null).update(
    packet.subarray(sampleAt, sampleAt + SAMPLE_BYTES),
  );
}

function hmac(key: Buffer, bytes: Buffer, hash = 'sha256'): Buffer {
  return createHmac(hash, key).update(bytes).digest();
}

/** HKDF-Expand-Label for at most one hash (RFC 8446, section 7.1). */
export function expand(
  secret: Buffer,
  name: string,
  bytes: number,
  hash: 'sha256' | 'sha384' = 'sha256',
): Buffer {
  const label = Buffer.from(`tls13 ${name}`);
  const info = Buffer.concat([Buffer.from([0, bytes, label.length]), label, Buffer.from([0, 1])]);
  return hmac(secret, info, hash).subarray(0, bytes);
}

export interface QuicVersion {
  /** Version field of packets. */
  number: number;
  initialSalt: Buffer;
  labels: string;
  /** Meaning of the two type bits of a long header; null: a type without handshake data. */
  types: readonly (LongPacketType | null)[];
}

export type LongPacketType = 'initial' | 'early data' | 'handshake';

/** RFC 9001, section 5.2; RFC 9000, section 17.2. */
const VERSION_1: QuicVersion = {
  number: 1,
  initialSalt: Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex'),
  labels: 'quic',
  types: ['initial', 'early data', 'handshake', null],
};

/** RFC 9369, section 3: same protocol, different wire image, which prevents ossification. */
const VERSION_2: QuicVersion = {
  number: 0x6b3343cf,
  initialSalt: Buffer.from('0dede3def700a6db819381be6e269dcbf9bd2ed9', 'hex'),
  labels: 'quicv2',
  types: [null, 'initial', 'early data', 'handshake'],
};

/** undefined: a version that cannot be read. */
export function quicVersion(number: number): QuicVersion | undefined {
  return [VERSION_1, VERSION_2].find((version) => version.number === number);
}

const NAMES = new Map([
  [VERSION_1.number, '1'],
  [VERSION_2.number, '2'],
]);

export function quicVersionName(number: number | null): string | null {
  return number === null ? null : (NAMES.get(number) ?? `0x${number.toString(16)}`);
}
