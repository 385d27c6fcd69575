import { worsening } from '../../ground/experiment.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import { dimensionsOf } from '../../ground/records/dimensions.ts';
import type { PlannedArm, RunRecord } from '../../ground/records/run.ts';
import { nameInBrowser, splitBrowser } from '../../ground/stack.ts';
import { ratioOf } from '../../kit/text/estimate.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { fixedSitesP } from '../../statistics/fixed-sites.ts';
import { holm } from '../../statistics/holm.ts';
import { logRatios } from '../../statistics/log-ratios.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import type { Block } from './blocks.ts';
import type { ComparisonSettings } from './compare.ts';
import type { ConditionChange } from './condition-change.ts';
import { type ConditionPair, conditionPairs } from './condition-pairs.ts';
import { estimateAt } from './family.ts';
import {
  differencesOf,
  pairedEstimate,
  type TestedPair,
  testedPair,
  type ValuePair,
} from './paired-values.ts';
import { contrastAt, type PooledEvidence, pool } from './pooled-evidence.ts';
import type { PlannedPair } from './primary-questions.ts';
import { SIGNIFICANCE, verdictOfSite } from './verdict.ts';

interface ConditionsSource {
  run: Pick<RunRecord, 'experiment' | 'subjects' | 'arms' | 'networks' | 'factors' | 'choices'>;
  /** By `subjectConditionKey`. */
  blocks: ReadonlyMap<string, readonly Block[]>;
  /** Stacks whose changes are compared with each other. */
  pairs: readonly PlannedPair[];
  settings: ComparisonSettings;
}

/** Two blocks of one site with the same number, which were made one after the other; of two browsers, one block. */
type BlockPair = Record<'from' | 'to', Block>;

interface SiteBlocks {
  subject: string;
  blocks: readonly BlockPair[];
}

/** Effect of a condition on one stack, or how it differs from the effect on its baseline. */
interface Question {
  pair: ConditionPair;
  sites: readonly SiteBlocks[];
  arm: PlannedArm;
  baseline: PlannedArm | null;
  found: readonly SitePairs[];
}

/** A site's pairs: of loads, or of the changes of two stacks. */
interface SitePairs {
  subject: string;
  ratios: readonly TestedPair[];
  differences: readonly TestedPair[];
}

/**
 * Compares the conditions of a run, each stack with itself: loads of blocks with the same number are pairs, since they were
 * made near in time. Then compares the change of a stack with that of its baseline, over the same blocks. All tests are one
 * family (Holm), or belong to a larger one (Bonferroni).
 */
export function compareConditions(source: ConditionsSource): ConditionChange[] {
  const { run, settings } = source;
  const answers = questionsOf(source).map((question) => {
    const pooled = poolQuestion(question, settings);
    return { question, seen: pooled, test: testOf(pooled, settings) };
  });
  const { family } = settings;
  const level = SIGNIFICANCE / (family ?? 1);
  const ps = answers.map(({ test: { p } }) => p);
  const adjusted = family === undefined ? holm(ps) : ps.map((p) => p && Math.min(1, p * family));
  const changes = answers.map(({ question, seen, test: { p, isSlower } }, index) => {
    const { pair, arm, baseline, found } = question;
    const pHolm = adjusted[index] ?? null;
    const { nPairs, nBothFailed } = seen;
    const ratio = ratioOf(estimateAt(seen.ratio, level));
    const evidence = { nPairs, nBothFailed, ratio, pHolm, isSlower };
    return {
      ...recordOf(pair),
      arm: arm.arm,
      baseline: baseline?.arm ?? null,
      ...contrastAt(seen, level, verdictOfSite(evidence, settings)),
      p,
      pHolm,
      notes: notesOf(question, seen.sites.length, run, settings),
      subjects: found
        .filter(({ subject }) => seen.sites.includes(subject))
        .map((site) => siteNumbers(site, logsOf(question))),
    };
  });
  return changes.toSorted((a, b) => Number(a.baseline !== null) - Number(b.baseline !== null));
}

