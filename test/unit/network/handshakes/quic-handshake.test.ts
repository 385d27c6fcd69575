import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConnection } from '../../../../network/handshakes/connection-record.ts';
import type { Message } from '../../../../network/handshakes/hello.ts';
import { type Packet, readPacket } from '../../../../network/handshakes/packet.ts';
import { beginQuicHandshake } from '../../../../network/handshakes/quic-handshake.ts';
import { recording } from './recorded.ts';
import { QUIC_2, sealedInitial } from './sealed-initial.ts';

/** The packets of the full handshake that comes first in the recording. */
const PACKETS = recording('h3-full-then-early-data')
  .packets.map(readPacket)
  .filter((packet): packet is Packet => packet !== null)
  .filter(({ clientPort }, _, all) => clientPort === all[0]?.clientPort);

function begun(packets: readonly (Packet | undefined)[]) {
  const [first, ...rest] = packets;
  const handshake = first ? beginQuicHandshake(first) : null;
  assert.ok(handshake);
  const taken = rest.map((packet) => packet !== undefined && handshake.take(packet));
  return { handshake, taken };
}

const { handshake: RECORDED } = begun(PACKETS);

function bytesOf(message: Message | undefined): Buffer {
  assert.ok(message);
  const { type, body } = message;
  return Buffer.concat([Buffer.from([type, 0, body.length >> 8, body.length & 0xff]), body]);
}

const CLIENT_HELLO = bytesOf(RECORDED.clientMessages()[0]);
const SERVER_HELLO = bytesOf(RECORDED.serverMessages()[0]);
const FIRST_ID = Buffer.from('0011223344556677', 'hex');
const SECOND_ID = Buffer.from('8899aabbccddeeff', 'hex');

function packetOf(payload: Buffer, toServer: boolean): Packet {
  const { clientPort, address } = RECORDED.first;
  return { timeNs: 0n, toServer, transport: 'quic', clientPort, address, tcp: null, payload };
}

function ofClient(id: Buffer): Packet {
  return packetOf(sealedInitial(id, 'client', CLIENT_HELLO), true);
}

function ofServer(id: Buffer): Packet {
  return packetOf(sealedInitial(id, 'server', SERVER_HELLO), false);
}

test('continues a handshake with new keys after a Retry', () => {
  const retry = packetOf(Buffer.from('f00000000100085566778899aabbcc', 'hex'), false);
  const packets = [ofClient(FIRST_ID), retry, ofClient(SECOND_ID), ofServer(SECOND_ID)];
  const { handshake, taken } = begun(packets);
  assert.deepEqual(taken, [true, true, true]);
  const { record, readable } = readConnection(handshake, new Map());
  assert.deepEqual([record.handshake, record.tlsVersion, readable], ['full', 'TLS 1.3', true]);
});

test('reads another id from the same port as another connection once the server has answered', () => {
  const { taken } = begun([ofClient(FIRST_ID), ofServer(FIRST_ID), ofClient(SECOND_ID)]);
  assert.deepEqual(taken, [true, false]);
});

test('reports a server’s Initial that no key decrypts', () => {
  const { handshake } = begun([ofClient(FIRST_ID), ofServer(SECOND_ID)]);
  const { record, readable } = readConnection(handshake, new Map());
  assert.deepEqual([record.handshake, readable], [null, false]);
});

test('reads several packets in one datagram', () => {
  const both = Buffer.concat([ofServer(SECOND_ID).payload, ofServer(FIRST_ID).payload]);
  const { handshake } = begun([ofClient(FIRST_ID), packetOf(both, false)]);
  assert.equal(readConnection(handshake, new Map()).record.handshake, 'full');
});

test('reads padded datagrams that left as one packet', () => {
  const [first, second] = recording('firefox-h3').packets.map(readPacket);
  assert.ok(first && second);
  const payload = Buffer.concat([first.payload, second.payload]);
  const { record, hello } = readConnection(begun([{ ...first, payload }]).handshake, new Map());
  assert.equal(record.host, 'www.handshakes.test');
  assert.deepEqual(hello?.record, { bytes: 1894, packets: 1, firstPacketBytes: 2504 });
});

test("begins only with a client's Initial", () => {
  for (const packet of [
    ofServer(FIRST_ID),
    packetOf(Buffer.alloc(0), true),
    packetOf(Buffer.from('40aabbcc', 'hex'), true),
    packetOf(Buffer.from('c0000000ff', 'hex'), true),
  ]) {
    assert.equal(beginQuicHandshake(packet), null);
  }
});

test('lets both ends change to version 2 of QUIC behind the first packet, or begin with it', () => {
  const inVersion2 = (from: 'client' | 'server', message: Buffer) =>
    packetOf(sealedInitial(FIRST_ID, from, message, { version: QUIC_2 }), from === 'client');
  const over = begun([ofClient(FIRST_ID), inVersion2('server', SERVER_HELLO)]).handshake;
  const whole = begun([
    inVersion2('client', CLIENT_HELLO),
    inVersion2('server', SERVER_HELLO),
  ]).handshake;
  for (const handshake of [over, whole]) {
    const { record, readable } = readConnection(handshake, new Map());
    assert.deepEqual(
      [record.handshake, record.tlsVersion, record.quicVersion, readable],
      ['full', 'TLS 1.3', '2', true],
    );
  }
});
