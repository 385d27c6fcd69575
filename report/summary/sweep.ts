import { type Metric, worsening } from '../../experiments/experiment.ts';
import { networkKeyBut } from '../../records/network.ts';
import {
  anyNumber,
  count,
  described,
  list,
  name,
  number,
  object,
  orNull,
  type Static,
  text,
} from '../../records/schema.ts';
import { crossover } from '../../statistics/crossover.ts';
import { median } from '../../statistics/median.ts';
import { type Line, theilSen } from '../../statistics/theil-sen.ts';
import { estimateSchema } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { lineThroughMedians } from './line-through-medians.ts';
import { summaryOf } from './metrics.ts';
import type { ConditionRows, SummaryRow } from './rows.ts';
import { seedOf } from './seed.ts';

const sweptNetworkSchema = object(
  {
    name: name('Of the network condition.'),
    rttMs: number('As asked for, in ms.'),
    measuredRttMs: orNull(
      number(
        'Median of the round trips measured, in ms, on which the lines are based; null: rttMs took its place.',
      ),
    ),
  },
  'A network of a sweep.',
);

const mediansMs = (description: string) =>
  list(orNull(number('In ms; null without loads.')), description);

const sweepLineSchema = object(
  {
    roundTrips: described(
      estimateSchema,
      'ms per ms of round-trip time: about the number of round trips waited for one after the other.',
    ),
    interceptMs: described(estimateSchema, 'Time without any delay, in ms.'),
  },
  'Time = interceptMs + roundTrips x round-trip time; intervals from resampled loads.',
);

const sweepRowSchema = object(
  {
    subject: name('The site.'),
    arm: name('The stack.'),
    label: text('For tables.'),
    mediansMs: mediansMs('Median time at each network, in ms.'),
    line: orNull(
      sweepLineSchema,
      'The line through the medians; null with fewer than two of them.',
    ),
  },
  'A stack on a site, through the networks.',
);

export type SweepRow = Static<typeof sweepRowSchema>;

const overSitesSchema = object(
  {
    arm: name('The stack.'),
    label: text('For tables.'),
    nSites: count('Sites with medians at every network on every stack.'),
    mediansMs: mediansMs('Median over the sites of their medians at each network, in ms.'),
    roundTrips: orNull(
      anyNumber('Of the line through these medians, without an interval; null without sites.'),
    ),
    interceptMs: orNull(anyNumber('Of the same line, in ms; null without sites.')),
  },
  'A stack over the sites that have a line on every stack.',
);

type SweepOverSites = Static<typeof overSitesSchema>;

const crossoverSchema = object(
  {
    first: name('A stack.'),
    second: name('Another one.'),
    nSites: count('As in overSites.'),
    rttMs: orNull(
      anyNumber(
        'Where their lines meet, in ms; null, with the reason in the sentence, when they are parallel or meet where nothing was measured.',
      ),
    ),
    sentence: text('What that means, as a sentence with the labels of the stacks.'),
  },
  "The round-trip time at which two stacks' lines over the sites meet.",
);

export const sweepSchema = object(
  {
    variant: text('Values of the factors, joined by dots.'),
    networks: list(sweptNetworkSchema, 'In the order of their delay.'),
    rows: list(sweepRowSchema, "Sites in the plan's order, within a site the stacks."),
    overSites: list(
      overSitesSchema,
      'One for each stack, over the sites that have a line on every stack.',
    ),
    crossovers: list(crossoverSchema, 'Every pair of stacks, over the same sites.'),
  },
  'How the times that verdicts are about grow with the round-trip time, over conditions that differ in nothing else. With two round-trip times the line goes through both points, so nothing tells whether it is one.',
);

export type Sweep = Static<typeof sweepSchema>;

/** What a sweep needs beside the rows: which time, the loads' times behind a row's median, and the run's seed. */
export interface SweepSource {
  seed: number;
  metric: Metric;
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
    const crossovers = crossoversOf(overSites, rtts, source.metric);
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

function crossoversOf(
  overSites: readonly SweepOverSites[],
  rtts: readonly number[],
  metric: Metric,
): Sweep['crossovers'] {
  return overSites.flatMap((first, index) =>
    overSites.slice(index + 1).flatMap((second) => {
      const [line, other] = [lineOf(first), lineOf(second)];
      if (!line || !other) return [];
      const measured = [Math.min(...rtts), Math.max(...rtts)] as const;
      const rttMs = crossover(line, other, measured);
      const named = [
        { label: first.label, line },
        { label: second.label, line: other },
      ] as const;
      const sentence = crossoverSentence(named, rttMs, measured, metric);
      return [{ first: first.arm, second: second.arm, nSites: first.nSites, rttMs, sentence }];
    }),
  );
}

function lineOf({ roundTrips, interceptMs }: SweepOverSites): Line | null {
  return roundTrips === null || interceptMs === null
    ? null
    : { slope: roundTrips, intercept: interceptMs };
}

interface NamedLine {
  label: string;
  line: Line;
}

function crossoverSentence(
  [first, second]: readonly [NamedLine, NamedLine],
  meetingMs: number | null,
  [lowest, highest]: readonly [lowestMs: number, highestMs: number],
  metric: Metric,
): string {
  const [better] = metric.words;
  const from = `${decimalText(lowest, 0)} to ${decimalText(highest, 0)} ms`;
  const at = (line: Line, rttMs: number) => line.intercept + line.slope * rttMs;
  const isFirstBetter = (rttMs: number) =>
    worsening(at(first.line, rttMs) - at(second.line, rttMs), metric) < 0;
  const ahead = (rttMs: number) => (isFirstBetter(rttMs) ? first.label : second.label);
  if (meetingMs !== null) {
    return `${ahead(lowest)} is ${better} below a round-trip time of about ${decimalText(meetingMs, 0)} ms, ${ahead(highest)} above.`;
  }
  if (at(first.line, lowest) === at(second.line, lowest)) {
    return `${first.label} and ${second.label} have the same line.`;
  }
  const labels = [first.label, second.label];
  const [winner, other] = isFirstBetter((lowest + highest) / 2) ? labels : labels.toReversed();
  return `${winner} is ${better} than ${other} at all round-trip times measured, ${from}.`;
}
