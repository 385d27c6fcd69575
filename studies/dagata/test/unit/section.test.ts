import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ARMS,
  madeUpConnections,
} from '../../../../experiments/connect/test/unit/sections/made-up-connections.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import type { AttemptPackets } from '../../../../ground/records/packets.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { delays } from '../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../test/unit/report/reported.ts';
import { dagataSection } from '../../section.ts';

/**
 * Round trips as in the protocols; a client that spends 5 ms between the handshakes, and 1 ms at
 * their ends.
 */
function captureOf({ id, arm, network: { rttMs } }: Observation): AttemptPackets[] {
  if (arm === 'tls1.2') return [];
  const connection =
    arm === 'quic'
      ? {
          clientHelloMs: 0,
          handshakePackets: { firstMs: rttMs + 0.5, lastMs: 2 * rttMs + 1.5 },
          maySendMs: rttMs + 1,
          closes: [{ isError: id.endsWith('.1') }],
        }
      : { clientHelloMs: rttMs + 5, maySendMs: 2 * rttMs + 6, closes: [] };
  return [{ id, connections: [connection], complaints: [] } as unknown as AttemptPackets];
}

function viewOf({ preset = 'dagata', captured = true } = {}) {
  const made = madeUpConnections({
    hosts: ['www.example.org'],
    networks: delays(18, 50, 100),
    rttMs: (_, { rttMs }) => rttMs,
    isMeasured: true,
    repetitions: 8,
    arms: ARMS.slice(0, 3),
    preset,
    change: ({ metrics }) => {
      if (metrics.tcpMs) metrics.tcpMs += 0.25;
    },
  });
  return viewOfRun(made, { captures: captured ? made.observations.flatMap(captureOf) : [] });
}

test('compares each claim with the same interval of this run, and with the one until the request', () => {
  const rows = rendered(dagataSection, viewOf()).rowsOf('Published, and measured in this run');
  const numbers = rows.filter((row) => row.length > 1).map(([, ...cells]) => cells);
  assert.deepEqual(numbers.slice(0, 10), [
    ['19.0 ms', '18.3 ms'],
    ['147.0 ms', '23.0 ms'],
    ['–', '42.0 ms'],
    ['0.59', '1.21'],
    ['–', '2.21'],
    ['–', '1.00 RTT'],
    ['–', '1.00 RTT'],
    ['–', '1.00 RTT'],
    ['–', '2.00 RTT'],
    ['–', '1.00 RTT'],
  ]);
});

test('reports closes as a share of the connections by QUIC, and errors as a share with its interval', () => {
  const rows = rendered(dagataSection, viewOf()).rowsOf('Published, and measured in this run');
  const [every, errors] = rows.slice(-2);
  assert.deepEqual(every?.slice(1), ['45.4 %', '100 %86.2 % to 100 %']);
  assert.match(errors?.[1] ?? '', /^17\.5 %$/);
  // One of eight repetitions, under each of three conditions.
  assert.match(errors?.[2] ?? '', /^12\.5 %\d/);
});

test('shows a dash for what needs captures without them', () => {
  const rows = rendered(dagataSection, viewOf({ captured: false })).rowsOf(
    'Published, and measured',
  );
  const [handshake, hello] = rows.filter((row) => row.length > 1);
  assert.equal(handshake?.[2], '18.3 ms');
  assert.equal(hello?.[2], '–');
});

test('is omitted for runs of other presets', () => {
  assert.equal(dagataSection.isShown?.(viewOf({ preset: 'jaeger' })), false);
});
