import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ARMS,
  madeUpConnections,
} from '../../../../experiments/connect/test/unit/sections/made-up-connections.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { delays } from '../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../test/unit/report/reported.ts';
import { connectionsSection } from '../../connections.ts';

/** Each waits for its round trips and 2 ms, and for one and 2 ms more until the first byte. */
const viewOf = (arms = ARMS.slice(0, 3)) =>
  viewOfRun(
    madeUpConnections({
      networks: delays(20, 100),
      rttMs: (_, { rttMs }) => rttMs,
      isMeasured: true,
      repetitions: 6,
      arms: arms.map((arm) => ({ ...arm, workMs: 2 })),
      preset: 'panda-connect',
    }),
  );

test('connects a round trip sooner by TLS 1.3 than by TLS 1.2 on the same hosts, unlike the published order', () => {
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

test('implies the same round-trip time by both leads of QUIC, unlike the published ones', () => {
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

test('has no claims without all three transports', () => {
  const view = viewOf(ARMS.slice(0, 2));
  assert.deepEqual(rendered(connectionsSection, view).rowsOf('Published, and measured'), []);
});
