import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferTables } from '../../../../experiments/transfer/table.ts';
import { madeUpTransfers } from './sections/made-up-transfers.ts';

test('series.csv has every step of every transfer, and an empty cell where nobody told', () => {
  const { run, observations, invocations } = madeUpTransfers({
    sizes: { '1MB': 1e6 },
    repetitions: 1,
  });
  const series = transferTables.find(({ file }) => file === 'series.csv');
  const [head, ...rows] = series?.text(run, observations, invocations).trimEnd().split('\n') ?? [];
  assert.equal(
    head,
    'id,stack,t_ms,bytes,cwnd,in_flight,rtt_ms,queue_ms,cpu_client_percent,cpu_server_percent',
  );
  const steps = observations.flatMap(
    ({ details }) => (details as unknown as { series: unknown[] } | null)?.series ?? [],
  );
  assert.equal(rows.length, steps.length);
  assert.match(rows[0] ?? '', /^1MB\.quick-start\.1,quick-start,100,\d+,14600,,,2\.5,,$/);
});
