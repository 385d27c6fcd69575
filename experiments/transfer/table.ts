import type { Table } from '../../ground/experiment.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { TransferDetails, TransferStep } from './records.ts';

/** A transfer; details are null if it never began. */
interface Line {
  attempt: Observation;
  details: TransferDetails | null;
}

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
  context_switches: ({ attempt }) => attempt.metrics.contextSwitches ?? null,
  packets: ({ attempt }) => attempt.metrics.packets ?? null,
  lost: ({ attempt }) => attempt.metrics.lostPackets ?? null,
  retransmitted: ({ attempt }) => attempt.metrics.retransmittedPackets ?? null,
  limited_by: ({ details }) => details?.limitedBy?.limit ?? null,
  network: ({ attempt }) => attempt.network.name,
  rtt_added_ms: ({ attempt }) => attempt.network.rttMs,
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

/** All transfers, warm-ups included. */
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

/** Columns of series.csv, after id and stack. */
const STEP_COLUMNS = {
  t_ms: ({ atMs }) => rounded(atMs),
  bytes: ({ bytes }) => bytes,
  cwnd: ({ cwndBytes }) => rounded(cwndBytes),
  in_flight: ({ inFlightBytes }) => rounded(inFlightBytes),
  rtt_ms: ({ rttMs }) => rounded(rttMs),
  queue_ms: ({ queueMs }) => rounded(queueMs),
  cpu_client_percent: ({ clientCpuPercent }) => rounded(clientCpuPercent),
  cpu_server_percent: ({ serverCpuPercent }) => rounded(serverCpuPercent),
} as const satisfies Record<string, (step: TransferStep) => CsvValue>;

/** All steps of all transfers, warm-ups included. */
const series: Table = {
  file: 'series.csv',
  text: (_, attempts) =>
    [
      csvLine(['id', 'stack', ...Object.keys(STEP_COLUMNS)]),
      ...attempts.flatMap(({ id, stack, details }) =>
        ((details as TransferDetails | null)?.series ?? []).map((step) =>
          csvLine([id, stack, ...Object.values(STEP_COLUMNS).map((valueIn) => valueIn(step))]),
        ),
      ),
    ]
      .map((line) => `${line}\n`)
      .join(''),
};

export const transferTables: readonly Table[] = [transfers, series];

/** Rounds to three decimals, which are microseconds for times. */
function rounded(value: number | null | undefined): number | null {
  return value == null ? null : Math.round(value * 1000) / 1000;
}
