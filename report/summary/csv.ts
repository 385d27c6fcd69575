import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { type Experiment, type Metric, metricNamed } from '../../ground/experiment.ts';
import { cellKey } from '../../ground/records/cell.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import { dimensionColumns, laterColumns } from '../../ground/records/dimensions.ts';
import { UNITS } from '../../ground/unit.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import type { Description } from '../../statistics/description.ts';
import {
  betterInPercent,
  type Comparison,
  type PrimaryAnswer,
  type SecondaryAnswer,
} from './comparison.ts';
import type { SiteFacts } from './format.ts';
import type { SummaryRow } from './rows.ts';
import type { Summary } from './schema.ts';
import { secondaryTo } from './secondary.ts';

/**
 * The summary as a table: one row per site x stack x condition, with the comparison of the row's stack. Fields are quoted as RFC 4180 says, lines end
 * with a line feed, null is empty, and numbers have at most 3 decimals (summary.json has all of them).
 */
export function summaryCsv(summary: Summary): string {
  const columns = columnsOf(experimentOf(summary), verdictMetric(summary), summary.networks);
  const lines = [csvLine(Object.keys(columns))];
  // A control's row is compared with the stack that it repeats.
  const comparisons = [summary, ...summary.controls].flatMap((each) => each.comparisons);
  const comparisonOf = new Map(
    comparisons.map((one) => [cellKey({ ...one, network: { name: one.network } }), one]),
  );
  const answers = [summary, ...summary.controls].flatMap(({ primary }) => primary);
  const answerOf = new Map(answers.map((one) => [armKey(one), one]));
  const factsOf = new Map(summary.subjects.map((facts) => [facts.subject, facts]));
  for (const row of summary.rows) {
    const comparison = comparisonOf.get(cellKey(row)) ?? null;
    const line: Line = {
      row,
      comparison,
      primary: answerOf.get(armKey({ ...row, network: row.network.name })) ?? null,
      secondary: comparison ? secondaryTo(comparison, summary) : [],
      facts: factsOf.get(row.subject) ?? null,
    };
    lines.push(csvLine(Object.values(columns).map((valueIn) => valueIn(line))));
  }
  return `${lines.join('\n')}\n`;
}

/** A row with what belongs to it; the baseline has no comparison. */
interface Line {
  row: SummaryRow;
  comparison: Comparison | null;
  primary: PrimaryAnswer | null;
  secondary: SecondaryAnswer[];
  facts: SiteFacts | null;
}

function armKey(of: Pick<PrimaryAnswer, 'network' | 'variant' | 'arm'>): string {
  return JSON.stringify([of.network, of.variant, of.arm]);
}

type Column = [name: string, valueIn: (line: Line) => CsvValue];

const STATISTICS = {
  mean: 'mean',
  median: 'median',
  sd: 'standardDeviation',
  min: 'minimum',
  max: 'maximum',
} satisfies Record<string, keyof Description>;

function statisticColumns(metrics: readonly Metric[]): Column[] {
  return metrics.flatMap((metric) =>
    Object.entries(STATISTICS).map(
      ([short, statistic]): Column => [
        `${metric.column}_${short}${UNITS[metric.unit].columnEnding}`,
        ({ row }) => row.metrics[metric.name]?.[statistic] ?? null,
      ],
    ),
  );
}

/** A column for each factor of the experiment; empty if the run does not have it. */
function factorColumns({ factors }: Experiment): Column[] {
  return Object.entries(factors)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([factor, values]) => [
      factor,
      ({ row }) => row.variant.split('.').find((value) => Object.hasOwn(values, value)) ?? null,
    ]);
}

/** The interval of the median of the first metric, which every experiment has. */
function intervalColumns({ metrics: [first] }: Experiment): Column[] {
  if (!first) return [];
  const of = (row: SummaryRow) => row.metrics[first.name]?.medianInterval ?? null;
  const unit = UNITS[first.unit].columnEnding;
  return [
    [`${first.column}_median_low${unit}`, ({ row }) => of(row)?.low ?? null],
    [`${first.column}_median_high${unit}`, ({ row }) => of(row)?.high ?? null],
  ];
}

/** What a row's stack is by a further metric: on its site alone, exploratory, and on all sites together, the answer of the second family. */
function secondaryColumns(experiment: Experiment): Column[] {
  return (experiment.secondaryMetrics ?? []).flatMap((name): Column[] => {
    const { column } = metricNamed(experiment, name);
    const answer = ({ secondary }: Line) => secondary.find(({ metric }) => metric === name) ?? null;
    return [
      ...estimateColumns(
        `${column}_ratio`,
        ({ comparison }) => comparison?.otherMetrics[name]?.ratio,
      ),
      ...estimateColumns(`${column}_answer_ratio`, (line) => answer(line)?.ratio),
      [`${column}_answer`, (line) => answer(line)?.verdict ?? null],
    ];
  });
}

/** What all sites of the row's condition say together, the same in each of their rows. */
function answerColumns({ unit }: Metric): Column[] {
  return [
    ['answer_n_pairs', ({ primary }) => primary?.nPairs ?? null],
    ...estimateColumns('answer_ratio', ({ primary }) => primary?.ratio),
    ...estimateColumns(
      'answer_difference',
      ({ primary }) => primary?.difference,
      UNITS[unit].columnEnding,
    ),
    ['answer_level', ({ primary }) => primary?.level ?? null],
    ['answer', ({ primary }) => primary?.verdict ?? null],
  ];
}

