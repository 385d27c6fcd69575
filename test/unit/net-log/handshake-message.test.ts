import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EARLY_DATA,
  PRE_SHARED_KEY,
  readHandshakeMessages,
} from '../../net-log/handshake-message.ts';
import {
  bytesOf,
  clientHello,
  encryptedExtensions,
  message,
  serverHello,
} from './made-messages.ts';

const SUPPORTED_VERSIONS = 43;

test('reads the extensions of a ClientHello', () => {
  const [hello] = readHandshakeMessages(clientHello([10, SUPPORTED_VERSIONS, EARLY_DATA]));
  assert.equal(hello?.type, 'client hello');
  assert.deepEqual([...hello.extensions], [10, SUPPORTED_VERSIONS, EARLY_DATA]);
});

test('reads the suite and the extensions of a ServerHello', () => {
  const [hello] = readHandshakeMessages(serverHello(0x1303, [SUPPORTED_VERSIONS, PRE_SHARED_KEY]));
  assert.equal(hello?.type, 'server hello');
  assert.equal(hello.cipherSuite, 0x1303);
  assert.deepEqual([...hello.extensions], [SUPPORTED_VERSIONS, PRE_SHARED_KEY]);
});

test('reads a ServerHello without extensions', () => {
  const [start, sessionId, compression] = [Buffer.alloc(34), bytesOf(0, 1), bytesOf(0, 1)];
  const short = message(2, start, sessionId, bytesOf(0xc02b, 2), compression);
  assert.deepEqual([...(readHandshakeMessages(short)[0]?.extensions ?? [-1])], []);
});

test('reads from EncryptedExtensions whether early data was accepted', () => {
  const [taken] = readHandshakeMessages(encryptedExtensions([16, EARLY_DATA]));
  assert.equal(taken?.type, 'encrypted extensions');
  assert.ok(taken.extensions.has(EARLY_DATA));
});

test('reads messages one after the other, and omits other kinds', () => {
  const certificate = message(11, Buffer.alloc(300, 2));
  const all = Buffer.concat([
    serverHello(0x1301, []),
    certificate,
    encryptedExtensions([EARLY_DATA]),
  ]);
  assert.deepEqual(
    readHandshakeMessages(all).map(({ type }) => type),
    ['server hello', 'encrypted extensions'],
  );
});

test('rejects a truncated message', () => {
  const whole = serverHello(0x1301, [SUPPORTED_VERSIONS, PRE_SHARED_KEY]);
  for (let length = 0; length < whole.length; length++) {
    assert.deepEqual(readHandshakeMessages(whole.subarray(0, length)), [], `${length} bytes`);
  }
});

test('omits a message whose inner lengths exceed it', () => {
  for (const type of [1, 2, 8]) {
    assert.deepEqual(readHandshakeMessages(message(type, Buffer.alloc(60, 0xff))), []);
  }
});
