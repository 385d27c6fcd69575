import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { test } from 'node:test';
import { ShortPackets } from '../../../../network/handshakes/short-packet.ts';

// RFC 9001, appendices A.1 (as keys of a short header) and A.5.
const AES = {
  cipher: 'AES_128_GCM',
  secret: '3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b',
  key: 'cf3a5331653c364c88f0f379b6067e37',
  iv: '0ac1493ca1905853b0bba03e',
  headerKey: 'c206b8d9b9f0f37644430b490eeaa314',
};
const CHACHA = {
  cipher: 'CHACHA20_POLY1305',
  secret: '9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b',
  key: 'c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8',
  iv: 'e0459b3474bdd0e44a41c144',
  headerKey: '25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4',
};
const CHACHA_PACKET = '4cfe4189655e5cd55c41f69080575d7999c25a5bfb';
const CHACHA_NUMBER = 654_360_564;

/** Derived from the secret of AES by "quic ku", as RFC 9001 derives that of ChaCha20 in A.5. */
const UPDATED = { key: '77cd7558cd3c716aec7323740ee5ba0f', iv: '4305d4ffe29b4dbd5914d9c6' };

function opener({ cipher, secret }: typeof AES, idBytes = 0): ShortPackets {
  return new ShortPackets(Buffer.from(secret, 'hex'), { cipher, labels: 'quic', idBytes });
}

interface Sealing {
  number: number;
  cipher?: string;
  key?: string;
  iv?: string;
  headerKey?: string;
  frames?: string;
  id?: string;
  numberBytes?: number;
  protectedBits?: number;
  first?: number;
}

/** A packet with a short header. */
function sealed({
  number,
  cipher = AES.cipher,
  key = AES.key,
  iv = AES.iv,
  headerKey = AES.headerKey,
  frames = '01000000',
  id = '',
  numberBytes = 4,
  protectedBits = 0x1f,
  first = 0x40,
}: Sealing): Buffer {
  const head = Buffer.from(`${(first | (numberBytes - 1)).toString(16)}${id}`, 'hex');
  const numbers = Buffer.alloc(6);
  numbers.writeUIntBE(number, 0, 6);
  const plain = Buffer.concat([head, numbers.subarray(-numberBytes)]);
  const isAes = cipher === AES.cipher;
  const nonce = Buffer.from(iv, 'hex');
  for (let at = 0; at < 6; at++) nonce[6 + at] = nonce.readUInt8(6 + at) ^ numbers.readUInt8(at);
  const aead = (isAes ? 'aes-128-gcm' : 'chacha20-poly1305') as 'aes-128-gcm';
  const seal = createCipheriv(aead, Buffer.from(key, 'hex'), nonce, { authTagLength: 16 });
  seal.setAAD(plain, { plaintextLength: frames.length / 2 });
  const closed = [seal.update(Buffer.from(frames, 'hex')), seal.final(), seal.getAuthTag()];
  const packet = Buffer.concat([plain, ...closed]);
  const sample = packet.subarray(head.length + 4, head.length + 20);
  const maskKey = Buffer.from(headerKey, 'hex');
  const mask = isAes
    ? createCipheriv('aes-128-ecb', maskKey, null).update(sample)
    : createCipheriv('chacha20', maskKey, sample).update(Buffer.alloc(5));
  packet[0] = packet.readUInt8(0) ^ (mask.readUInt8(0) & protectedBits);
  for (let at = 0; at < numberBytes; at++) {
    packet[head.length + at] = packet.readUInt8(head.length + at) ^ mask.readUInt8(1 + at);
  }
  return packet;
}

test('opens packets in the order of sending, with truncated numbers', () => {
  const packets = opener(AES, 2);
  const numbers = [0, 1, 200, 255, 256, 300, 254, 420].map((number) => {
    return packets.open(sealed({ number, id: 'abcd', numberBytes: 1 }))?.number;
  });
  assert.deepEqual(numbers, [0, 1, 200, 255, 256, 300, 254, 420]);
  assert.equal(packets.open(sealed({ number: 7, id: 'abcd' }))?.frames.toString('hex'), '01000000');
});

test('opens packets whose reserved bits hold loss bits', () => {
  const packets = opener(AES);
  const lossBits = [0x40, 0x48, 0x50, 0x58].map((first) => ({ first, protectedBits: 0x07 }));
  const numbers = lossBits.map((each, number) => packets.open(sealed({ number, ...each }))?.number);
  assert.deepEqual(numbers, [0, 1, 2, 3]);
});

test('opens the packet of RFC 9001 that is sealed by ChaCha20', () => {
  const packets = opener(CHACHA);
  packets.open(sealed({ ...CHACHA, number: CHACHA_NUMBER - 1 }));
  assert.deepEqual(packets.open(Buffer.from(CHACHA_PACKET, 'hex')), {
    number: CHACHA_NUMBER,
    frames: Buffer.of(1),
  });
});

test('opens packets of an updated key, and late ones of the key before', () => {
  const packets = opener(AES);
  const next = { ...AES, ...UPDATED, first: 0x44 };
  assert.equal(packets.open(sealed({ number: 0 }))?.number, 0);
  assert.equal(packets.open(sealed({ ...next, number: 2 }))?.number, 2);
  assert.equal(packets.open(sealed({ number: 1 }))?.number, 1);
  assert.equal(packets.open(sealed({ ...next, number: 3 }))?.number, 3);
});

test('rejects a damaged packet, a short one and an unknown cipher', () => {
  const packet = sealed({ number: 3 });
  packet[packet.length - 1] = packet.readUInt8(packet.length - 1) ^ 1;
  assert.equal(opener(AES).open(packet), null);
  assert.equal(opener(AES).open(packet.subarray(0, 10)), null);
  assert.throws(() => opener({ ...AES, cipher: 'AES_128_CCM' }), RangeError);
});