/** An estimate with the ends of its interval. */
function estimateColumns(
  name: string,
  of: (line: Line) => Estimate | null | undefined,
  ending = '',
): Column[] {
  return [
    [`${name}${ending}`, (line) => of(line)?.estimate ?? null],
    [`${name}_low${ending}`, (line) => of(line)?.low ?? null],
    [`${name}_high${ending}`, (line) => of(line)?.high ?? null],
  ];
}

function ofNetwork(columns: ReturnType<typeof dimensionColumns>): Column[] {
  return columns.map(([column, of]) => [column, ({ row }) => of(row.network)]);
}

/** Those that people read by position stand first: counts, the first metric, and what page loads are mostly read for. */
function firstColumns(experiment: Experiment): Column[] {
  const { metrics } = experiment;
  return [
    ['site', ({ row }) => row.subject],
    ['stack', ({ row }) => row.arm],
    ['rtt_ms', ({ row }) => row.network.rttMs],
    ['n_ok', ({ row }) => row.nOk],
    ['n_failed', ({ row }) => row.nFailed],
    ['n_invalid', ({ row }) => row.nInvalid],
    ...statisticColumns(metrics.slice(0, 1)),
    ...statisticColumns(metrics)
      .filter(([name]) => name === 'ttfb_median_ms' || name === 'document_median_ms')
      .toReversed(),
  ];
}

// Which row it is, its comparison, the answers over all sites, all statistics, cost. A name given twice keeps its first place.
const columnsOf = (
  experiment: Experiment,
  metric: Metric,
  networks: Summary['networks'],
): Record<string, Column[1]> =>
  Object.fromEntries([
    ...firstColumns(experiment),
    ...intervalColumns(experiment),
    ['label', ({ row }: Line) => row.label],
    ['protocol', ({ row }: Line) => row.protocol],
    ['control_of', ({ row }: Line) => row.controlOf],
    ['network', ({ row }: Line) => row.network.name],
    ...factorColumns(experiment),
    ['baseline', ({ comparison }: Line) => comparison?.baseline ?? null],
    ['metric', ({ comparison }: Line) => comparison && metric.name],
    ['n_pairs', ({ comparison }: Line) => comparison?.nPairs ?? null],
    ...estimateColumns('ratio', ({ comparison }) => comparison?.ratio),
    ...estimateColumns(
      'difference',
      ({ comparison }) => comparison?.difference,
      UNITS[metric.unit].columnEnding,
    ),
    [
      'faster_in_percent',
      ({ comparison }: Line) => comparison && betterInPercent(comparison, metric),
    ],
    ['p', ({ comparison }: Line) => precise(comparison?.p)],
    ['p_holm', ({ comparison }: Line) => precise(comparison?.pHolm)],
    ['cliffs_delta', ({ comparison }: Line) => comparison?.cliffsDelta ?? null],
    ['verdict', ({ comparison }: Line) => comparison?.verdict ?? null],
    ...answerColumns(metric),
    ['exclusions_p', ({ primary }: Line) => precise(primary?.exclusions?.p)],
    ['exclusions_warning', ({ primary }: Line) => primary?.exclusions?.warning ?? null],
    [
      'verdict_excluded_slowest',
      ({ primary }: Line) => primary?.exclusions?.asSlowest.verdict ?? null,
    ],
    ...secondaryColumns(experiment),
    ['n_planned', ({ row }: Line) => row.nPlanned],
    ['n', ({ row }: Line) => row.n],
    ['n_excluded', ({ row }: Line) => row.nExcluded],
    ['n_disturbed', ({ row }: Line) => row.nDisturbed],
    ['n_warmup', ({ row }: Line) => row.nWarmup],
    ...statisticColumns(experiment.metrics),
    ['backend', ({ row }: Line) => row.network.backend],
    ['measured_rtt_ms', ({ row }: Line) => row.network.measuredRttMs],
    ...ofNetwork(dimensionColumns(1, 8)),
    ...ofNetwork(laterColumns(networks)),
    ['source', ({ row }: Line) => row.source],
    ['site_objects', ({ facts }: Line) => facts?.resources ?? null],
    ['site_bytes', ({ facts }: Line) => facts?.wireBytes ?? null],
    ['browser_cpu_median_ms', ({ row }: Line) => row.processor.clientCpuMs],
    ['server_cpu_median_ms', ({ row }: Line) => row.processor.serverCpuMs],
    ['link_cpu_median_ms', ({ row }: Line) => row.processor.linkCpuMs],
    ['runner_cpu_median_ms', ({ row }: Line) => row.processor.runnerCpuMs],
    ['cpu_pressure_median_percent', ({ row }: Line) => row.processor.cpuPressurePercent],
    ['path_down_median_bytes', ({ row }: Line) => row.path.downBytes],
    ['path_up_median_bytes', ({ row }: Line) => row.path.upBytes],
    ['path_down_median_packets', ({ row }: Line) => row.path.downPackets],
    ['path_up_median_packets', ({ row }: Line) => row.path.upPackets],
  ]);

/** Small p-values say something: as text, with 3 significant digits, so that they are not rounded to 0. */
export function precise(p: number | null | undefined): string | null {
  return p === null || p === undefined ? null : String(Number(p.toPrecision(3)));
}
