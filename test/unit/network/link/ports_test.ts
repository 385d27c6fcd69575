import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileLink } from '../../../../network/userspace/link/native.ts';
import { ipPacket, onDevice, tcp, udp } from './made-link.ts';

const ICMP = 1;
const [SYN, ACK] = [0x02, 0x10];
const [BEFORE, AFTER] = [40_001, 40_002];
const SERVER_PORT = 443;
const [INITIAL, SHORT] = [0xc3, 0x43];
// In version 2 the same bits mean Retry.
const INITIAL_2 = 0xd3;
const QUIC_2 = [0x6b, 0x33, 0x43, 0xcf];
const [TO_SERVER, TO_CLIENT] = [0, 1];

type MakePacket = (source: number, target: number) => Buffer;
const segment =
  (flags: number): MakePacket =>
  (source, target) =>
    tcp(source, target, flags);
const datagram =
  (first: number, version?: number[]): MakePacket =>
  (source, target) =>
    udp(source, target, first, version);

/** The client's ports of a separate link. */
function clientPorts() {
  const native = compileLink();
  const sent = (packet: Buffer) => native.owns(TO_SERVER, packet, packet.length) === 1;
  const received = (packet: Buffer) => native.owns(TO_CLIENT, packet, packet.length) === 1;
  return {
    sent,
    received,
    begin: (keepsConnections: boolean, everything = false) =>
      native.begin_ports(Number(keepsConnections), Number(everything)),
    /** Whether packets from a port of the client, and back to it, belong to the load. */
    owns: (made: MakePacket, port: number) => [
      sent(made(port, SERVER_PORT)),
      received(made(SERVER_PORT, port)),
    ],
  };
}

const BOTH = [true, true];
const NEITHER = [false, false];

test('owns connections that begin in the load', () => {
  const { owns } = clientPorts();
  assert.deepEqual(owns(segment(ACK), BEFORE), BOTH);
  assert.deepEqual(owns(datagram(SHORT), BEFORE), BOTH);
});

test('does not own those from before, but does own later ones', () => {
  const { owns, begin } = clientPorts();
  owns(segment(SYN), BEFORE);
  begin(false);
  assert.deepEqual(owns(segment(ACK), BEFORE), NEITHER);
  assert.deepEqual(owns(segment(ACK), AFTER), BOTH);
  // The same port of another protocol is another port.
  assert.deepEqual(owns(datagram(SHORT), BEFORE), BOTH);
});

test('takes a port that only received as one from before too', () => {
  const { owns, received, begin } = clientPorts();
  received(udp(SERVER_PORT, BEFORE, SHORT));
  begin(false);
  assert.deepEqual(owns(datagram(SHORT), BEFORE), NEITHER);
});

test('keeps ports from before apart in later loads', () => {
  const { owns, begin } = clientPorts();
  owns(segment(SYN), BEFORE);
  for (const keeps of [false, false, true]) begin(keeps);
  assert.deepEqual(owns(segment(ACK), BEFORE), NEITHER);
});

test('owns those of the load before if it keeps connections', () => {
  const { owns, begin } = clientPorts();
  owns(segment(SYN), BEFORE);
  begin(true);
  assert.deepEqual(owns(segment(ACK), BEFORE), BOTH);
});

test('treats a port as new after a SYN or an Initial', () => {
  const kinds = [
    [segment(SYN), segment(ACK)],
    [datagram(INITIAL), datagram(SHORT)],
    [datagram(INITIAL_2, QUIC_2), datagram(INITIAL, QUIC_2)],
  ] as const;
  for (const [first, later] of kinds) {
    const { owns, begin } = clientPorts();
    owns(first, BEFORE);
    begin(false);
    assert.deepEqual(owns(later, BEFORE), NEITHER);
    assert.deepEqual(owns(first, BEFORE), BOTH);
    assert.deepEqual(owns(later, BEFORE), BOTH);
  }
});

test("does not treat a port as new after the server's SYN-ACK", () => {
  const { owns, sent, received, begin } = clientPorts();
  owns(segment(SYN), BEFORE);
  begin(false);
  assert.equal(received(tcp(SERVER_PORT, BEFORE, SYN | ACK)), false);
  assert.equal(sent(tcp(BEFORE, SERVER_PORT, SYN | ACK)), false);
});

test('owns packets without ports and earlier ones if everything belongs to the load', () => {
  const { owns, sent, begin } = clientPorts();
  owns(segment(SYN), BEFORE);
  begin(false, true);
  assert.deepEqual(owns(segment(ACK), BEFORE), BOTH);
  assert.ok(sent(ipPacket(ICMP, BEFORE, 0, Buffer.alloc(20))));
  begin(false);
  assert.deepEqual(owns(segment(ACK), BEFORE), NEITHER);
  assert.equal(sent(ipPacket(ICMP, BEFORE, 0, Buffer.alloc(20))), false);
});

test('does not own packets without ports', () => {
  const { sent, received } = clientPorts();
  const strange = [
    ipPacket(ICMP, BEFORE, 0, Buffer.alloc(20)),
    ...[Buffer.alloc(0), Buffer.of(0x45), Buffer.alloc(40)].map(onDevice),
    tcp(BEFORE, SERVER_PORT, SYN).subarray(0, 33),
  ];
  for (const packet of strange) assert.deepEqual([sent(packet), received(packet)], NEITHER);
});

test('begins nothing with short packets', () => {
  for (const protocol of [6, 17]) {
    const { sent, begin } = clientPorts();
    sent(ipPacket(protocol, BEFORE, SERVER_PORT, Buffer.alloc(20)));
    begin(false);
    assert.equal(sent(ipPacket(protocol, BEFORE, SERVER_PORT, Buffer.alloc(0))), false);
  }
});