function questionsOf(source: ConditionsSource): Question[] {
  const { run, pairs, settings } = source;
  const questions: (readonly [PlannedArm, PlannedArm | null])[] = [
    ...run.arms.flatMap((arm) => (arm.controlOf === null ? [[arm, null] as const] : [])),
    ...pairs,
  ];
  return conditionPairs(run).flatMap((pair) => {
    const sites = sitesOf(source, pair);
    if (sites.length === 0) return [];
    const isApplicable = (arm: PlannedArm | null) =>
      arm === null || (!pair.isSameFor(arm.protocol) && isInBoth(arm, pair, run));
    return questions
      .filter((arms) => arms.every(isApplicable))
      .map(
        ([arm, baseline]): Question => ({
          pair,
          sites,
          arm,
          baseline,
          found: sites.map(({ subject, blocks }) => ({
            subject,
            ...(baseline === null
              ? changeIn(blocks, namesOf(arm, pair), settings)
              : changesIn(blocks, [namesOf(arm, pair), namesOf(baseline, pair)], settings)),
          })),
        }),
      );
  });
}

/** Names of an arm under two conditions. */
type ArmNames = Record<'from' | 'to', string>;

function namesOf({ arm }: PlannedArm, { browsers }: ConditionPair): ArmNames {
  return { from: arm, to: browsers ? nameInBrowser(arm, browsers.to) : arm };
}

/** Whether the run has an arm under both conditions: in both browsers. */
function isInBoth(
  arm: PlannedArm,
  pair: ConditionPair,
  { arms }: Pick<ConditionsSource['run'], 'arms'>,
): boolean {
  const { to } = namesOf(arm, pair);
  const isFrom = !pair.browsers || splitBrowser(arm.arm)[1] === pair.browsers.from;
  return isFrom && arms.some((each) => each.arm === to);
}

/** The sites that have blocks under both conditions. */
function sitesOf({ run, blocks }: ConditionsSource, { from, to }: ConditionPair): SiteBlocks[] {
  return run.subjects.flatMap(({ subject }) => {
    const of = (condition: ConditionPair['from']) =>
      blocks.get(subjectConditionKey({ subject, ...condition })) ?? [];
    const numbered = new Map(of(from).map((block) => [block.block, block]));
    const both = of(to).flatMap((block): BlockPair[] => {
      const other = numbered.get(block.block);
      return other ? [{ from: other, to: block }] : [];
    });
    return both.length === 0 ? [] : [{ subject, blocks: both }];
  });
}

type PairSettings = Pick<ComparisonSettings, 'metric'>;

function pairIn(
  { from, to }: BlockPair,
  arm: ArmNames,
  { metric }: PairSettings,
): TestedPair | null {
  if (from.machine !== to.machine) return null;
  return testedPair({ block: to, arm: arm.to }, { block: from, arm: arm.from }, metric);
}

function changeIn(
  blocks: readonly BlockPair[],
  arm: ArmNames,
  settings: PairSettings,
): Omit<SitePairs, 'subject'> {
  const pairs = blocks.flatMap((each) => pairIn(each, arm, settings) ?? []);
  return { ratios: pairs, differences: pairs };
}

/** Changes of two stacks, block by block. Failures under both conditions are no change. */
function changesIn(
  blocks: readonly BlockPair[],
  [arm, baseline]: readonly [ArmNames, ArmNames],
  settings: PairSettings,
): Omit<SitePairs, 'subject'> {
  const both = blocks.flatMap((each) => {
    const [own, other] = [pairIn(each, arm, settings), pairIn(each, baseline, settings)];
    return own?.values.some(Number.isFinite) && other?.values.some(Number.isFinite)
      ? [[own, other] as const]
      : [];
  });
  const pairsOf = (changes: (pairs: readonly ValuePair[]) => number[]) =>
    both.map(([own, other]): TestedPair => {
      const [change = 0, otherChange = 0] = changes([own.values, other.values]);
      const browsers = `${own.browsers} ${other.browsers}`;
      return { values: [change, otherChange], browsers, sitting: own.sitting };
    });
  return { ratios: pairsOf(logRatios), differences: pairsOf(differencesOf) };
}

