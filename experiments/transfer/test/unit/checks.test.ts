import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionRecord } from '../../../../ground/records/connection.ts';
import type { Protocol } from '../../../../ground/records/protocol.ts';
import { wrongConnections } from '../../checks.ts';

function codeOf(
  [protocol, streams, client]: [Protocol, number, string],
  transports: ConnectionRecord['transport'][],
  { whole = true, mostSentBytes = null as number | null, hasLost = false } = {},
): string | null {
  const opened = transports.map((transport) => ({ transport }) as ConnectionRecord);
  const request = { protocol, streams, bytes: 1_000_000 };
  const its = { opened, whole, mostSentBytes, hasLost };
  return wrongConnections(request, client, its)?.code ?? null;
}

test('accepts a transfer over the connections that its protocol needs', () => {
  assert.equal(codeOf(['h3', 10, 'bun'], ['quic']), null);
  assert.equal(codeOf(['h2', 10, 'bun'], ['tcp']), null);
  assert.equal(codeOf(['http/1.1', 3, 'bun'], ['tcp', 'tcp', 'tcp']), null);
  assert.equal(codeOf(['http/1.1', 9, 'chromium'], Array(6).fill('tcp')), null);
});

test('has a code for another transport, more connections, none, and missed handshakes', () => {
  assert.equal(codeOf(['h3', 1, 'bun'], ['tcp']), 'wrong-protocol');
  assert.equal(codeOf(['h3', 2, 'bun'], ['quic', 'quic']), 'too-many-connections');
  assert.equal(codeOf(['h2', 2, 'bun'], ['tcp', 'tcp']), 'too-many-connections');
  assert.equal(codeOf(['http/1.1', 1, 'bun'], ['tcp', 'tcp']), 'too-many-connections');
  assert.equal(codeOf(['http/1.1', 9, 'chromium'], Array(7).fill('tcp')), 'too-many-connections');
  assert.equal(codeOf(['h3', 9, 'chromium'], ['quic', 'quic']), 'too-many-connections');
  assert.equal(codeOf(['h2', 1, 'bun'], []), 'no-handshake');
  assert.equal(codeOf(['h2', 1, 'bun'], ['tcp'], { whole: false }), 'handshakes-unknown');
});

test('counts connections of sockets by streams of QUIC, and without a hello by TCP alone', () => {
  assert.equal(codeOf(['quic', 10, 'bun'], ['quic']), null);
  assert.equal(codeOf(['quic', 2, 'bun'], ['quic', 'quic']), 'too-many-connections');
  assert.equal(codeOf(['tls', 2, 'bun'], ['tcp', 'tcp']), null);
  assert.equal(codeOf(['tls', 1, 'bun'], ['tcp'], { whole: false }), 'handshakes-unknown');
  assert.equal(codeOf(['tcp', 1, 'bun'], ['tcp'], { whole: false }), null);
  assert.equal(codeOf(['tcp', 1, 'bun'], ['tcp', 'tcp'], { whole: false }), 'too-many-connections');
});

test('attributes more connections than needed to packet losses of the path', () => {
  const hasLost = true;
  for (const protocol of ['http/1.1', 'h3'] as const) {
    const transport = protocol === 'h3' ? 'quic' : 'tcp';
    const two = Array(2).fill(transport);
    assert.equal(codeOf([protocol, 1, 'chromium'], two), 'too-many-connections');
    assert.equal(codeOf([protocol, 1, 'chromium'], two, { hasLost }), null);
  }
});

test('lets Chromium race any number of connections by HTTP/2, as long as all bodies go over one', () => {
  const over = (mostSentBytes: number | null) =>
    codeOf(['h2', 10, 'chromium'], Array(9).fill('tcp'), { mostSentBytes });
  assert.equal(over(1_006_000), null);
  assert.equal(over(900_000), 'too-many-connections');
  assert.equal(over(null), null);
  assert.equal(
    codeOf(['h2', 10, 'bun'], ['tcp', 'tcp'], { mostSentBytes: 1_006_000 }),
    'too-many-connections',
  );
});
