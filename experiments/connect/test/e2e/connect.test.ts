import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { ConnectDetails } from '../../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { readRecords } from '../../../../report/summary/measured-run.ts';
import { assertOkOrSpoilt } from '../../../../test/e2e/whole-run.ts';
import { runUntil, withRun } from '../../../../test/e2e/with-run.ts';

const CONNECT = 'connect --sites www.example.org --stacks lsquic-h3,bun-h2';

/** More than what a busy machine adds to the quickest of some connections. */
const RTT_MS = 100;

/** Far more than what it adds to most of them. */
const FAR_RTT_MS = 200;

/**
 * Slope of the time until an arm's client may send over the round-trip time, in round trips; a busy
 * machine only adds.
 */
function roundTripsOf(arm: string, observations: readonly Observation[], atRttMs: number): number {
  const leastAt = (rttMs: number) =>
    Math.min(
      ...observations
        .filter((each) => each.arm === arm && !each.warmup && each.network.rttMs === rttMs)
        .flatMap(({ metrics }) => metrics.maySendMs ?? []),
    );
  return (leastAt(atRttMs) - leastAt(0)) / atRttMs;
}

test('connects in one round trip by QUIC and in two by TLS 1.3, and compares them like page loads', () =>
  withRun(`${CONNECT} --rtt 0,${RTT_MS} --repetitions 8`, async ({ out, observations, output }) => {
    const { versions } = await readRun(out);
    assert.ok(versions.bun);
    assert.equal(versions.chromium, undefined, 'no browser takes part');
    const quic = roundTripsOf('lsquic-h3', observations, RTT_MS);
    const tcp = roundTripsOf('bun-h2', observations, RTT_MS);
    assert.ok(quic > 0.8 && quic < 1.3, `QUIC took ${quic} round trips`);
    assert.ok(tcp > 1.8 && tcp < 2.3, `TLS 1.3 took ${tcp} round trips`);
    for (const { arm, connections, path: counted } of observations) {
      assert.deepEqual(
        connections?.opened.map(({ transport, offered }) => [transport, offered]),
        [[arm === 'lsquic-h3' ? 'quic' : 'tcp', 'full']],
      );
      assert.ok((counted?.toServer.packets ?? 0) > 1);
    }
    assert.match(output, /lsquic \(h3\) is .* faster than Bun \(h2\) until the client may/);
  }));

test('fails connections to a server that never answers, and ends the run', () =>
  withRun(
    // One arm: each failure makes the path anew, which is measured over such round trips.
    // A second for at least three round trips of 0.4 s, the first of which is that of TCP.
    `connect --sites www.example.org --stacks bun-h2 --via tls1.2 --rtt 400 --timeout 1
      --stop-after 2 --repetitions 1`,
    async ({ observations }) => {
      assert.ok(observations.length >= 2);
      for (const { outcome, code, message, metrics } of observations) {
        assert.deepEqual([outcome, code, metrics.maySendMs], ['failed', 'handshake-failed', null]);
        assert.match(message ?? '', /^(tcp|tls), timeout: .* within 1 s/);
      }
    },
    6,
  ));

/**
 * Round trips until the client may send, by transport and by what is resumed; null: not available.
 */
const ROUND_TRIPS = (
  [
    ['lsquic-h3', { none: 1, ticket: 1, 'early-data': 0 }],
    ['bun-h2', { none: 2, ticket: 2, 'early-data': null }],
    ['bun-h2-tls1.2', { none: 3, ticket: 2, 'early-data': null }],
    ['bun-h2-tcp', { none: 1, ticket: null, 'early-data': null }],
  ] as const
).flatMap(([arm, byResumption]) =>
  Object.entries(byResumption).map(([resumption, expected]) => ({ arm, resumption, expected })),
);

type TransportCase = (typeof ROUND_TRIPS)[number];

const REPETITIONS = 2;