/** Changes of two stacks are logarithms already. */
function logsOf({ baseline }: Question): (pairs: readonly ValuePair[]) => number[] {
  return baseline === null ? logRatios : differencesOf;
}

function poolQuestion(question: Question, { metric }: PairSettings): PooledEvidence<string> {
  const { found, pair } = question;
  const over = (of: 'ratios' | 'differences') =>
    pool(
      found.map((each) => ({ site: each.subject, pairs: each[of] })),
      { network: pair.to.network, metric },
      logsOf(question),
    );
  const pooled = over('ratios');
  return question.baseline === null
    ? pooled
    : { ...pooled, difference: over('differences').difference };
}

/** Two-sided, of no change; where failures leave no ratio, the exact sign test of them. */
function testOf(
  { ratio, failures }: PooledEvidence<string>,
  { metric }: PairSettings,
): { p: number | null; isSlower: boolean } {
  if (ratio !== null && Number.isFinite(ratio.estimate)) {
    return { p: fixedSitesP(ratio), isSlower: worsening(ratio.estimate, metric) > 0 };
  }
  const test = wilcoxonSignedRank(failures);
  return {
    p: test?.p ?? null,
    isSlower: test !== null && test.rankSumAbove > test.rankSumBelow,
  };
}

function siteNumbers(
  { subject, ratios, differences }: SitePairs,
  logs: (pairs: readonly ValuePair[]) => number[],
) {
  const valuesOf = (pairs: readonly TestedPair[]) => pairs.map(({ values }) => values);
  return {
    subject,
    nPairs: ratios.length,
    ratio: ratioOf(pairedEstimate(logs(valuesOf(ratios)))),
    difference: pairedEstimate(differencesOf(valuesOf(differences))),
  };
}

function recordOf({ differsIn, from, to, words }: ConditionPair) {
  const named = ({ network, variant }: ConditionPair['from'], text: string) => ({
    network: network.name,
    variant,
    text,
  });
  return {
    differsIn,
    from: named(from, words.from),
    to: named(to, words.to),
    shared: words.shared,
  };
}

function notesOf(
  { pair, sites, found }: Question,
  nSites: number,
  { choices }: Pick<RunRecord, 'choices'>,
  { experiment: { attempt, subject, clientNoun } }: ComparisonSettings,
): string[] {
  const [one, several] = attempt;
  const blocks = sites.flatMap((site) => site.blocks);
  const apart = blocks.filter(
    ({ from, to }) => from.machine !== null && to.machine !== null && from.machine !== to.machine,
  ).length;
  const nPairs = found.reduce((sum, { ratios }) => sum + ratios.length, 0);
  const broken = blocks.length - nPairs - apart;
  const disturbed = blocks.filter(({ from, to }) => from.disturbed || to.disturbed).length;
  const { network } = pair.to;
  const byChance = [...new Set(dimensionsOf(network).flatMap(({ row }) => row.chance ?? []))];
  return sentences(
    nSites > 0 &&
      nSites < sites.length &&
      `${countWithNoun(sites.length - nSites, ...subject)} excluded, because no ${one} has a number.`,
    broken > 0 &&
      `${countWithNoun(broken, 'pair')} of ${blocks.length} excluded: a ${one} was broken by ${clientNoun}, path or bench, was invalid or is missing.`,
    apart > 0 &&
      `${countWithNoun(apart, 'pair')} of ${blocks.length} excluded, because the ${several} were made on two machines.`,
    disturbed > 0 &&
      `The machine was not quiet during ${countWithNoun(disturbed, 'pair')} of blocks; these pairs count.`,
    byChance.length > 0 &&
      `Under each condition, chance draws ${byChance.join(' and ')} anew, so it is part of the difference.`,
    choices.order === 'sequential' &&
      'One condition was measured after the other, so drift of the machine is part of the difference.',
  );
}
