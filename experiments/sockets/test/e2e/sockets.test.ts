import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { SocketDetails, SocketEventName } from '../../../../ground/records/socket-events.ts';
import { median } from '../../../../statistics/median.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';

/** So much that a third of it is more than a busy machine adds to most exchanges. */
const RTT_MS = 150;

const SOCKETS = 'sockets --sites www.example.org';

/** Round trips of each part of an exchange, with a second message over the connection that is open. */
const ROUND_TRIPS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'socket-quic': { handshakeMs: 1, closeMs: 0.5, totalMs: 3.5 },
  'socket-tls': { handshakeMs: 2, closeMs: 1, totalMs: 5 },
  'socket-tcp': { handshakeMs: 1, closeMs: 1, totalMs: 4 },
};

/** The same for all of them: one way. */
const ONE_WAY = ['firstByteMs', 'transferMs', 'reuseFirstByteMs', 'reuseTransferMs'];

/**
 * How much longer a part takes where a round trip takes RTT_MS more, in round trips. What a busy machine does only adds, so that the least
 * tells; of a close the median, for a timer need not be in all of them.
 */
function roundTripsOf(arm: string, metric: string, observations: readonly Observation[]): number {
  const timeAt = (rttMs: number) => {
    const times = observations
      .filter((each) => each.arm === arm && !each.warmup && each.network.rttMs === rttMs)
      .flatMap(({ metrics }) => metrics[metric] ?? []);
    return metric === 'closeMs' ? (median(times) ?? Number.NaN) : Math.min(...times);
  };
  return (timeAt(RTT_MS) - timeAt(0)) / RTT_MS;
}

function assertNear(found: number, expected: number, what: string): void {
  assert.ok(
    Math.abs(found - expected) < 0.3,
    `${what}: ${found} round trips, expected ${expected}`,
  );
}

/** Of the events of one end the first of a name. */
function timeOf(events: SocketDetails['server'], event: SocketEventName): number {
  return events?.find((each) => each.event === event)?.atMs ?? Number.NaN;
}

test('every part of an exchange takes the round trips of its protocol, and a close is never a timer', () =>
  withRun(`${SOCKETS} --reuse --rtt 0,${RTT_MS} --repetitions 8`, async ({ observations }) => {
    for (const [arm, parts] of Object.entries(ROUND_TRIPS)) {
      for (const [metric, expected] of Object.entries(parts)) {
        assertNear(roundTripsOf(arm, metric, observations), expected, `${arm} ${metric}`);
      }
      for (const metric of ONE_WAY) {
        assertNear(roundTripsOf(arm, metric, observations), 0.5, `${arm} ${metric}`);
      }
    }
    for (const { arm, network, details } of observations) {
      const { client, server } = details as SocketDetails;
      // Both ends read one clock: half a round trip lies between what one sends and the other has.
      const wayMs = timeOf(server, 'data') - timeOf(client, 'sent');
      assert.ok(wayMs > network.rttMs / 2, `${arm}: on its way for ${wayMs} ms`);
      assert.ok(timeOf(server, 'listening') < 0);
      assert.equal(Number.isNaN(timeOf(client, 'secure')), arm === 'socket-tcp');
    }
  }));

test('a message that fills many packets comes back whole by every protocol', () => {
  const bytes = 1_000_000;
  return withRun(
    `${SOCKETS} --message ${bytes} --rtt 10 --repetitions 2 --packets all`,
    ({ observations }) => {
      assert.ok(observations.length >= 6);
      for (const { arm, files, path: counted, details } of observations) {
        assert.ok(files.packets, `the packets of ${arm}`);
        assert.ok((counted?.toServer.bytes ?? 0) > bytes);
        assert.ok((counted?.toClient.bytes ?? 0) > bytes);
        const { client, server } = details as SocketDetails;
        assert.ok(timeOf(server, 'messageEnd') > timeOf(server, 'data'));
        assert.ok(timeOf(client, 'messageEnd') > timeOf(client, 'data'));
      }
    },
  );
});

test('an exchange that comes to no end in time fails with what happened until then, and the run ends', () =>
  withRun(
    // A megabyte takes 4 s each way.
    // Each failure makes the path anew, which is measured again.
    `${SOCKETS} --message 1000000 --rtt 10 --up 2000 --down 2000 --timeout 3
      --repetitions 1`,
    async ({ observations }) => {
      const sent = new Set<string>();
      const endedMs: number[] = [];
      for (const { outcome, arm, code, message, metrics, details } of observations) {
        const { client } = details as SocketDetails;
        const sentMs = timeOf(client, 'sent');
        // A busy machine may come to no message in time, and not in every attempt.
        assert.equal(outcome, 'failed');
        assert.equal(code, Number.isNaN(sentMs) ? 'handshake-failed' : 'exchange-failed');
        if (sentMs < 3000) sent.add(arm);
        assert.deepEqual(metrics, {});
        assert.match(message ?? '', /no end of the exchange within 3 s/);
        assert.equal(timeOf(client, 'asked'), 0);
        endedMs.push(timeOf(client, 'error'));
      }
      // The limit begins before the client asks: a little, but on a busy machine long before some of them.
      assert.ok(Math.max(...endedMs) > 2900, `${endedMs} ms`);
      assert.deepEqual([...sent].sort(), Object.keys(ROUND_TRIPS).sort());
    },
    6,
  ));
