import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportView } from '../../../../report/sections/view.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { fixtureRun, NONE } from '../../../../test/unit/report/fixture-run.ts';
import { connectionsSection } from '../../connections.ts';

const VIAS = { 'lsquic-h3': 'quic', 'bun-h2': 'tls1.3', 'flask-h1': 'tls1.2' } as const;
const ROUND_TRIPS = { quic: 1, 'tls1.3': 2, 'tls1.2': 3 } as const;

/** Each waits for its round trips and 2 ms, and for one and 1 ms more until the first byte. */
function viewOf(vias: Readonly<Record<string, keyof typeof ROUND_TRIPS>> = VIAS) {
  const { run, observations } = fixtureRun({
    networks: [20, 100].map((rttMs) => ({ ...NONE, name: `${rttMs}ms`, rttMs })),
    repetitions: 6,
  });
  run.preset = 'panda-connect';
  for (const arm of run.arms) arm.via = vias[arm.arm] ?? 'tcp';
  for (const attempt of observations) {
    const { rttMs } = attempt.network;
    const waits = ROUND_TRIPS[vias[attempt.arm] ?? 'quic'];
    attempt.network.measuredRttMs = rttMs;
    attempt.metrics = { maySendMs: waits * rttMs + 2, firstByteMs: (waits + 1) * rttMs + 3 };
  }
  return reportView(run, summarise(run, observations), observations);
}

test('on the same hosts TLS 1.3 is a round trip sooner than TLS 1.2, where it was published as later', () => {
  const rows = rendered(connectionsSection, viewOf()).rowsOf('Published, and measured');
  const numbers = rows.filter((row) => row.length > 1).map(([, ...cells]) => cells);
  assert.deepEqual(numbers.slice(0, 6), [
    ['+43.0 ms', '–'],
    ['–', '−20.0 ms'],
    ['–', '−100.0 ms'],
    ['+99.0 ms', '–'],
    ['–', '−20.0 ms'],
    ['–', '−100.0 ms'],
  ]);
});

test('both leads of QUIC tell the same round-trip time, where the published ones do not', () => {
  const rows = rendered(connectionsSection, viewOf()).rowsOf('Published, and measured');
  const numbers = rows.filter((row) => row.length > 1).map(([, ...cells]) => cells);
  assert.deepEqual(numbers.slice(6, 10), [
    ['17.0 ms', '100.0 ms'],
    ['77.0 ms', '100.0 ms'],
    ['27.5 ms', '100.0 ms'],
    ['154.0 ms', '100.0 ms'],
  ]);
  const found = numbers.slice(10).map(([, measured]) => measured);
  assert.deepEqual(found, ['1.00 RTT', '2.00 RTT', '3.00 RTT', '2.00 RTT', '3.00 RTT', '4.00 RTT']);
});

test('without all three ways of connecting there is no claim to set anything beside', () => {
  const view = viewOf({ 'lsquic-h3': 'quic', 'bun-h2': 'tls1.3', 'flask-h1': 'tls1.3' });
  assert.deepEqual(rendered(connectionsSection, view).rowsOf('Published, and measured'), []);
});
