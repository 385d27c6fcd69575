import { type Metric, worsening } from '../../ground/experiment.ts';
import {
  type AnyDimension,
  axisPosition,
  DIMENSION_ROWS,
  type DimensionField,
} from '../../ground/records/dimensions.ts';
import { networkKeyWithout } from '../../ground/records/network.ts';
import * as s from '../../ground/records/schema.ts';
import { type Estimate, estimateSchema } from '../../kit/text/estimate.ts';
import { median } from '../../statistics/median.ts';
import { significantCrossings } from '../../statistics/significant-crossings.ts';
import { theilSen } from '../../statistics/theil-sen.ts';
import type { PrimaryAnswer } from './comparison.ts';
import { variant } from './fields.ts';
import { lineThroughMedians } from './line-through-medians.ts';
import { summaryOf } from './metrics.ts';
import type { ConditionRows, SummaryRow } from './rows.ts';
import { seedOf } from './seed.ts';

/** The dimension over which times have a line. */
const DELAY: DimensionField = 'rttMs';

const sweptNetworkSchema = s.object(
  {
    name: s.name('Of the network condition.'),
    value: s.orNull(
      s.number(
        'Its value of the factor, in the unit of the field; of rttMs as measured, if measuredRttMs is there; of burstLoss the share of packets lost, in percent. Null: the values are words.',
      ),
    ),
    rttMs: s.number('As configured, in ms.'),
    measuredRttMs: s.orNull(
      s.number(
        'Median of the round trips measured, in ms; null: not measured on every network of the sweep.',
      ),
    ),
  },
  'A network of a sweep.',
);

const mediansSchema = s.list(
  s.orNull(s.anyNumber("In the metric's unit; null without loads.")),
  'Median at each network.',
);

const mediansMs = s.optional(
  s.withDescription(
    mediansSchema,
    'The same as medians, of times over rttMs. Absent: other sweeps.',
  ),
);

const sweepLineSchema = s.object(
  {
    roundTrips: s.withDescription(
      estimateSchema,
      'ms per ms of round-trip time: about the number of round trips waited for one after the other.',
    ),
    interceptMs: s.withDescription(estimateSchema, 'Time without any delay, in ms.'),
  },
  'Time = interceptMs + roundTrips x round-trip time; intervals from resampled loads.',
);

const sweepRowSchema = s.object(
  {
    subject: s.name('The site.'),
    arm: s.name('The stack.'),
    label: s.text('For tables.'),
    medians: mediansSchema,
    mediansMs,
    line: s.orNull(
      sweepLineSchema,
      'The line through the medians of times over rttMs; null with fewer than two of them, and in other sweeps.',
    ),
  },
  'A stack on a site, through the networks.',
);

type SweepRow = s.Static<typeof sweepRowSchema>;

const overSitesSchema = s.object(
  {
    arm: s.name('The stack.'),
    label: s.text('For tables.'),
    nSites: s.count('Sites with medians at every network on every stack.'),
    medians: s.withDescription(
      mediansSchema,
      'Median over the sites of their medians at each network.',
    ),
    mediansMs,
    roundTrips: s.orNull(
      s.anyNumber('Of the line through these medians, without an interval; null without a line.'),
    ),
    interceptMs: s.orNull(s.anyNumber('Of the same line, in ms; null without a line.')),
  },
  'A stack over the sites that have medians at every network on every stack.',
);

type SweepOverSites = s.Static<typeof overSitesSchema>;

const ofDelay = (description: string) => s.optional(s.orNull(s.anyNumber(description)));

const crossoverSchema = s.object(
  {
    first: s.name('The stack.'),
    second: s.name('What it is compared with.'),
    nSites: s.count('Sites of the primary answers, the fewest of them.'),
    at: s.orNull(
      estimateSchema,
      'Value of the factor where the ratio of the primary answers crosses 1; in the interval around it their intervals hold 1. Null: no sure crossing.',
    ),
    betterBelow: s.orNull(s.name('The better stack at smaller values; null as `at` is.')),
    rttMs: ofDelay('The same as at, over rttMs. Absent: other sweeps.'),
    lowMs: ofDelay('Lower end of its interval, over rttMs. Absent: other sweeps.'),
    highMs: ofDelay('Upper end of its interval, over rttMs. Absent: other sweeps.'),
  },
  'Where a stack surely crosses from one side of its baseline to the other, by the primary answers at three values or more.',
);

