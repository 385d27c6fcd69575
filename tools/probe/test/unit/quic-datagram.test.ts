import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClientHello, readMessages } from '../../../../network/handshakes/hello.ts';
import {
  decryptPacket,
  encryptPacket,
  initialKeys,
} from '../../../../network/handshakes/packet-key.ts';
import { addHandshake, longPacketsOf } from '../../../../network/handshakes/quic-handshake.ts';
import { Stream } from '../../../../network/handshakes/reader.ts';
import {
  DATAGRAM_BYTES,
  firstDatagrams,
  isRetry,
  offeredVersions,
  quicVersionName,
  reservedVersionDatagram,
} from '../../quic-datagram.ts';
import { amplificationOf } from '../../quic-questions.ts';

/** The frames of a datagram that is one Initial of a client. */
function framesOf(datagram: Buffer): Buffer {
  const [packet, ...more] = longPacketsOf(datagram);
  assert.ok(packet);
  assert.deepEqual([packet.type, more.length, packet.bytes.length], ['initial', 0, DATAGRAM_BYTES]);
  const frames = decryptPacket(
    packet.bytes,
    packet.numberAt,
    initialKeys(packet.destination).client,
  );
  assert.ok(frames, 'its keys follow from its connection id');
  return frames;
}

test('seals the client’s Initial of RFC 9001, A.2, byte for byte', () => {
  const hello =
    '060040f1010000ed0303ebf8fa56f12939b9584a3896472ec40bb863cfd3e86804fe3a47f06a2b69484c' +
    '00000413011302010000c000000010000e00000b6578616d706c652e636f6dff01000100000a00080006' +
    '001d0017001800100007000504616c706e000500050100000000003300260024001d00209370b2c9caa4' +
    '7fbabaf4559fedba753de171fa71f50f1ce15d43e994ec74d748002b0003020304000d0010000e040305' +
    '0306030203080408050806002d00020101001c00024001003900320408ffffffffffffffff05048000ff' +
    'ff07048000ffff0801100104800075300901100f088394c8f03e51570806048000ffff';
  const frames = Buffer.alloc(1162);
  frames.write(hello, 'hex');
  const head = Buffer.from('c300000001088394c8f03e5157080000449e00000002', 'hex');
  const { client } = initialKeys(Buffer.from('8394c8f03e515708', 'hex'));
  const packet = encryptPacket(head, frames, client);
  assert.equal(packet.length, 1200);
  assert.equal(
    packet.subarray(0, 64).toString('hex'),
    'c000000001088394c8f03e5157080000449e7b9aec34d1b1c98dd7689fb8ec11' +
      'd242b123dc9bd8bab936b47d92ec356c0bab7df5976d27cd449f63300099f399',
  );
  assert.equal(packet.subarray(-16).toString('hex'), 'e221af44860018ab0856972e194cd934');
});

test('has an Initial of 1,200 bytes with the host and h3 as the first datagram', () => {
  const stream = new Stream();
  addHandshake(framesOf(firstDatagrams('www.example.org').hello), stream, 0n);
  const [message, ...more] = readMessages(stream.beginning());
  assert.ok(message);
  assert.equal(more.length, 0);
  const hello = readClientHello(message.body);
  assert.deepEqual(
    [hello?.serverName, hello?.protocols, hello?.offered],
    ['www.example.org', ['h3'], 'full'],
  );
});

test('omits the server name for an IP address', () => {
  const stream = new Stream();
  addHandshake(framesOf(firstDatagrams(null).hello), stream, 0n);
  const [message] = readMessages(stream.beginning());
  assert.equal(message && readClientHello(message.body)?.serverName, null);
});

test('closes a connection without an error in the last datagram', () => {
  const frames = framesOf(firstDatagrams('www.example.org').close);
  assert.equal(frames.subarray(0, 4).toString('hex'), '1c000000');
  assert.ok(frames.subarray(4).every((byte) => byte === 0));
});

test('reads the offered versions without reserved ones', () => {
  const packet = (versions: string) =>
    Buffer.from(`ca00000000080102030405060708022122${versions}`, 'hex');
  assert.deepEqual(
    offeredVersions(packet('000000016b3343cfff00001d1a2a3a4a')),
    [1, 0x6b3343cf, 0xff00001d],
  );
  assert.deepEqual([1, 0x6b3343cf, 0xff00001d].map(quicVersionName), ['1', '2', 'ff00001d']);
  assert.deepEqual(offeredVersions(packet('')), []);
  assert.equal(offeredVersions(packet('000001')), null, 'a version that is cut');
  assert.equal(offeredVersions(Buffer.from('ca000000010801', 'hex')), null, 'another version');
  assert.equal(offeredVersions(Buffer.from('4a00000000', 'hex')), null, 'a short header');
  assert.equal(offeredVersions(Buffer.alloc(0)), null);
});

test('pads the datagram of a reserved version like a first one', () => {
  const datagram = reservedVersionDatagram();
  assert.equal(datagram.length, DATAGRAM_BYTES);
  assert.equal((datagram.readUInt32BE(1) & 0x0f0f0f0f) >>> 0, 0x0a0a0a0a);
  assert.equal(datagram.readUInt8(0) & 0x80, 0x80);
});

test('distinguishes a Retry packet from an Initial, other versions and short headers', () => {
  const retry = [0xf0, 0, 0, 0, 1, 0, 0];
  assert.equal(isRetry(Buffer.from(retry)), true);
  assert.equal(isRetry(Buffer.from([0xc0, ...retry.slice(1)])), false);
  assert.equal(isRetry(Buffer.from([0x70, ...retry.slice(1)])), false);
  assert.equal(isRetry(Buffer.from([0xf0, 0, 0, 0, 2, 0, 0])), false);
  assert.equal(isRetry(Buffer.from([0xf0, 0, 0])), false);
});

test('divides received by sent bytes for amplification', () => {
  assert.deepEqual(amplificationOf(1200, [Buffer.alloc(1200), Buffer.alloc(2400)]), {
    unvalidatedSentBytes: 1200,
    unvalidatedReceivedBytes: 3600,
    amplification: 3,
  });
  assert.equal(amplificationOf(2400, [Buffer.alloc(600)]).amplification, 0.25);
});
