import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MadeRun } from '../../../../test/unit/made-run.ts';
import { transferTables } from '../../table.ts';
import { madeUpTransfers } from './sections/made-up-transfers.ts';

/** A table as rows of columns. */
function rowsOf(file: string, { run, observations, invocations }: MadeRun) {
  const table = transferTables.find((each) => each.file === file);
  const lines = table?.text(run, observations, invocations).trimEnd().split('\n') ?? [];
  const [names = [], ...rows] = lines.map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

test('writes every transfer with its numbers into transfers.csv, with empty cells if it never began', () => {
  const made = madeUpTransfers({
    sizes: { '1MB': 1e6 },
    repetitions: 2,
    change(attempt, details) {
      attempt.path = {
        toServer: { packets: 300, bytes: 20_000, lost: 0, queueDrops: 0, maxQueueMs: 0 },
        toClient: { packets: 700, bytes: 1_040_000, lost: 0, queueDrops: 0, maxQueueMs: 0 },
      } as unknown as typeof attempt.path;
      Object.assign(attempt.metrics, { packets: 1000, lostPackets: 3, retransmittedPackets: 2 });
      details.streams = 4;
      if (attempt.block === 1) return;
      attempt.outcome = 'failed';
      attempt.code = 'client-failed';
      attempt.metrics = {};
      attempt.path = null;
      (attempt as { details: unknown }).details = null;
    },
  });
  const rows = rowsOf('transfers.csv', made);
  assert.equal(rows.length, 4);
  const [row, , failed] = rows;
  const [first] = made.observations;
  assert.deepEqual(row, {
    stack: 'quick-start',
    size: '1MB',
    bytes: '1000000',
    direction: 'download',
    streams: '4',
    repetition: '1',
    block: '1',
    outcome: 'ok',
    code: '',
    goodput_kbps: String(Math.round(1000 * (first?.metrics.goodputKbps ?? 0)) / 1000),
    connect_ms: String(Math.round(1000 * (first?.metrics.connectMs ?? 0)) / 1000),
    first_byte_ms: String(Math.round(1000 * (first?.metrics.firstByteMs ?? 0)) / 1000),
    total_ms: String(Math.round(1000 * (first?.metrics.totalMs ?? 0)) / 1000),
    cpu_client_ms: '10',
    cpu_server_ms: '20',
    cpu_ns_per_byte: '30',
    context_switches: '',
    packets: '1000',
    lost: '3',
    retransmitted: '2',
    limited_by: 'processor',
    network: 'none',
    rtt_added_ms: '0',
    path_rtt_ms: '0.2',
    path_up_packets: '300',
    path_up_bytes: '20000',
    path_down_packets: '700',
    path_down_bytes: '1040000',
    client: 'bun',
    arm: 'quick-start',
    warmup: 'false',
    order: '1',
    id: '1MB.quick-start.1',
  });
  assert.equal(failed?.code, 'client-failed');
  for (const column of ['bytes', 'total_ms', 'goodput_kbps', 'packets', 'limited_by', 'client']) {
    assert.equal(failed?.[column], '', column);
  }
  assert.equal(failed?.id, '1MB.quick-start.2');
});

test('writes every step of every transfer into series.csv, with an empty cell for unreported values', () => {
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