export const sweepSchema = s.object(
  {
    factor: s.oneOf(
      DIMENSION_ROWS.map(({ field }) => field),
      'Field of the networks in which they differ.',
    ),
    variant,
    networks: s.list(
      sweptNetworkSchema,
      'In the order of their values, or, where these are words, of the plan.',
    ),
    rows: s.list(sweepRowSchema, "Sites in the plan's order, within a site the stacks."),
    overSites: s.list(overSitesSchema, 'One for each stack.'),
    crossovers: s.list(
      crossoverSchema,
      'Every primary pair of stacks; empty with fewer than three numbers.',
    ),
  },
  'How the metric of verdicts changes with one factor of the network, over conditions that differ in nothing else. Times have a line over rttMs; with two round-trip times it goes through both points, so the data cannot show that it is straight.',
);

export type Sweep = s.Static<typeof sweepSchema>;

/** Inputs of a sweep in addition to the rows. */
interface SweepSource {
  seed: number;
  metric: Metric;
  primary: readonly PrimaryAnswer[];
  valuesOf: (row: SummaryRow) => number[];
}

/** One sweep for each set of conditions that differ in one dimension alone. */
export function sweepsOf(conditions: readonly ConditionRows[], source: SweepSource): Sweep[] {
  return DIMENSION_ROWS.flatMap((dimension) => {
    const alike = Map.groupBy(conditions, ({ condition, variant }) =>
      JSON.stringify([networkKeyWithout(condition, dimension.field), variant]),
    );
    return [...alike.values()].flatMap((group) => sweepOf(dimension, group, source) ?? []);
  });
}

function sweepOf(
  dimension: AnyDimension,
  alike: readonly ConditionRows[],
  source: SweepSource,
): Sweep | null {
  const { field: factor } = dimension;
  const [first] = alike;
  // Conditions may differ only in their names.
  const values = new Set(alike.map(({ condition }) => JSON.stringify(condition[factor])));
  if (!first || values.size < 2) return null;
  const placed = alike
    .map((each) => ({ each, place: axisPosition(dimension, each.condition) }))
    .toSorted((a, b) => (a.place ?? Number.MAX_VALUE) - (b.place ?? Number.MAX_VALUE));
  const places = placed.map(({ place }) => place);
  const areNumbers = places.every(
    (place, index) => place !== null && places.indexOf(place) === index,
  );
  const conditions = placed.map(({ each }) => each);
  const measured = measuredRttsMs(conditions);
  const networks = conditions.map(({ condition: { name, rttMs } }, index) => {
    const measuredRttMs = measured?.[index] ?? null;
    const value = (factor === DELAY ? measuredRttMs : null) ?? places[index] ?? null;
    return { name, value: areNumbers ? value : null, rttMs, measuredRttMs };
  });
  const sweep = { factor, variant: first.variant, networks };
  const lineOver =
    factor === DELAY && source.metric.unit === 'ms'
      ? networks.map(({ value }) => value ?? 0)
      : null;
  const rows = rowsOf(conditions, lineOver, source);
  return {
    ...sweep,
    rows,
    overSites: overSitesOf(rows, networks.length, lineOver),
    crossovers: crossoversOf(sweep, dimension, source),
  };
}

/** Measured round trips; null: not measured on every network. */
function measuredRttsMs(conditions: readonly ConditionRows[]): number[] | null {
  const measured = conditions.flatMap(
    ({ rows }) => median(rows.flatMap(({ network }) => network.measuredRttMs ?? [])) ?? [],
  );
  return measured.length === conditions.length ? measured : null;
}

