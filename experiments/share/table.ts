import type { Table } from '../../ground/experiment.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { FLOW_STEP_MS, type Flow, type SharingDetails } from './records.ts';

/** A flow with its record. */
interface Line {
  attempt: Observation;
  details: SharingDetails;
  flow: Flow;
}

const COLUMNS = {
  setup: ({ attempt }) => attempt.subject,
  repetition: ({ attempt }) => attempt.repetition,
  flow: ({ flow }) => flow.flow,
  stack: ({ attempt }) => attempt.stack,
  cc: ({ flow }) => flow.congestionControl,
  goodput_kbps: ({ flow }) => flow.goodputKbps,
  share: ({ flow }) => flow.sharePercent && flow.sharePercent / 100,
  retransmitted: ({ flow }) => flow.retransmitted,
  rtt_ms_p50: ({ flow }) => flow.rttMs,
  queue_ms_p50: ({ attempt }) => attempt.metrics.queueMs ?? null,
  start_order: ({ flow }) => flow.startOrder,
  began_ms: ({ flow }) => flow.beganMs,
  counted_ms: ({ details }) => details.countedMs,
  jain_index: ({ attempt }) => attempt.metrics.jainIndex ?? null,
  total_kbps: ({ attempt }) => attempt.metrics.totalKbps ?? null,
  time_to_fair_ms: ({ attempt }) => attempt.metrics.timeToFairMs ?? null,
  queue_set_bytes: ({ details }) => details.queue?.setBytes ?? null,
  queue_most_bytes: ({ details }) => details.queue?.mostBytes ?? null,
  outcome: ({ attempt }) => attempt.outcome,
  code: ({ attempt }) => attempt.code,
  network: ({ attempt }) => attempt.network.name,
  rtt_added_ms: ({ attempt }) => attempt.network.rttMs,
  down_kbps: ({ attempt }) => attempt.network.downKbps,
  queue_bdp: ({ attempt }) => attempt.network.queueBdp ?? null,
  client_port: ({ flow }) => flow.clientPort,
  arm: ({ attempt }) => attempt.arm,
  order: ({ attempt }) => attempt.order,
  measured_by: ({ details }) => details.measuredBy,
  id: ({ attempt }) => attempt.id,
} as const satisfies Record<string, (line: Line) => CsvValue>;

const sharing: Table = {
  file: 'sharing.csv',
  text: (_, attempts) =>
    textOf(
      Object.keys(COLUMNS),
      linesOf(attempts).map((line) => Object.values(COLUMNS).map((valueIn) => valueIn(line))),
    ),
};

/** Bytes of each flow and delay of the queue, in steps of 100 ms. */
const series: Table = {
  file: 'sharing-series.csv',
  text: (_, attempts) =>
    textOf(
      ['setup', 'network', 'repetition', 'flow', 'stack', 't_ms', 'bytes', 'queue_ms', 'id'],
      linesOf(attempts).flatMap(({ attempt, details, flow }) =>
        flow.stepBytes.map((bytes, step) => [
          attempt.subject,
          attempt.network.name,
          attempt.repetition,
          flow.flow,
          attempt.stack,
          (step + 1) * FLOW_STEP_MS,
          bytes,
          details.queue?.stepMs[step] ?? null,
          attempt.id,
        ]),
      ),
    ),
};

export const sharingTables: readonly Table[] = [sharing, series];

function linesOf(attempts: readonly Observation[]): Line[] {
  return attempts.flatMap((attempt) => {
    const details = attempt.details as SharingDetails | null;
    return details === null ? [] : details.flows.map((flow) => ({ attempt, details, flow }));
  });
}

function textOf(header: readonly string[], lines: readonly (readonly CsvValue[])[]): string {
  return [header, ...lines].map((line) => `${csvLine(line)}\n`).join('');
}
