import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { connect } from '../../experiments/connect/experiment.ts';
import type { Observation } from '../../records/observation.ts';
import { readObservations, readRun } from '../../records/read.ts';
import { median } from '../../statistics/median.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';

const RTT_MS = 50;

const CONNECT = ['connect', '--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2'];

/** How much later the client of an arm may send where a round trip takes RTT_MS more, in round trips. */
function roundTripsOf(arm: string, observations: readonly Observation[]): number {
  const medianAt = (rttMs: number) =>
    median(
      observations
        .filter((each) => each.arm === arm && !each.warmup && each.network.rttMs === rttMs)
        .flatMap(({ metrics }) => metrics.maySendMs ?? []),
    ) ?? Number.NaN;
  return (medianAt(RTT_MS) - medianAt(0)) / RTT_MS;
}

test('a connection is made in one round trip by QUIC and in two by TLS 1.3, and compared as page loads are', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...CONNECT,
      '--rtt',
      `0,${RTT_MS}`,
      '--repetitions',
      '8',
      '--out',
      out,
    ]);
    assert.equal(await command.ended, 0, command.output());
    await assertNoProcessLeft(command);
    const { observations, warnings } = await readObservations(out, connect);
    assert.deepEqual(warnings, []);
    const { versions } = await readRun(out);
    assert.ok(versions.bun);
    assert.equal(versions.chromium, undefined, 'no browser takes part');
    assert.deepEqual(
      observations.filter(({ outcome }) => outcome !== 'ok'),
      [],
    );
    const quic = roundTripsOf('lsquic-h3', observations);
    const tcp = roundTripsOf('bun-h2', observations);
    assert.ok(quic > 0.8 && quic < 1.3, `QUIC took ${quic} round trips`);
    assert.ok(tcp > 1.8 && tcp < 2.3, `TLS 1.3 took ${tcp} round trips`);
    for (const { arm, connections, path: counted } of observations) {
      assert.deepEqual(
        connections?.opened.map(({ transport, offered }) => [transport, offered]),
        [[arm === 'lsquic-h3' ? 'quic' : 'tcp', 'full']],
      );
      assert.ok((counted?.toServer.packets ?? 0) > 1);
    }
    assert.match(
      command.output(),
      /lsquic \(h3\) is .* faster than Bun \(h2\) until the client may/,
    );
  }));

test('a server that never answers fails its connections, and the run ends', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...CONNECT,
      // A second for at least one round trip of 1.5 s.
      '--rtt',
      '1500',
      '--timeout',
      '1',
      '--repetitions',
      '2',
      '--out',
      out,
    ]);
    assert.equal(await command.ended, 6, command.output());
    await assertNoProcessLeft(command);
    const { observations } = await readObservations(out, connect);
    assert.ok(observations.length >= 2);
    for (const { outcome, code, message, metrics } of observations) {
      assert.deepEqual([outcome, code, metrics.maySendMs], ['failed', 'handshake-failed', null]);
      assert.match(message ?? '', /no connection within 1 s/);
    }
  }));
