import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrongConnections } from '../../../../experiments/transfer/checks.ts';
import type { ConnectionRecord } from '../../../../records/connection.ts';
import type { Protocol } from '../../../../records/protocol.ts';

function codeOf(
  [protocol, streams, client]: [Protocol, number, string],
  transports: ConnectionRecord['transport'][],
  whole = true,
): string | null {
  const opened = transports.map((transport) => ({ transport }) as ConnectionRecord);
  return wrongConnections({ protocol, streams }, client, { opened, whole })?.code ?? null;
}

test('a transfer over connections as its protocol needs them is as it should be', () => {
  assert.equal(codeOf(['h3', 10, 'bun'], ['quic']), null);
  assert.equal(codeOf(['h2', 10, 'curl'], ['tcp']), null);
  assert.equal(codeOf(['http/1.1', 3, 'bun'], ['tcp', 'tcp', 'tcp']), null);
  assert.equal(codeOf(['h2', 3, 'chromium'], ['tcp', 'tcp', 'tcp']), null);
});

test('another transport, more connections, none, and handshakes that were missed each have their code', () => {
  assert.equal(codeOf(['h3', 1, 'bun'], ['tcp']), 'wrong-protocol');
  assert.equal(codeOf(['h3', 2, 'curl'], ['quic', 'quic']), 'too-many-connections');
  assert.equal(codeOf(['h2', 2, 'curl'], ['tcp', 'tcp']), 'too-many-connections');
  assert.equal(codeOf(['http/1.1', 1, 'bun'], ['tcp', 'tcp']), 'too-many-connections');
  assert.equal(codeOf(['h2', 1, 'bun'], []), 'no-handshake');
  assert.equal(codeOf(['h2', 1, 'bun'], ['tcp'], false), 'handshakes-unknown');
});