test("takes each transport's own round trips, resumed too, and calls unavailable features unsupported, not slow", async () => {
  const ownOf = (made: readonly Observation[], { arm, resumption }: TransportCase) =>
    made.filter((each) => each.arm === arm && each.factors.resumption === resumption);
  const wrongOf = (made: readonly Observation[]) =>
    ROUND_TRIPS.flatMap((transportCase) => {
      if (transportCase.expected === null) return [];
      const found = roundTripsOf(transportCase.arm, ownOf(made, transportCase), RTT_MS);
      return Math.abs(found - transportCase.expected) < 0.3 ? [] : [{ ...transportCase, found }];
    });
  const { runs, made } = await runUntil<Observation>(
    `${CONNECT} --via quic,tls1.3,tls1.2,tcp --resumption none,ticket,early-data --requests 1
      --rtt 0,${RTT_MS} --repetitions ${REPETITIONS}`,
    (all) => wrongOf(all).length === 0,
  );
  assert.deepEqual(wrongOf(made), []);
  for (const transportCase of ROUND_TRIPS) {
    const { arm, resumption, expected } = transportCase;
    const own = ownOf(made, transportCase);
    const what = `${arm}, ${resumption}`;
    assert.equal(own.length, 2 * REPETITIONS * runs, what);
    for (const each of own) {
      if (expected === null) assert.equal(each.outcome, 'unsupported', `${each.message}`);
      else {
        assertOkOrSpoilt(each, what);
        assertInOrder(each as Observation<ConnectDetails>);
      }
    }
  }
});

function assertInOrder({ arm, metrics, details, connections }: Observation<ConnectDetails>): void {
  const { tcpMs, maySendMs, completeMs, confirmedMs, firstByteMs, totalMs } = metrics;
  const instants = [tcpMs, maySendMs, completeMs].filter((each) => each != null);
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => a - b),
  );
  const isQuic = arm === 'lsquic-h3';
  assert.equal(tcpMs == null, isQuic);
  assert.equal(confirmedMs == null, !isQuic);
  const hasRequest = details?.transport !== 'tcp';
  assert.equal(details?.facts?.status ?? null, hasRequest ? 200 : null);
  assert.ok(!hasRequest || (maySendMs ?? 0) < (firstByteMs ?? 0));
  assert.ok(!hasRequest || (firstByteMs ?? 0) <= (totalMs ?? 0));
  if (details?.transport === 'tcp') return;
  const [seen, ...rest] = connections?.opened ?? [];
  assert.deepEqual(rest, []);
  const { resumption } = details ?? {};
  const offered =
    resumption === 'none' ? 'full' : resumption === 'ticket' ? 'resumption' : resumption;
  assert.equal(seen?.offered, offered);
  assert.equal(seen?.tlsVersion, details?.transport === 'tls1.2' ? 'TLS 1.2' : 'TLS 1.3');
  assert.equal(details?.facts?.tlsVersion, seen?.tlsVersion);
}

test('saves a round trip by QUIC with early data, compared between conditions of one stack', () =>
  withRun(
    `connect --sites www.example.org --stacks lsquic-h3 --resumption none,early-data
      --rtt ${FAR_RTT_MS} --repetitions 8`,
    async ({ out, observations, output }) => {
      assert.match(output, /^Handshake with early data against full handshake, with 200 ms/m);
      const { summary } = (await readRecords(out)).summariseWith({});
      const [change, ...rest] = summary.conditionChanges;
      assert.deepEqual(rest, []);
      const ok = observations.filter(({ warmup, outcome }) => !warmup && outcome === 'ok');
      const repetitions = Map.groupBy(ok, ({ repetition }) => repetition);
      const pairs = [...repetitions.values()].filter(({ length }) => length === 2);
      assert.deepEqual([change?.verdict, change?.nPairs], ['faster', pairs.length]);
      const roundTrips = (change?.difference?.estimate ?? 0) / FAR_RTT_MS;
      assert.ok(roundTrips < -0.8 && roundTrips > -1.3, `it saved ${-roundTrips} round trips`);
      const table = await readFile(path.join(out, 'condition-changes.csv'), 'utf8');
      assert.match(table, /\nresumption,200ms,4\.none,full handshake,200ms,4\.early-data,/);
    },
  ));
