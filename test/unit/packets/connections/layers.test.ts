import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { LAYER_NAMES, type WireConnection } from '../../../../ground/records/packets.ts';
import type { QuicFrame } from '../../../../packets/dissection/packet.ts';
import {
  ack,
  crypto,
  datagram,
  layersOf,
  quicPacket,
  readQuic,
  readTcp,
  segment,
  streamFrame,
  sumOf,
  type TimedPacket,
} from '../made-packets.ts';

const ROUNDS = 300;
const random = xoroshiro128plus(11);
const below = (end: number) => uniformInt(random, 0, end - 1);
const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
const sometimes = <Item>(item: Item) => (below(3) === 0 ? [item] : []);
const many = <Item>(most: number, make: () => Item) => Array.from({ length: below(most) }, make);
const anyDirection = () => oneOf(['toServer', 'toClient'] as const);
const restOf = () => (below(6) === 0 ? { comments: ['dropped: the queue was full'] } : {});

function assertWhole(read: WireConnection, packets: readonly TimedPacket[]): void {
  const layers = layersOf(read);
  const bytes = sumOf(packets.map(({ packet }) => packet.bytes));
  assert.equal(sumOf(Object.values(layers)), bytes);
  assert.equal(read.toServer.bytes + read.toClient.bytes, bytes);
  for (const layer of LAYER_NAMES) {
    assert.ok(read.beforeRequest[layer] >= 0, `${layer}: ${read.beforeRequest[layer]}`);
    assert.ok(read.afterRequest[layer] >= 0, `${layer}: ${read.afterRequest[layer]}`);
  }
  for (const [layer, key] of [
    ['retransmissions', 'retransmittedBytes'],
    ['handshake', 'handshakeBytes'],
    ['padding', 'paddingBytes'],
    ['payload', 'payloadBytes'],
  ] as const)
    assert.equal(read.toServer[key] + read.toClient[key], layers[layer]);
}

test('counts each byte of the frames of a TCP connection in one layer', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const packets = Array.from({ length: 30 }, (_, atMs) => {
      const bytes = oneOf([0, 0, 1, 500, 1400]);
      const records = many(4, () => ({
        bytes: below(2000) + 1,
        ...Object.assign({}, ...sometimes({ sealed: true })),
        ...Object.assign({}, ...sometimes({ type: oneOf([20, 21, 22, 23]) })),
        ...Object.assign({}, ...sometimes({ handshake: [{ type: oneOf([1, 2, 20]) }] })),
      }));
      const of = {
        flags: oneOf(['ack', 'ack', 'syn', 'fin ack', 'reset']),
        sequence: oneOf([below(10_000), 2 ** 32 - below(3000)]),
        acknowledged: below(10_000),
        bytes,
      };
      const http2 = many(3, () => ({
        type: oneOf([0, 1]),
        bytes: 0,
        contentBytes: below(3000),
        ...Object.assign({}, ...sometimes({ path: '/' })),
      }));
      return segment(atMs, anyDirection(), {
        ...of,
        ...(bytes > 0 ? { records, http2, ...restOf() } : restOf()),
      });
    });
    assertWhole(readTcp(packets), packets);
  }
});

test('counts each byte of the frames of a QUIC connection in one layer', () => {
  const frame = (): QuicFrame =>
    oneOf([
      () => ack(below(30), below(1000)),
      () => crypto(below(2000), below(900)),
      () => streamFrame(below(8), below(3000), Buffer.alloc(below(900), oneOf([0, 1, 0xff]))),
      () => ({ type: 0, bytes: below(1000) + 1 }),
      () => ({ type: oneOf([1, 0x10, 0x18, 0x1c, 0x1d, 0x1e, 0x31]), bytes: below(30) + 1 }),
    ])();
  for (let round = 0; round < ROUNDS; round++) {
    const packets = Array.from({ length: 30 }, (_, atMs) =>
      datagram(
        atMs,
        anyDirection(),
        many(4, () => {
          const space = oneOf(['initial', 'early', 'handshake', 'short'] as const);
          return quicPacket(space, below(30), many(5, frame), { closedBytes: below(2) * 200 });
        }),
        { spareBytes: below(2) * below(300), ...restOf() },
      ),
    );
    assertWhole(readQuic(packets), packets);
  }
});