/** @param lineOver round-trip times of the lines; null: no lines */
function rowsOf(
  conditions: readonly ConditionRows[],
  lineOver: readonly number[] | null,
  { seed, metric, valuesOf }: SweepSource,
): SweepRow[] {
  const cells = Map.groupBy(
    conditions.flatMap(({ rows }) => rows.filter(({ controlOf }) => controlOf === null)),
    ({ subject, arm }) => JSON.stringify([subject, arm]),
  );
  return [...cells.values()].flatMap((cell): SweepRow[] => {
    const [row] = cell;
    if (!row) return [];
    const { subject, arm, label, variant, network } = row;
    const rowAt = conditions.map(({ rows }) => cell.find((found) => rows.includes(found)));
    const medians = rowAt.map((found) => (found && summaryOf(found, metric).median) ?? null);
    if (lineOver === null) return [{ subject, arm, label, medians, line: null }];
    const points = rowAt.flatMap((found, index) =>
      found ? [{ rttMs: lineOver[index] ?? 0, valuesMs: valuesOf(found) }] : [],
    );
    const line = lineThroughMedians(
      points,
      seedOf(seed, 'line', network.name, variant, subject, arm),
    );
    return [{ subject, arm, label, medians, mediansMs: medians, line }];
  });
}

function overSitesOf(
  rows: readonly SweepRow[],
  nNetworks: number,
  lineOver: readonly number[] | null,
): SweepOverSites[] {
  const whole = [...Map.groupBy(rows, ({ subject }) => subject).values()].filter((siteRows) =>
    siteRows.every(({ medians }) => medians.every((value) => value !== null)),
  );
  const arms = new Map(rows.map(({ arm, label }) => [arm, label]));
  return [...arms].map(([arm, label]) => {
    const rowsOfStack = whole.flatMap((siteRows) => siteRows.filter((row) => row.arm === arm));
    const medians = Array.from({ length: nNetworks }, (_, index) =>
      median(rowsOfStack.flatMap((row) => row.medians[index] ?? [])),
    );
    const line =
      lineOver &&
      theilSen(
        medians.flatMap((value, index): [number, number][] =>
          value === null ? [] : [[lineOver[index] ?? 0, value]],
        ),
      );
    return {
      arm,
      label,
      nSites: whole.length,
      medians,
      ...(lineOver && { mediansMs: medians }),
      roundTrips: line?.slope ?? null,
      interceptMs: line?.intercept ?? null,
    };
  });
}

/** The primary answers of a sweep at its networks; null: no answers. */
export function answersAt<Answer extends Pick<PrimaryAnswer, 'network' | 'variant' | 'arm'>>(
  { variant, networks }: Pick<Sweep, 'variant' | 'networks'>,
  primary: readonly Answer[],
  arm: string,
): (Answer | null)[] {
  return networks.map(
    ({ name }) =>
      primary.find(
        (each) => each.network === name && each.variant === variant && each.arm === arm,
      ) ?? null,
  );
}

/** With two values any two stacks that differ seem to cross somewhere, on a line that no third value tests. */
const FEWEST_FOR_CROSSOVER = 3;

function crossoversOf(
  sweep: Pick<Sweep, 'factor' | 'variant' | 'networks'>,
  { scale }: AnyDimension,
  { primary, metric }: SweepSource,
): Sweep['crossovers'] {
  const pairs = new Map(primary.map(({ arm, baseline }) => [arm, baseline]));
  const [straight, back] = scale?.isLog
    ? [Math.log, Math.exp]
    : [(value: number) => value, (value: number) => value];
  return [...pairs].flatMap(([first, second]) => {
    const found = answersAt(sweep, primary, first).flatMap((answer, index) => {
      const value = sweep.networks[index]?.value ?? null;
      return answer?.ratio && value !== null
        ? [{ nSites: answer.nSites, x: straight(value), ...logarithmOf(answer.ratio) }]
        : [];
    });
    if (found.length < FEWEST_FOR_CROSSOVER) return [];
    const nSites = Math.min(...found.map((each) => each.nSites));
    const places = significantCrossings(found).map(({ x, low, high, before }) => ({
      at: { estimate: back(x), low: back(low), high: back(high) },
      betterBelow: worsening(before, metric) < 0 ? first : second,
    }));
    const nowhere = { at: null, betterBelow: null };
    return (places.length > 0 ? places : [nowhere]).map(({ at, betterBelow }) => ({
      first,
      second,
      nSites,
      at,
      betterBelow,
      ...(sweep.factor === DELAY && {
        rttMs: at?.estimate ?? null,
        lowMs: at?.low ?? null,
        highMs: at?.high ?? null,
      }),
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
