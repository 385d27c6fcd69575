import { experimentOf, variantText, verdictMetric } from '../../experiments/index.ts';
import type { Experiment, Metric } from '../../ground/experiment.ts';
import { conditionKey, subjectConditionKey } from '../../ground/records/cell.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { AttemptPackets } from '../../ground/records/packets.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import type { Markup } from '../../kit/page/markup.ts';
import type { ChartStack } from '../../kit/page/stack.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { AND } from '../../kit/text/sentences.ts';
import { type Block, blocksOf, countedIn } from '../summary/blocks.ts';
import type { Comparison, PrimaryAnswer } from '../summary/comparison.ts';
import { conditionIn, isPairOf, type PairVerdict, verdictUnder } from '../summary/fairness.ts';
import type { Overview } from '../summary/overview.ts';
import type { SummaryRow } from '../summary/rows.ts';
import type { Summary } from '../summary/summary.ts';
import { conditionOf } from '../text/answers.ts';
import type { KeptHars } from './hars.ts';
import type { CarriedLoads } from './link-file.ts';

/** Everything of one condition (network and visit) that the page shows, without controls. */
export interface ConditionView {
  /** Number of the condition, from 1; part of ids on the page. */
  place: number;
  network: NetworkCondition;
  variant: string;
  /** Its unusual values in words; empty: all are usual. */
  variantText: string;
  /** The condition's numbers in words. */
  text: string;
  rows: SummaryRow[];
  comparisons: Comparison[];
  primary: PrimaryAnswer[];
  /** Medians over the sites. */
  overview: Overview;
  /** Every load but warm-ups, in the order run; `counted` has those in the statistics. */
  loads: Observation[];
}

export interface ReportView {
  run: RunRecord;
  summary: Summary;
  /** Every stack of the plan but controls. */
  arms: ChartStack[];
  /** Those that are compared with another one. */
  compared: ComparedStack[];
  /** The metric of verdicts, tables and charts. */
  metric: Metric;
  experiment: Experiment;
  /** Whether pages were loaded: only page loads have HARs, visits and parts. */
  ofPages: boolean;
  conditions: ConditionView[];
  observations: readonly Observation[];
  /** By `subjectConditionKey`, in the order of the plan. */
  blocks: ReadonlyMap<string, readonly Block[]>;
  /** Ids of the loads in the statistics. */
  counted: ReadonlySet<string>;
  /** The kept HARs, if not all were kept. */
  kept: KeptHars;
  stories: readonly SiteStory[];
  /** Results of the kept captures. */
  captures: readonly AttemptPackets[];
  carried: CarriedLoads;
}

export interface ComparedStack extends ChartStack {
  baseline: ChartStack;
}

/** Waterfalls of single loads of a site under one condition, and the parts of the difference. */
export interface SiteStory {
  subject: string;
  /** Name of the network condition. */
  network: string;
  variant: string;
  markup: Markup;
}

/** Arranges a run's records and its summary in the order of the page. */
export function reportView(
  run: RunRecord,
  summary: Summary,
  observations: readonly Observation[],
  {
    kept = null,
    stories = [],
    captures = [],
    carried = new Map(),
  }: Partial<Pick<ReportView, 'kept' | 'stories' | 'captures' | 'carried'>> = {},
): ReportView {
  const arms = run.arms.flatMap(({ arm, label, controlOf }, place): ChartStack[] =>
    controlOf === null ? [{ arm, label, place }] : [],
  );
  const blocks = blocksOf(run, observations, summary.machines);
  const loadsOf = Map.groupBy(
    observations.filter(({ warmup }) => !warmup).toSorted((a, b) => a.order - b.order),
    ({ network, factors }) => conditionKey({ network: network.name, variant: variantOf(factors) }),
  );
  return {
    run,
    summary,
    arms,
    compared: summary.analysis.pairs.map(({ arm, baseline }) => ({
      ...stackOf({ run }, arm),
      baseline: stackOf({ run }, baseline),
    })),
    metric: verdictMetric(summary),
    experiment: experimentOf(run),
    ofPages: experimentOf(run).loadsPages ?? false,
    conditions: summary.overview.map((overview, index) => {
      const { network, variant, conditionText } = overview;
      const isOfThis = (other: { network: string; variant: string }) =>
        other.network === network.name && other.variant === variant;
      return {
        place: index + 1,
        network,
        variant,
        variantText: variantText(variant),
        text: conditionText,
        rows: summary.rows.filter(
          (row) =>
            row.controlOf === null && isOfThis({ network: row.network.name, variant: row.variant }),
        ),
        comparisons: summary.comparisons.filter(isOfThis),
        primary: summary.primary.filter(isOfThis),
        overview,
        loads: loadsOf.get(conditionKey({ network: network.name, variant })) ?? [],
      };
    }),
    observations,
    blocks,
    counted: new Set(countedIn([...blocks.values()].flat()).map(({ id }) => id)),
    kept,
    stories,
    captures,
    carried,
  };
}

