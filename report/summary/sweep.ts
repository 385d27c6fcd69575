import { type Metric, worsening } from '../../ground/experiment.ts';
import { networkKeyBut } from '../../ground/records/network.ts';
import * as s from '../../ground/records/schema.ts';
import { type Estimate, estimateSchema } from '../../kit/text/estimate.ts';
import { decimalText } from '../../kit/text/number.ts';
import { median } from '../../statistics/median.ts';
import { type EstimateAt, sureCrossings, sureSign } from '../../statistics/sure-crossings.ts';
import { theilSen } from '../../statistics/theil-sen.ts';
import type { PrimaryAnswer } from './comparison.ts';
import { variant } from './fields.ts';
import { lineThroughMedians } from './line-through-medians.ts';
import { summaryOf } from './metrics.ts';
import type { ConditionRows, SummaryRow } from './rows.ts';
import { seedOf } from './seed.ts';

const sweptNetworkSchema = s.object(
  {
    name: s.name('Of the network condition.'),
    rttMs: s.number('As asked for, in ms.'),
    measuredRttMs: s.orNull(
      s.number(
        'Median of the round trips measured, in ms, on which the lines are based; null: rttMs took its place.',
      ),
    ),
  },
  'A network of a sweep.',
);

const mediansMs = (description: string) =>
  s.list(s.orNull(s.number('In ms; null without loads.')), description);

const sweepLineSchema = s.object(
  {
    roundTrips: s.described(
      estimateSchema,
      'ms per ms of round-trip time: about the number of round trips waited for one after the other.',
    ),
    interceptMs: s.described(estimateSchema, 'Time without any delay, in ms.'),
  },
  'Time = interceptMs + roundTrips x round-trip time; intervals from resampled loads.',
);

const sweepRowSchema = s.object(
  {
    subject: s.name('The site.'),
    arm: s.name('The stack.'),
    label: s.text('For tables.'),
    mediansMs: mediansMs('Median time at each network, in ms.'),
    line: s.orNull(
      sweepLineSchema,
      'The line through the medians; null with fewer than two of them.',
    ),
  },
  'A stack on a site, through the networks.',
);

export type SweepRow = s.Static<typeof sweepRowSchema>;

const overSitesSchema = s.object(
  {
    arm: s.name('The stack.'),
    label: s.text('For tables.'),
    nSites: s.count('Sites with medians at every network on every stack.'),
    mediansMs: mediansMs('Median over the sites of their medians at each network, in ms.'),
    roundTrips: s.orNull(
      s.anyNumber('Of the line through these medians, without an interval; null without sites.'),
    ),
    interceptMs: s.orNull(s.anyNumber('Of the same line, in ms; null without sites.')),
  },
  'A stack over the sites that have a line on every stack.',
);

type SweepOverSites = s.Static<typeof overSitesSchema>;

const crossoverSchema = s.object(
  {
    first: s.name('The stack.'),
    second: s.name('What it is compared with.'),
    nSites: s.count('Sites of the primary answers, the fewest of them.'),
    rttMs: s.orNull(
      s.anyNumber(
        'Where the ratio of the primary answers crosses 1, in ms; null: nowhere for sure.',
      ),
    ),
    lowMs: s.orNull(
      s.anyNumber('From here on their intervals hold 1; null as rttMs is, or for records before.'),
    ),
    highMs: s.orNull(s.anyNumber('Up to here.')),
    sentence: s.text('What that means, as a sentence with the labels of the stacks.'),
  },
  'The round-trip time at which a stack surely goes from one side of its baseline to the other one, by the primary answers at three round-trip times or more.',
);

export const sweepSchema = s.object(
  {
    variant,
    networks: s.list(sweptNetworkSchema, 'In the order of their delay.'),
    rows: s.list(sweepRowSchema, "Sites in the plan's order, within a site the stacks."),
    overSites: s.list(
      overSitesSchema,
      'One for each stack, over the sites that have a line on every stack.',
    ),
    crossovers: s.list(
      crossoverSchema,
      'Every primary pair of stacks; empty with fewer than three round-trip times.',
    ),
  },
  'How the times that verdicts are about grow with the round-trip time, over conditions that differ in nothing else. With two round-trip times the line goes through both points, so nothing tells whether it is one.',
);

