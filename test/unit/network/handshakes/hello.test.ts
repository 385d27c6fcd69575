import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptsEarlyData,
  CLIENT_HELLO,
  readClientHello,
  readMessages,
  readServerHello,
  SERVER_HELLO,
  TLS_1_3,
} from '../../../../network/handshakes/hello.ts';
import { readPacket } from '../../../../network/handshakes/packet.ts';
import { beginTcpHandshake } from '../../../../network/handshakes/tcp-handshake.ts';
import { assertEach } from '../../assert-each.ts';
import { recording } from './recorded.ts';

/** The first hellos of a recording over TCP. */
function hellosOf(name: string) {
  const [first, ...rest] = recording(name).packets.map(readPacket);
  const handshake = first ? beginTcpHandshake(first) : null;
  assert.ok(handshake);
  for (const packet of rest) if (packet && !handshake.take(packet)) break;
  const client = handshake.clientMessages().find(({ type }) => type === CLIENT_HELLO);
  const server = handshake.serverMessages().find(({ type }) => type === SERVER_HELLO);
  assert.ok(client && server);
  return { client: client.body, server: server.body };
}

test('reads a ClientHello of Chromium', () => {
  const { client, server } = hellosOf('h2-full-then-resumed');
  const hello = readClientHello(client);
  assert.equal(hello?.serverName, 'www.handshakes.test');
  assert.deepEqual(hello?.protocols, ['h2', 'http/1.1']);
  assert.equal(hello?.offered, 'full');
  assert.match(hello?.random ?? '', /^[0-9a-f]{64}$/);
  const { version, cipherSuite, ticket, retries } = readServerHello(server) ?? {};
  assert.deepEqual([version, cipherSuite, ticket, retries], [TLS_1_3, 0x1301, null, false]);
});

test('reads the version of TLS 1.2 from its legacy field', () => {
  const { server } = hellosOf('h2-full-then-resumed-tls-1-2');
  assert.equal(readServerHello(server)?.version, 0x0303);
});

test('recognizes a HelloRetryRequest', () => {
  const { server } = hellosOf('openssl-asked-for-another-hello');
  assert.equal(readServerHello(server)?.retries, true);
});

test('rejects a truncated ClientHello', () => {
  const { client, server } = hellosOf('h2-full-then-resumed');
  for (let length = 0; length < client.length; length++) {
    const cut = readClientHello(client.subarray(0, length));
    // Without its list of extensions it is a valid hello of an older version.
    assert.ok(cut === null || cut.serverName === null, `${length} bytes`);
  }
  for (let length = 0; length < server.length; length++) {
    const cut = readServerHello(server.subarray(0, length));
    assert.ok(cut === null || cut.version === 0x0303, `${length} bytes`);
  }
});

test('reads messages as far as they are there', () => {
  const two = Buffer.from('0800000200000b000003aabbcc', 'hex');
  assertEach(readMessages(two), ({ type, body }) => [type, body.toString('hex')], [
    [8, '0000'],
    [11, 'aabbcc'],
  ]);
  assert.equal(readMessages(two.subarray(0, -1)).length, 1);
});

test('reads from EncryptedExtensions whether early data is accepted', () => {
  assert.equal(acceptsEarlyData(Buffer.from('0004002a0000', 'hex')), true);
  assert.equal(acceptsEarlyData(Buffer.from('000400100000', 'hex')), false);
  assert.equal(acceptsEarlyData(Buffer.from('0004002a00', 'hex')), null);
});

test('ignores transport parameters without a name, and damaged ones with the rest of them', () => {
  const numbered = (number: number, bytes: number) => {
    const written = Buffer.alloc(bytes);
    written.writeUIntBE(number, 0, bytes);
    return written;
  };
  const parametersOf = (parameters: string) => {
    const value = Buffer.from(parameters, 'hex');
    const extension = Buffer.concat([numbered(57, 2), numbered(value.length, 2), value]);
    const head = Buffer.concat([Buffer.alloc(2 + 32 + 1), numbered(0, 2), numbered(0, 1)]);
    const hello = readClientHello(Buffer.concat([head, numbered(extension.length, 2), extension]));
    assert.ok(hello, parameters);
    return hello.transportParameters;
  };
  assert.deepEqual(parametersOf('4abc03ffffff0b0114'), { max_ack_delay: 20 });
  assert.deepEqual(parametersOf('0408ffffffffffffffff'), { initial_max_data: 2 ** 62 });
  assert.deepEqual(parametersOf(''), {});
  for (const damaged of ['04', '0404', '0400', '040180', '04ffffffffffffffff01', '0b011404']) {
    assert.equal(parametersOf(damaged), null, damaged);
  }
});
