import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { SocketDetails, SocketEventName } from '../../../../ground/records/socket-events.ts';
import { median } from '../../../../statistics/median.ts';
import { assertGroups, wordsOf } from '../../../../test/e2e/key-exchange-run.ts';
import { runUntil, sharedRun, withRun } from '../../../../test/e2e/with-run.ts';

/** A third of it is more than a busy machine adds to most exchanges. */
const RTT_MS = 150;

const SOCKETS = 'sockets --sites www.example.org';

/** Round trips of each part of an exchange, with a second message over the open connection. */
const ROUND_TRIPS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'socket-quic': { handshakeMs: 1, closeMs: 0.5, totalMs: 3.5 },
  'socket-tls': { handshakeMs: 2, closeMs: 1, totalMs: 5 },
  'socket-tcp': { handshakeMs: 1, closeMs: 1, totalMs: 4 },
};

/** The same for all of them: one way. */
const ONE_WAY = ['firstByteMs', 'transferMs', 'reuseFirstByteMs', 'reuseTransferMs'];

/**
 * How much longer a part takes if a round trip takes RTT_MS more, in round trips. A busy machine
 * only adds, so that the minimum counts; for a close the median, as a timer need not be in all of
 * them.
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

/** The first event of each name at one end. */
function timeOf(events: SocketDetails['server'], event: SocketEventName): number {
  return events?.find((each) => each.event === event)?.atMs ?? Number.NaN;
}

test("takes the protocol's round trips for every part of an exchange, and no timer for a close", async () => {
  const parts = Object.entries(ROUND_TRIPS).flatMap(([arm, own]) => [
    ...Object.entries(own).map(([metric, expected]) => ({ arm, metric, expected })),
    ...ONE_WAY.map((metric) => ({ arm, metric, expected: 0.5 })),
  ]);
  const wrongOf = (made: readonly Observation[]) =>
    parts.flatMap(({ arm, metric, expected }) => {
      const found = roundTripsOf(arm, metric, made);
      const isNear = Math.abs(found - expected) < 0.3;
      return isNear ? [] : [`${arm} ${metric}: ${found} round trips, expected ${expected}`];
    });
  const words = `${SOCKETS} --reuse --rtt 0,${RTT_MS} --repetitions 3`;
  const { made } = await runUntil(words, (all) => wrongOf(all).length === 0);
  assert.deepEqual(wrongOf(made), []);
  for (const { arm, network, details } of made) {
    const { client, server } = details as SocketDetails;
    // Both ends read one clock: half a round trip lies between sending and receiving.
    const oneWayMs = timeOf(server, 'data') - timeOf(client, 'sent');
    assert.ok(oneWayMs > network.rttMs / 2, `${arm}: on its way for ${oneWayMs} ms`);
    assert.ok(timeOf(server, 'listening') < 0);
    assert.equal(Number.isNaN(timeOf(client, 'secure')), arm === 'socket-tcp');
  }
});

const MESSAGE_BYTES = 1_000_000;

const withPackets = sharedRun(wordsOf('x25519mlkem768', `${SOCKETS} --message ${MESSAGE_BYTES}`));

test('returns a message of many packets whole by every protocol', async () => {
  const { observations } = await withPackets();
  assert.ok(observations.length >= 6);
  for (const { arm, files, path: counted, details } of observations) {
    assert.ok(files.packets, `the packets of ${arm}`);
    assert.ok((counted?.toServer.bytes ?? 0) > MESSAGE_BYTES);
    assert.ok((counted?.toClient.bytes ?? 0) > MESSAGE_BYTES);
    const { client, server } = details as SocketDetails;
    assert.ok(timeOf(server, 'messageEnd') > timeOf(server, 'data'));
    assert.ok(timeOf(client, 'messageEnd') > timeOf(client, 'data'));
  }
});

test('uses the requested key exchange in every connection of `sockets --stacks socket-quic,socket-tls`', async () => {
  const run = await withPackets();
  const observations = run.observations.filter(({ arm }) => arm !== 'socket-tcp');
  await assertGroups({ ...run, observations });
});

test('fails an exchange that times out, with its events so far, and ends the run', () =>
  withRun(
    // A megabyte takes 4 s each way.
    // Each failure makes the path anew, which is measured again.
    `${SOCKETS} --message 1000000 --rtt 10 --up 2000 --down 2000 --timeout 3 --stop-after 2
      --repetitions 1`,
    async ({ observations }) => {
      const sent = new Set<string>();
      const endedMs: number[] = [];
      for (const { outcome, arm, code, message, metrics, details } of observations) {
        const { client } = details as SocketDetails;
        const sentMs = timeOf(client, 'sent');
        // A busy machine may get to no message in time, though not in every attempt.
        assert.equal(outcome, 'failed');
        assert.equal(code, Number.isNaN(sentMs) ? 'handshake-failed' : 'exchange-failed');
        if (sentMs < 3000) sent.add(arm);
        assert.deepEqual(metrics, {});
        assert.match(message ?? '', /no end of the exchange within 3 s/);
        assert.equal(timeOf(client, 'requested'), 0);
        endedMs.push(timeOf(client, 'error'));
      }
      // The limit begins before the client's request: slightly, but on a busy machine long before
      // some of them.
      assert.ok(Math.max(...endedMs) > 2900, `${endedMs} ms`);
      assert.deepEqual([...sent].sort(), Object.keys(ROUND_TRIPS).sort());
    },
    6,
  ));