export type Sweep = s.Static<typeof sweepSchema>;

/** What a sweep needs in addition to the rows: which time, the primary answers, the loads' times behind a row's median, and the run's seed. */
interface SweepSource {
  seed: number;
  metric: Metric;
  primary: readonly PrimaryAnswer[];
  valuesOf: (row: SummaryRow) => number[];
}

/** One sweep for each set of conditions that differ in rttMs alone; controls apart. None of what is no time: round trips add up in nothing else. */
export function sweepsOf(conditions: readonly ConditionRows[], source: SweepSource): Sweep[] {
  if (source.metric.unit !== 'ms') return [];
  const alike = Map.groupBy(conditions, ({ condition, variant }) =>
    JSON.stringify([networkKeyBut(condition, 'rttMs'), variant]),
  );
  return [...alike.values()].flatMap((group) => {
    const byDelay = group.toSorted((a, b) => a.condition.rttMs - b.condition.rttMs);
    const [first, last] = [byDelay.at(0), byDelay.at(-1)];
    if (!first || !last || first.condition.rttMs === last.condition.rttMs) return [];
    const networks = networksOf(byDelay);
    const rtts = networks.map(({ rttMs, measuredRttMs }) => measuredRttMs ?? rttMs);
    const rows = rowsOf(byDelay, rtts, source);
    const overSites = overSitesOf(rows, rtts);
    const crossovers = crossoversOf({ networks, variant: first.variant, overSites }, source);
    return [{ variant: first.variant, networks, rows, overSites, crossovers }];
  });
}

function rowsOf(
  byDelay: readonly ConditionRows[],
  rtts: readonly number[],
  { seed, metric, valuesOf }: SweepSource,
): SweepRow[] {
  const cells = Map.groupBy(
    byDelay.flatMap(({ rows }) => rows.filter(({ controlOf }) => controlOf === null)),
    ({ subject, arm }) => JSON.stringify([subject, arm]),
  );
  return [...cells.values()].flatMap((cell) => {
    const [row] = cell;
    if (!row) return [];
    const { subject, arm, label, variant, network } = row;
    const rowAt = byDelay.map(({ rows }) => cell.find((found) => rows.includes(found)));
    const points = rowAt.flatMap((found, index) =>
      found ? [{ rttMs: rtts[index] ?? 0, valuesMs: valuesOf(found) }] : [],
    );
    return [
      {
        subject,
        arm,
        label,
        mediansMs: rowAt.map((found) => (found && summaryOf(found, metric).median) ?? null),
        line: lineThroughMedians(points, seedOf(seed, 'line', network.name, variant, subject, arm)),
      },
    ];
  });
}

/** Round trips as measured where every network has them, or else none of them. */
function networksOf(byDelay: readonly ConditionRows[]): Sweep['networks'] {
  const measured = byDelay.map(({ rows }) =>
    median(rows.flatMap(({ network }) => network.measuredRttMs ?? [])),
  );
  const isComplete = measured.every((rttMs) => rttMs !== null);
  return byDelay.map(({ condition: { name, rttMs } }, index) => ({
    name,
    rttMs,
    measuredRttMs: isComplete ? (measured[index] ?? null) : null,
  }));
}

function overSitesOf(rows: readonly SweepRow[], rtts: readonly number[]): SweepOverSites[] {
  const whole = [...Map.groupBy(rows, ({ subject }) => subject).values()].filter((siteRows) =>
    siteRows.every(({ mediansMs }) => mediansMs.every((value) => value !== null)),
  );
  const arms = new Map(rows.map(({ arm, label }) => [arm, label]));
  return [...arms].map(([arm, label]) => {
    const rowsOfStack = whole.flatMap((siteRows) => siteRows.filter((row) => row.arm === arm));
    const mediansMs = rtts.map((_, index) =>
      median(rowsOfStack.flatMap((row) => row.mediansMs[index] ?? [])),
    );
    const line = theilSen(
      mediansMs.flatMap((value, index) => (value === null ? [] : [[rtts[index] ?? 0, value]])) as [
        number,
        number,
      ][],
    );
    return {
      arm,
      label,
      nSites: whole.length,
      mediansMs,
      roundTrips: line?.slope ?? null,
      interceptMs: line?.intercept ?? null,
    };
  });
}

