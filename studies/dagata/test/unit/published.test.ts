import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  publishedErrors,
  publishedPeakMs,
  publishedQuicConnections,
  publishedTcpConnection,
} from '../../published.ts';

test('513 of the 834 connection errors by QUIC are connections that ended in good order', () => {
  const { attempts, successes, called, normal, tls } = publishedErrors();
  assert.deepEqual([called, normal, called - normal], [834, 513, 321]);
  assert.equal(percent(normal, called), '61.5');
  assert.deepEqual([attempts.quic, successes.quic], [1837, 529]);
  assert.equal(percent(normal, successes.quic), '97.0');
  assert.deepEqual(tls, { quic: 310, tcp: 50 });
  assert.deepEqual(
    [percent(tls.quic, attempts.quic), percent(tls.tcp, attempts.tcp)],
    ['16.9', '2.8'],
  );
});

test('three of four failed attempts by QUIC got no reason from the server', () => {
  const { attempts, successes, called, normal } = publishedErrors();
  const failed = attempts.quic - successes.quic;
  assert.equal(failed, 1308);
  assert.equal(percent(failed - (called - normal), failed), '75.5');
});

test('the client spent seven eighths of the time attributed to TCP', () => {
  const at = publishedTcpConnection();
  assert.deepEqual(at, { SYN: 0, 'SYN/ACK': 18, ACK: 19, ClientHello: 147 });
  assert.equal(percent(at.ClientHello - at.ACK, at.ClientHello), '87.1');
});

test("QUIC's transport handshake is longer than the time before data transfer, which would include it", () => {
  assert.ok(
    publishedPeakMs('transport handshake', 'quic', 1) >
      publishedPeakMs('before data transfer', 'quic', 1),
  );
  assert.ok(
    publishedPeakMs('transport handshake', 'tcp', 1) <
      publishedPeakMs('before data transfer', 'tcp', 1),
  );
});

test('the logs of QUIC begin with a round trip of Version Negotiation, a third or more of the time before data', () => {
  const connections = publishedQuicConnections();
  assert.equal(connections.length, 4);
  const shares = connections.map(({ negotiationMs, beforeDataMs }) =>
    percent(negotiationMs, beforeDataMs),
  );
  assert.deepEqual(shares, ['43.2', '42.6', '30.1', '48.5']);
});

test('in the logs QUIC’s transport handshake takes 1.7 to 44 ms, independent of the round trip', () => {
  const handshakesMs = publishedQuicConnections().map(({ handshakeMs }) => handshakeMs.toFixed(1));
  assert.deepEqual(handshakesMs, ['44.0', '1.7', '12.8', '2.3']);
});

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1);
}
