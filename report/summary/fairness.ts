import { experimentOf } from '../../experiments/index.ts';
import type { CountedOfStack, PairComparer } from '../../ground/experiment.ts';
import { variantsOf } from '../../ground/records/factors.ts';
import { type ComparedProperty, stackPairSchema } from '../../ground/records/fairness.ts';
import {
  compareProperties,
  decideLikeForLike,
  type PairwiseProperties,
  pairsOf,
  propertiesAt,
} from '../../ground/records/like-for-like.ts';
import {
  lossesOfLoads,
  mergeReadings,
  readingsOfLoads,
} from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import type { StackProperty, StackReadings } from '../../ground/records/stack-readings.ts';
import { type Block, countedIn } from './blocks.ts';
import { condition } from './fields.ts';

const { a, b, likeForLike, sentence, properties } = stackPairSchema.properties;

const pairVerdictSchema = s.object(
  {
    conditions: s.list(
      s.object({ ...condition, sentence }, 'A condition with what it says.'),
      'Those for which it holds, in the order of the overview.',
    ),
    likeForLike,
    properties,
  },
  'What two stacks had in common under one condition, or under several with the same differences. A property is equal when it is on every site; where it is not, `a` and `b` belong to the first site that shows it and the note names it. Values are those of the first condition.',
);

export const pairFairnessSchema = s.object(
  {
    a,
    b,
    verdicts: s.list(pairVerdictSchema, 'Together they hold for every condition that was begun.'),
  },
  'How two stacks compare, from the loads of the condition that both have.',
);

/** Whether comparing two stacks speaks of protocols, condition by condition. */
export type PairFairness = s.Static<typeof pairFairnessSchema>;

export type PairVerdict = PairFairness['verdicts'][number];

/** A network condition by its name, and the values of the factors. */
type Condition = Pick<PairVerdict['conditions'][number], 'network' | 'variant'>;

export function isPairOf(
  { a, b }: Pick<PairFairness, 'a' | 'b'>,
  one: string,
  other: string,
): boolean {
  return (a === one && b === other) || (a === other && b === one);
}

/** The verdict on two stacks that holds under a condition; undefined: they were not compared. */
export function verdictUnder(
  fairness: readonly PairFairness[],
  { arm, baseline }: { arm: string; baseline: string },
  condition: Condition,
): PairVerdict | undefined {
  const pair = fairness.find((each) => isPairOf(each, arm, baseline));
  return pair?.verdicts.find((verdict) => conditionIn(verdict, condition) !== undefined);
}

/**
 * The warning next to an answer whose stacks differ in concurrent requests; null: they do not, or it is not known, or HTTP/1.1
 * limits them.
 */
export function concurrencyNote(
  fairness: readonly PairFairness[],
  answer: { arm: string; baseline: string } & Condition,
  armNamed: (name: string) => Pick<RunRecord['arms'][number], 'label' | 'protocol'>,
): string | null {
  const { arm, baseline } = answer;
  const found = verdictUnder(fairness, answer, answer)?.properties.find(
    ({ property }) => property === 'peakConcurrentRequests',
  );
  if (found?.verdict !== 'differs') return null;
  const isSwapped = fairness.some(({ a, b }) => a === baseline && b === arm);
  const counts = isSwapped ? [found.b, found.a] : [found.a, found.b];
  const [few, many] = [arm, baseline]
    .map((name, place) => ({ ...armNamed(name), count: counts[place] }))
    .sort((a, b) => Number(a.count) - Number(b.count));
  if (!few || !many || few.protocol.startsWith('http/1')) return null;
  return `${few.label} has at most ${few.count} requests at the same time, ${many.label} ${many.count} (medians). If the browser or the server holds requests back over ${few.label}, it looks slower than its protocol is.`;
}

/** A condition of a verdict with its sentence; undefined: the verdict is about other conditions. */
export function conditionIn(
  { conditions }: Pick<PairVerdict, 'conditions'>,
  { network, variant }: Condition,
): PairVerdict['conditions'][number] | undefined {
  return conditions.find((each) => each.network === network && each.variant === variant);
}

/**
 * Compares every pair of stacks but controls: under each condition site by site over the counted loads, then together.
 * Losses at full sockets come from all measured loads of the condition. Empty for a run read from a file.
 *
 * @param observations all loads of the run
 */