/** With two round-trip times any two stacks that differ seem to meet somewhere, on a line that nothing can contradict. */
const FEWEST_FOR_CROSSOVER = 3;

function crossoversOf(
  { networks, variant, overSites }: Pick<Sweep, 'networks' | 'variant' | 'overSites'>,
  { primary, metric }: Pick<SweepSource, 'primary' | 'metric'>,
): Sweep['crossovers'] {
  if (networks.length < FEWEST_FOR_CROSSOVER) return [];
  const labels = new Map(overSites.map(({ arm, label }) => [arm, label]));
  const pairs = Map.groupBy(
    primary.filter((answer) => answer.variant === variant),
    ({ arm, baseline }) => JSON.stringify([arm, baseline]),
  );
  return [...pairs.values()].flatMap((answers) => {
    const found = networks.flatMap(({ name: network, rttMs, measuredRttMs }) => {
      const answer = answers.find((each) => each.network === network);
      return answer?.ratio ? [{ answer, ratio: answer.ratio, x: measuredRttMs ?? rttMs }] : [];
    });
    const [first] = found;
    if (!first || found.length < FEWEST_FOR_CROSSOVER) return [];
    const { arm, baseline } = first.answer;
    const nSites = Math.min(...found.map(({ answer }) => answer.nSites));
    const labelled = [labels.get(arm) ?? arm, labels.get(baseline) ?? baseline] as const;
    const logs = found.map(({ ratio, x }) => ({ x, ...logarithmOf(ratio) }));
    return crossingsOf(logs, labelled, metric).map((crossing) => ({
      first: arm,
      second: baseline,
      nSites,
      ...crossing,
    }));
  });
}

function logarithmOf({ estimate, low, high }: Estimate): Estimate {
  return {
    estimate: Math.log(estimate),
    low: low === null ? null : Math.log(low),
    high: high === null ? null : Math.log(high),
  };
}

function crossingsOf(
  logs: readonly EstimateAt[],
  labels: readonly [string, string],
  metric: Metric,
): Pick<Sweep['crossovers'][number], 'rttMs' | 'lowMs' | 'highMs' | 'sentence'>[] {
  const crossings = sureCrossings(logs);
  if (crossings.length === 0) {
    const sentence = withoutCrossing(labels, logs, metric);
    return [{ rttMs: null, lowMs: null, highMs: null, sentence }];
  }
  return crossings.map(({ x, low, high, before }) => {
    const [below, above] = worsening(before, metric) < 0 ? labels : labels.toReversed();
    return {
      rttMs: x,
      lowMs: low,
      highMs: high,
      sentence: `${below} is ${metric.words[0]} below a round-trip time of about ${decimalText(x, 0)} ms, ${above} above (interval ${decimalText(low, 0)} to ${decimalText(high, 0)} ms).`,
    };
  });
}

/** What the sure ones among the answers say where they have one side alone. */
function withoutCrossing(
  [first, second]: readonly [string, string],
  logs: readonly EstimateAt[],
  metric: Metric,
): string {
  const sure = logs.filter((each) => sureSign(each) !== 0);
  const range = `${decimalText(logs[0]?.x ?? 0, 0)} to ${decimalText(logs.at(-1)?.x ?? 0, 0)} ms`;
  const [one] = sure;
  if (!one) return `At no round-trip time from ${range} ${first} and ${second} surely differ.`;
  const [ahead, behind] = worsening(sureSign(one), metric) < 0 ? [first, second] : [second, first];
  const where =
    sure.length === logs.length
      ? `all round-trip times measured, ${range}`
      : `${sure.map(({ x }) => decimalText(x, 0)).join(', ')} ms, and at the rest of ${range} the two do not surely differ`;
  return `${ahead} is ${metric.words[0]} than ${behind} at ${where}.`;
}
