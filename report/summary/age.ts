import { type Experiment, type Metric, numberOf } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { estimateSchema, ratioText, ratioWithInterval } from '../../kit/text/estimate.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { pText } from '../../kit/text/verdict.ts';
import { type Point, stratifiedSlope } from '../../statistics/stratified-slope.ts';
import { tQuantile } from '../../statistics/t-distribution.ts';
import { condition, probability, stacks } from './fields.ts';
import type { PrimaryQuestion } from './primary-questions.ts';

/** Chance of a false warning for one answer. Runs have several answers, so it is small. */
const AGE_LEVEL = 0.01;

export const ageCheckSchema = s.object(
  {
    ...condition,
    ...stacks,
    nPairs: s.count('Pairs of ok loads that share their start with another pair.'),
    nStarts: s.count('Starts of servers and clients that have such pairs.'),
    oldest: s.count('The most counted loads that one of the two had made since its start.'),
    perDoubling: s.orNull(
      estimateSchema,
      'Factor of stack / baseline with each doubling of 1 + the counted loads since the start, with its 99 % interval; null: too few pairs.',
    ),
    p: probability('Two-sided t-test of a factor of 1; null: too few pairs.'),
    level: s.constant(AGE_LEVEL, 'Below it the ratio depends on the age.'),
    depends: s.flag('Whether p is below the level.'),
  },
  'Whether a ratio depends on how many loads server and client had made since their start: a planned check of each primary answer.',
);

type AgeCheck = s.Static<typeof ageCheckSchema>;

/** History of a load. */
interface LoadAge {
  /** The start of its server and client. */
  start: string;
  /** Counted loads of its stack since then. */
  countedLoads: number;
}

/** The age of every counted load whose server and client were warmed up. Warm-ups begin a start. */
export function loadAges(observations: readonly Observation[]): Map<Observation, LoadAge> {
  const startOf = new Map<string, LoadAge & { isWarmingUp: boolean }>();
  const ages = new Map<Observation, LoadAge>();
  for (const load of observations.toSorted((a, b) => a.order - b.order)) {
    const { id, invocation, subject, arm, warmup, path } = load;
    const key = JSON.stringify([invocation, subject, arm]);
    const known = startOf.get(key);
    if (warmup) {
      if (!known?.isWarmingUp) startOf.set(key, { start: id, countedLoads: 0, isWarmingUp: true });
      continue;
    }
    // Without counts of its path it was never begun.
    if (!known || path === null) continue;
    const { start, countedLoads } = known;
    ages.set(load, { start, countedLoads });
    startOf.set(key, { start, countedLoads: countedLoads + 1, isWarmingUp: false });
  }
  return ages;
}

/** Checks one question: pairs of one start of both stacks on one site are compared with each other. */
export function checkAge(
  { arm, baseline, network, variant, subjects }: PrimaryQuestion,
  ages: ReadonlyMap<Observation, LoadAge>,
  metric: Metric,
): AgeCheck {
  const pairs = subjects.flatMap(({ blocks }) =>
    blocks.flatMap(({ loads }) => {
      const [own, other] = [loads.get(arm.arm), loads.get(baseline.arm)];
      if (!own || !other) return [];
      const [age, otherAge] = [ages.get(own), ages.get(other)];
      const [value, otherValue] = [numberOf(own, metric) ?? 0, numberOf(other, metric) ?? 0];
      if (!age || !otherAge || value <= 0 || otherValue <= 0) return [];
      const loadsBefore = (age.countedLoads + otherAge.countedLoads) / 2;
      const point: Point = [Math.log2(1 + loadsBefore), Math.log(value / otherValue)];
      return [
        {
          start: JSON.stringify([age.start, otherAge.start]),
          oldest: Math.max(age.countedLoads, otherAge.countedLoads),
          point,
        },
      ];
    }),
  );
  const starts = [...Map.groupBy(pairs, ({ start }) => start).values()].filter(
    ({ length }) => length > 1,
  );
  const found = stratifiedSlope(starts.map((own) => own.map(({ point }) => point)));
  const reach = found && tQuantile(1 - AGE_LEVEL / 2, found.degreesOfFreedom) * found.error;
  return {
    network: network.name,
    variant,
    arm: arm.arm,
    baseline: baseline.arm,
    nPairs: starts.flat().length,
    nStarts: starts.length,
    oldest: starts.flat().reduce((most, { oldest }) => Math.max(most, oldest), 0),
    perDoubling:
      found && reach !== null
        ? {
            estimate: Math.exp(found.slope),
            low: Math.exp(found.slope - reach),
            high: Math.exp(found.slope + reach),
          }
        : null,
    p: found?.p ?? null,
    level: AGE_LEVEL,
    depends: found !== null && found.p < AGE_LEVEL,
  };
}

/** The warning next to an answer; null: its ratio is not known to depend on the age. */
export function ageNote(
  { perDoubling, p, depends, oldest }: AgeCheck,
  { attempt: [one, several], clientNoun }: Pick<Experiment, 'attempt' | 'clientNoun'>,
): string | null {
  if (!depends || perDoubling === null || p === null) return null;
  return `Warning: the ratio depends on how long server and ${clientNoun} have been running. It is multiplied by ${ratioWithInterval(perDoubling)} with each doubling of their counted ${several} (p ${pText(p)}, tested at the level of ${AGE_LEVEL}). The answer is a mean over ages of 0 to ${countWithNoun(oldest, one, several)}, and does not hold for other ages.`;
}

export function ageResult({ perDoubling, p, depends }: AgeCheck): string {
  if (perDoubling === null || p === null) return 'cannot be tested: too few pairs';
  return `${depends ? 'depends on the age' : 'no dependence found'}: factor ${ratioText(perDoubling.estimate)}, p ${pText(p)}`;
}
