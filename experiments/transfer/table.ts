import { type CsvValue, csvLine } from '../../records/csv-line.ts';
import type { Observation } from '../../records/observation.ts';
import type { TransferDetails } from '../../records/transfer.ts';
import type { Table } from '../experiment.ts';

/** An attempt with what only transfers have; null: it was never begun. */
interface Line {
  attempt: Observation;
  details: TransferDetails | null;
}

/** What transfers.csv has of each transfer. */
const COLUMNS = {
  stack: ({ attempt }) => attempt.stack,
  size: ({ attempt }) => attempt.subject,
  bytes: ({ details }) => details?.bytes ?? null,
  direction: ({ details }) => details?.direction ?? null,
  streams: ({ details }) => details?.streams ?? null,
  repetition: ({ attempt }) => attempt.repetition,
  block: ({ attempt }) => attempt.block,
  outcome: ({ attempt }) => attempt.outcome,
  code: ({ attempt }) => attempt.code,
  goodput_kbps: ({ attempt }) => rounded(attempt.metrics.goodputKbps),
  connect_ms: ({ attempt }) => rounded(attempt.metrics.connectMs),
  first_byte_ms: ({ attempt }) => rounded(attempt.metrics.firstByteMs),
  total_ms: ({ attempt }) => rounded(attempt.metrics.totalMs),
  cpu_client_ms: ({ attempt }) => rounded(attempt.metrics.clientCpuMs),
  cpu_server_ms: ({ attempt }) => rounded(attempt.metrics.serverCpuMs),
  cpu_ns_per_byte: ({ attempt }) => rounded(attempt.metrics.cpuNsPerByte),
  limited_by: ({ details }) => details?.limitedBy?.limit ?? null,
  network: ({ attempt }) => attempt.network.name,
  rtt_asked_ms: ({ attempt }) => attempt.network.rttMs,
  path_rtt_ms: ({ attempt }) => rounded(attempt.network.measuredRttMs),
  path_up_packets: ({ attempt }) => attempt.path?.toServer.packets ?? null,
  path_up_bytes: ({ attempt }) => attempt.path?.toServer.bytes ?? null,
  path_down_packets: ({ attempt }) => attempt.path?.toClient.packets ?? null,
  path_down_bytes: ({ attempt }) => attempt.path?.toClient.bytes ?? null,
  client: ({ details }) => details?.client ?? null,
  arm: ({ attempt }) => attempt.arm,
  warmup: ({ attempt }) => String(attempt.warmup),
  order: ({ attempt }) => attempt.order,
  id: ({ attempt }) => attempt.id,
} as const satisfies Record<string, (line: Line) => CsvValue>;

/** Every transfer of a run, warm-ups too. */
const transfers: Table = {
  file: 'transfers.csv',
  text: (_, attempts) =>
    [
      csvLine(Object.keys(COLUMNS)),
      ...attempts.map((attempt) => {
        const line = { attempt, details: attempt.details as TransferDetails | null };
        return csvLine(Object.values(COLUMNS).map((valueIn) => valueIn(line)));
      }),
    ]
      .map((line) => `${line}\n`)
      .join(''),
};

export const transferTables: readonly Table[] = [transfers];

/** To three decimals, microseconds of times. */
function rounded(value: number | null | undefined): number | null {
  return value == null ? null : Math.round(value * 1000) / 1000;
}
