import { METRICS } from './metrics/index.ts';
import type { Description } from './statistics/description.ts';
import type { Summary, SummaryRow } from './summary.ts';

/**
 * The summary as a table: one row per site x stack x network condition. Fields are quoted as RFC 4180 says, lines end
 * with a line feed, null is empty, and numbers have at most 3 decimals (summary.json has all of them).
 */
export function summaryCsv(summary: Summary): string {
  const lines = [Object.keys(COLUMNS).map(field).join(',')];
  for (const row of summary.rows) {
    lines.push(
      Object.values(COLUMNS)
        .map((valueIn) => field(valueIn(row)))
        .join(','),
    );
  }
  return `${lines.join('\n')}\n`;
}

type Value = string | number | null;
type Column = [name: string, valueIn: (row: SummaryRow) => Value];

const STATISTICS = {
  mean: 'mean',
  median: 'median',
  sd: 'standardDeviation',
  min: 'minimum',
  max: 'maximum',
} satisfies Record<string, keyof Description>;

const statisticColumns: Column[] = METRICS.flatMap((metric) =>
  Object.entries(STATISTICS).map(
    ([short, statistic]): Column => [
      `${metric.column}_${short}_${metric.unit}`,
      (row) => row.timingsMs[metric.name]?.[statistic] ?? null,
    ],
  ),
);

const FIRST: Column[] = [
  ['site', (row) => row.site],
  ['stack', (row) => row.stack],
  ['rtt_ms', (row) => row.network.rttMs],
  ['n_ok', (row) => row.nOk],
  ['n_failed', (row) => row.nFailed],
  ['n_invalid', (row) => row.nInvalid],
  ...statisticColumns.filter(([name]) => name.startsWith('plt_')),
  ...statisticColumns.filter(([name]) => name === 'ttfb_median_ms'),
  ...statisticColumns.filter(([name]) => name === 'document_median_ms'),
];

// Other programs read by name, people by position: what is new goes to the right. A name given twice keeps its first place.
const COLUMNS: Record<string, Column[1]> = Object.fromEntries([
  ...FIRST,
  ...statisticColumns,
  ['label', (row: SummaryRow) => row.label],
  ['protocol', (row: SummaryRow) => row.protocol],
  ['down_kbps', (row: SummaryRow) => row.network.downKbps],
  ['up_kbps', (row: SummaryRow) => row.network.upKbps],
  ['loss_percent', (row: SummaryRow) => row.network.lossPercent],
  ['backend', (row: SummaryRow) => row.network.backend],
  ['n_planned', (row: SummaryRow) => row.nPlanned],
  ['n_warmup', (row: SummaryRow) => row.nWarmup],
  ['source', (row: SummaryRow) => row.source],
  ['network', (row: SummaryRow) => row.network.name],
  ['measured_rtt_ms', (row: SummaryRow) => row.network.measuredRttMs],
  ['jitter_ms', (row: SummaryRow) => row.network.jitterMs],
  ['burst_enter_percent', (row: SummaryRow) => row.network.burstLoss?.enterPercent ?? null],
  ['burst_leave_percent', (row: SummaryRow) => row.network.burstLoss?.leavePercent ?? null],
]);

function field(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
