import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decryptPacket,
  initialKeys,
  quicVersion,
} from '../../../../network/handshakes/packet-key.ts';
import { longPacketsOf } from '../../../../network/handshakes/quic-handshake.ts';

// RFC 9001, appendix A.
const ID = Buffer.from('8394c8f03e515708', 'hex');
const SERVER_INITIAL = Buffer.from(
  'cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a' +
    '5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a1839b3' +
    'dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84' +
    '022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc4' +
    '2158407dd074ee',
  'hex',
);

test('derives the keys of the first packets in RFC 9001', () => {
  const { client, server } = initialKeys(ID);
  assert.deepEqual(
    [client, server].map(({ key, iv, headerKey }) =>
      [key, iv, headerKey].map((bytes) => bytes.toString('hex')),
    ),
    [
      [
        '1f369613dd76d5467730efcbe3b1a22d',
        'fa044b2f42a3fd3b46fb255c',
        '9f50449e04a0e810283a1e9933adedd2',
      ],
      [
        'cf3a5331653c364c88f0f379b6067e37',
        '0ac1493ca1905853b0bba03e',
        'c206b8d9b9f0f37644430b490eeaa314',
      ],
    ],
  );
});

test('derives the keys of RFC 9369 for version 2', () => {
  const { client, server } = initialKeys(ID, quicVersion(0x6b3343cf));
  assert.deepEqual(
    [client, server].map(({ key, iv, headerKey }) =>
      [key, iv, headerKey].map((bytes) => bytes.toString('hex')),
    ),
    [
      [
        '8b1a0bc121284290a29e0971b5cd045d',
        '91f73e2351d8fa91660e909f',
        '45b95e15235d6f45a6b19cbcb0294ba9',
      ],
      [
        '82db637861d55e1d011f19ea71d5d2a7',
        'dd13c276499c0249d3310652',
        'edf6d05c83121201b436e16877593c3a',
      ],
    ],
  );
});

test('decrypts the server’s Initial of RFC 9001', () => {
  const [packet, ...more] = longPacketsOf(SERVER_INITIAL);
  assert.ok(packet);
  assert.deepEqual([packet.type, more.length], ['initial', 0]);
  const frames = decryptPacket(packet.bytes, packet.numberAt, initialKeys(ID).server);
  // An acknowledgement of packet 0, and 90 bytes of the handshake.
  assert.equal(
    frames?.subarray(0, 13).toString('hex'),
    '02000000000600405a020000 56'.replace(' ', ''),
  );
});

test('rejects a packet with another key, or with a changed byte', () => {
  const [packet] = longPacketsOf(SERVER_INITIAL);
  assert.ok(packet);
  const { bytes, numberAt } = packet;
  assert.equal(decryptPacket(bytes, numberAt, initialKeys(ID).client), null);
  for (const at of [1, numberAt, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = damaged.readUInt8(at) ^ 1;
    assert.equal(decryptPacket(damaged, numberAt, initialKeys(ID).server), null, `byte ${at}`);
  }
  assert.equal(decryptPacket(bytes.subarray(0, 30), numberAt, initialKeys(ID).server), null);
});