/** The blocks of a condition: of one site, or of all in the order of the plan. */
export function blocksIn(
  { run, blocks }: Pick<ReportView, 'run' | 'blocks'>,
  { network, variant }: Pick<ConditionView, 'network' | 'variant'>,
  subject?: string,
): Block[] {
  const subjects = subject === undefined ? run.subjects.map((each) => each.subject) : [subject];
  return subjects.flatMap(
    (each) => blocks.get(subjectConditionKey({ subject: each, network, variant })) ?? [],
  );
}

/** The baseline, for use after `to` and `than`: a label if it is the same for all. */
export function baselineText({ compared }: Pick<ReportView, 'compared'>): string {
  const [label, ...further] = new Set(compared.map(({ baseline }) => baseline.label));
  return label !== undefined && further.length === 0 ? label : 'the stack it is compared with';
}

/** The compared stacks for headings and legends: with their baselines if these differ. */
export function labelledPairs({ compared }: Pick<ReportView, 'compared'>): ComparedStack[] {
  if (new Set(compared.map(({ baseline }) => baseline.arm)).size <= 1) return compared;
  return compared.map((arm) => ({ ...arm, label: `${arm.label} against ${arm.baseline.label}` }));
}

/** Whether this benchmark made path and servers; otherwise it measured existing hosts. */
export function isOfBench({ backend }: Pick<RunRecord, 'backend'>): boolean {
  return backend !== 'live' && backend !== 'read';
}

/** A stack of the run, controls included. */
export function stackOf({ run }: Pick<ReportView, 'run'>, name: string): ChartStack {
  const place = run.arms.findIndex(({ arm }) => arm === name);
  return { arm: name, label: run.arms[place]?.label ?? name, place };
}

export function labelOf(view: Pick<ReportView, 'run'>, name: string): string {
  return stackOf(view, name).label;
}

interface PairOfNames {
  arm: string;
  baseline: string;
}

const FOUND_AS_THEY_ARE =
  'HTTP/3 and HTTP/2 may be answered by different servers or settings, so a difference need not come from the protocol.';
const NOT_COMPARED =
  'Not known to be like for like: the run does not record what the two had in common.';

/**
 * What differs, or is not known, between two stacks under a condition, as a sentence of the fairness comparison; null:
 * everything that matters is known and equal.
 */
export function unlikeSentence(
  { run, summary }: Pick<ReportView, 'run' | 'summary'>,
  pair: PairOfNames,
  { network, variant }: Pick<ConditionView, 'network' | 'variant'>,
): string | null {
  if (!isOfBench(run)) return FOUND_AS_THEY_ARE;
  const condition = { network: network.name, variant };
  const verdict = verdictUnder(summary.fairness, pair, condition);
  if (!verdict) return NOT_COMPARED;
  if (verdict.likeForLike === 'yes') return null;
  return asSentence(conditionIn(verdict, condition)?.sentence ?? '');
}

/** The same for all conditions: a sentence for each group with the same differences. */
export function unlikeSentences(
  { run, summary }: Pick<ReportView, 'run' | 'summary'>,
  { arm, baseline }: PairOfNames,
): string[] {
  if (!isOfBench(run)) return [FOUND_AS_THEY_ARE];
  const verdicts = summary.fairness.find((each) => isPairOf(each, arm, baseline))?.verdicts ?? [];
  if (verdicts.length === 0) return [NOT_COMPARED];
  return verdicts.flatMap((verdict) =>
    verdict.likeForLike === 'yes' ? [] : [verdictSentence(verdict, verdicts.length > 1)],
  );
}

/** The sentence of a verdict, with its conditions unless it holds for all. */
export function verdictSentence({ conditions }: PairVerdict, isOneOfSeveral: boolean): string {
  const [first] = conditions;
  // No load was begun.
  if (!first) return NOT_COMPARED;
  return asSentence(
    isOneOfSeveral ? `${conditionsPhrase(conditions)}, ${first.sentence}` : first.sentence,
  );
}

/** More conditions are only counted. */
const MOST_CONDITIONS = 3;

/** Conditions within a sentence: `with no added delay, dsl and 2 more conditions`. */
export function conditionsPhrase(
  conditions: readonly Pick<PairVerdict['conditions'][number], 'network' | 'variant'>[],
): string {
  const names = conditions.map(conditionOf);
  const more = names.length - MOST_CONDITIONS;
  const shown = more > 1 ? [...names.slice(0, MOST_CONDITIONS), `${more} more conditions`] : names;
  return `with ${AND.format(shown)}`;
}

function asSentence(text: string): string {
  const sentence = capitalize(text);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** A number of attempts with their noun: `1 load`, `12 connections`. */
export function attemptsText(
  { experiment }: Pick<ReportView, 'experiment'>,
  count: number,
): string {
  return countWithNoun(count, ...experiment.attempt);
}

/** More subjects have no charts of their own; tables have their numbers. */
const FEW_SUBJECTS = 50;

/** Whether the subjects of a run are few enough for charts of each. */
export function hasFewSubjects({ run }: Pick<ReportView, 'run'>): boolean {
  return run.subjects.length <= FEW_SUBJECTS;
}
