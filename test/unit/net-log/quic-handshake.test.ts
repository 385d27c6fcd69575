import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRE_SHARED_KEY } from '../../net-log/handshake-message.ts';
import { createQuicHandshake } from '../../net-log/quic-handshake.ts';
import { recordedLines } from './recorded.ts';

/** A recorded ServerHello that accepted a ticket. */
const HELLO: Buffer = (() => {
  const found = recordedLines('h3-full-then-early-data')
    .filter((line) => line.includes('ENCRYPTION_INITIAL'))
    .map((line) => Buffer.from(/"bytes":"([^"]+)"/.exec(line)?.[1] ?? '', 'base64'));
  return found.at(-1) as Buffer;
})();

function frame(from: number, to: number) {
  return {
    bytes: HELLO.subarray(from, to).toString('base64'),
    offset: from,
    encryption_level: 'ENCRYPTION_INITIAL',
  };
}

const MIDDLE = 50;

test('reads a hello from one frame', () => {
  const handshake = createQuicHandshake();
  assert.equal(handshake.serverHello(), null);
  handshake.add(frame(0, HELLO.length));
  assert.equal(handshake.serverHello()?.cipherSuite, 0x1301);
  assert.ok(handshake.serverHello()?.extensions.has(PRE_SHARED_KEY));
});

test('reads a hello from two frames in either order', () => {
  const parts = [frame(0, MIDDLE), frame(MIDDLE, HELLO.length)];
  for (const order of [parts, parts.toReversed()]) {
    const handshake = createQuicHandshake();
    for (const part of order) {
      assert.equal(handshake.serverHello(), null);
      handshake.add(part);
    }
    assert.equal(handshake.serverHello()?.cipherSuite, 0x1301);
  }
});

test('ignores frames that repeat or overlap earlier ones', () => {
  const handshake = createQuicHandshake();
  const whole = frame(0, HELLO.length);
  for (const part of [frame(0, MIDDLE), frame(0, MIDDLE), frame(20, HELLO.length), whole, whole])
    handshake.add(part);
  assert.equal(handshake.serverHello()?.cipherSuite, 0x1301);
});

test('excludes frames of later levels, which count their bytes from zero again', () => {
  const handshake = createQuicHandshake();
  handshake.add({ ...frame(0, HELLO.length), encryption_level: 'ENCRYPTION_HANDSHAKE' });
  assert.equal(handshake.serverHello(), null);
});

test('reads nothing from frames without bytes, as in a leaner log', () => {
  const handshake = createQuicHandshake();
  handshake.add({ offset: 0, encryption_level: 'ENCRYPTION_INITIAL' });
  assert.equal(handshake.serverHello(), null);
});