export function fairnessOf(
  run: Pick<RunRecord, 'experiment' | 'arms' | 'networks' | 'factors' | 'fairness' | 'read'>,
  blocks: readonly Block[],
  observations: readonly Observation[],
): PairFairness[] {
  if (run.read) return [];
  const experiment = experimentOf(run);
  const names = run.arms.filter(({ controlOf }) => controlOf === null).map(({ arm }) => arm);
  const context: Context = {
    before: run.fairness,
    readings: experiment.readings,
    compareLoads: experiment.comparerOf?.(observations) ?? (() => ({})),
  };
  const conditions = run.networks
    .flatMap(({ name }) => variantsOf(run).map((variant) => ({ network: name, variant })))
    .map(({ network, variant }) =>
      blocks.filter((block) => block.network === network && block.variant === variant),
    )
    .filter((own) => own.some(({ made }) => made.length > 0));
  const pairs = pairsOf(names).map((pair) => ({
    pair,
    found: (conditions.length > 0 ? conditions : [[]]).map((own) =>
      readCondition(own, pair, context),
    ),
  }));
  const wanted = propertiesIn(pairs.flatMap(({ found }) => found.flatMap(({ sites }) => sites)));
  return pairs.map(({ pair: [a, b], found }) => ({
    a,
    b,
    verdicts: groupVerdicts(found.map((seen) => verdictOf(seen, wanted))),
  }));
}

interface Context {
  before: Pick<RunRecord['fairness'], 'readings' | 'under'>;
  readings(attempts: readonly Observation[]): StackReadings;
  compareLoads: PairComparer;
}

interface SiteReadings {
  /** null: no site has loads of both stacks. */
  subject: string | null;
  readings: [a: StackReadings, b: StackReadings];
  pairwise: PairwiseProperties;
}

interface ConditionReadings {
  /** null: no load was begun. */
  condition: Condition | null;
  sites: SiteReadings[];
}

function readCondition(
  blocks: readonly Block[],
  pair: readonly [string, string],
  { before, readings, compareLoads }: Context,
): ConditionReadings {
  const { under, readings: common } = before;
  const [condition] = blocks;
  const ofCondition = (condition && under?.[condition.network]) ?? common;
  const known = mergeReadings(ofCondition, lossesOfLoads(blocks.flatMap(({ made }) => made)));
  const siteOf = (subject: string | null, loads: readonly Observation[]): SiteReadings => {
    const all = mergeReadings(known, readingsOfLoads(loads, readings));
    const own = (name: string): CountedOfStack => ({
      name,
      attempts: loads.filter(({ arm }) => arm === name),
    });
    const unknown = loads.length === 0 ? readings([]) : {};
    const readingsOf = (name: string) => ({ ...unknown, ...all[name] });
    const [a, b] = pair;
    return {
      subject,
      readings: [readingsOf(a), readingsOf(b)],
      pairwise: compareLoads(own(a), own(b)),
    };
  };
  const sites = [...Map.groupBy(countedIn(blocks), ({ subject }) => subject)]
    .filter(([, loads]) => pair.every((name) => loads.some(({ arm }) => arm === name)))
    .map(([subject, loads]) => siteOf(subject, loads));
  const [first] = blocks;
  return {
    condition: first ? { network: first.network, variant: first.variant } : null,
    sites: sites.length > 0 ? sites : [siteOf(null, [])],
  };
}

/** The properties that a site has: connections have no number of requests. */
function propertiesIn(sites: readonly SiteReadings[]): StackProperty[] {
  const known = new Set(
    sites.flatMap(({ readings, pairwise }) => [...readings, pairwise].flatMap(Object.keys)),
  );
  return propertiesAt('after loads').filter((property) => known.has(property));
}

interface ConditionVerdict {
  condition: Condition | null;
  likeForLike: PairVerdict['likeForLike'];
  sentence: string;
  properties: ComparedProperty[];
}

function verdictOf(
  { condition, sites }: ConditionReadings,
  wanted: readonly StackProperty[],
): ConditionVerdict {
  const bySite = sites.map(({ subject, readings, pairwise }) => ({
    subject,
    properties: compareProperties(readings, wanted, pairwise),
  }));
  const properties = wanted.flatMap((_, place) => overSites(bySite, place) ?? []);
  return { condition, ...decideLikeForLike(properties, 'after loads'), properties };
}

function overSites(
  sites: readonly { subject: string | null; properties: readonly ComparedProperty[] }[],
  place: number,
): ComparedProperty | undefined {
  const found = sites.flatMap(({ subject, properties }) => {
    const one = properties[place];
    return one ? [{ subject, one }] : [];
  });
  const worst =
    found.find(({ one }) => one.verdict === 'differs') ??
    found.find(({ one }) => one.verdict === 'unknown');
  if (!worst) return found[0]?.one;
  const isEverywhere = found.every(({ one }) => one.verdict === worst.one.verdict);
  if (isEverywhere) return worst.one;
  return { ...worst.one, note: `On ${worst.subject}. ${worst.one.note}`.trim() };
}

/** Groups conditions with the same equal, different and unknown properties. */
function groupVerdicts(all: readonly ConditionVerdict[]): PairVerdict[] {
  const groups = Map.groupBy(all, ({ properties }) =>
    JSON.stringify(
      properties
        .filter(({ decides }) => decides)
        .map(({ verdict, difference }) => [verdict, difference]),
    ),
  );
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { likeForLike, properties } = first;
    const conditions = own.flatMap(({ condition, sentence }) =>
      condition ? [{ ...condition, sentence }] : [],
    );
    return [{ conditions, likeForLike, properties }];
  });
}
