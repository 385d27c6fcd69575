import { conditionName, namedConditionText } from '../../experiments/condition.ts';
import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { firstNames } from '../../ground/first-names.ts';
import { transportDifferences } from '../../ground/records/like-for-like.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { labelWithoutBrowser } from '../../ground/stack.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import { ratioIntervalWords, ratioWords } from '../../kit/text/ratio-words.ts';
import { AND, OR, sentences } from '../../kit/text/sentences.ts';
import { unitSuffix, valueText } from '../../kit/text/value.ts';
import { MOST_MORE_PAIRS } from '../../kit/text/verdict.ts';
import type { ControlResult, PrimaryAnswer, SecondaryAnswer } from '../summary/comparison.ts';
import type { ConditionChange } from '../summary/condition-change.ts';
import { verdictUnder } from '../summary/fairness.ts';
import type { filmedPairs } from '../summary/filmed.ts';
import type { ComparedStack, RunsComparison } from '../summary/runs-comparison.ts';
import type { Summary } from '../summary/schema.ts';
import { type ContrastWords, contrastSentence } from './contrast.ts';

export const PROTOCOLS: Readonly<Record<Protocol, string>> = {
  h3: 'HTTP/3',
  h2: 'HTTP/2',
  'http/1.1': 'HTTP/1.1',
  'h2+h3': 'HTTP/2 or HTTP/3 as the browser chooses',
  'http/1.0': 'HTTP/1.0',
  quic: 'QUIC',
  tls: 'TCP and TLS 1.3',
  tcp: 'TCP',
};

/** Parts of the summary that sentences about answers need. */
export type AnswerSource = Pick<
  Summary,
  'experiment' | 'analysis' | 'subjects' | 'networks' | 'rows' | 'fairness'
>;

/** A primary answer as sentences, without its condition: the result, then its attribution or the pairs still needed. */
export function answerText(answer: PrimaryAnswer, summary: AnswerSource): string {
  const { verdict, ratio } = answer;
  const result = contrastSentence(answer, subjectOf(answer, summary), wordsOf(summary));
  if (ratio === null || (ratio.low === null && ratio.high === null)) return result;
  const further =
    verdict === 'undecided' ? moreText(answer, summary) : attributionText(answer, summary);
  return sentences(result, further).join(' ');
}

/** An answer by a further metric. */
export function secondaryText(answer: SecondaryAnswer, summary: AnswerSource): string {
  const metric = metricNamed(experimentOf(summary), answer.metric);
  return contrastSentence(answer, subjectOf(answer, summary), { ...wordsOf(summary), metric });
}

/** Medians of filmed loads, which no verdict uses. */
export function filmedText({
  metric: { label, unit },
  medians,
  nLoads,
}: ReturnType<typeof filmedPairs>[number]): string {
  const [own, other] = [medians.arm, medians.baseline].map(
    (value) => `${valueText(value, unit)}${unitSuffix(unit)}`,
  );
  return `${label} of filmed loads, which are not counted: ${own} against ${other} (medians of ${nLoads[0]} and ${nLoads[1]}).`;
}

/** Label of a stack under a condition and another one; a browser that is the difference is named elsewhere. */
export function labelOfBoth({ differsIn, from }: ConditionChange, label: string): string {
  return differsIn === 'browser' ? labelWithoutBrowser(label, from.text) : label;
}

/** Effect of a condition on a stack, or on one stack and not another. */
export function changeText(
  change: ConditionChange,
  { nTests, ...summary }: AnswerSource & { nTests: number },
): string {
  const { arm, baseline, ratio, subjects, verdict } = change;
  const [site, more] = subjects;
  const sentence = contrastSentence(
    change,
    {
      name: labelOfBoth(change, labelIn(summary, arm)),
      other: baseline === null ? null : labelOfBoth(change, labelIn(summary, baseline)),
      isOfChanges: baseline !== null,
      site: site && !more ? site.subject : null,
    },
    wordsOf(summary),
  );
  const isClearAlone = ratio !== null && ((ratio.high ?? 2) < 1 || (ratio.low ?? 0) > 1);
  return sentences(
    gainText(change, summary),
    sentence,
    verdict === 'undecided' &&
      isClearAlone &&
      `It would be a difference by itself, but not after correction for ${countWithNoun(nTests, 'comparison')} of conditions.`,
  ).join(' ');
}

/** Whether HTTP/3 gains more in another browser; null: the change has two browsers, or two protocols, not to compare. */
function gainText(
  { differsIn, arm, baseline, from, to, verdict }: ConditionChange,
  { rows }: AnswerSource,
): string | null {
  const protocolOf = (name: string | null) => rows.find((row) => row.arm === name)?.protocol;
  if (differsIn !== 'browser' || protocolOf(arm) !== 'h3' || protocolOf(baseline) !== 'h2') {
    return null;
  }
  const more = `in ${to.text} than in ${from.text}`;
  return {
    faster: `HTTP/3 gains more ${more}.`,
    slower: `HTTP/3 gains less ${more}.`,
    same: `HTTP/3 gains the same in ${to.text} and in ${from.text}.`,
    undecided: `Whether HTTP/3 gains more ${more} is undecided.`,
  }[verdict];
}

/** Ratios of a stack to its baseline in two runs, and their change. */
export function runsText(
  stack: ComparedStack,
  comparison: Pick<RunsComparison, 'experiment' | 'metric' | 'marginPercent'>,
): string {
  const { label, baselineLabel, nSites, ratios, subjects, excludedSites } = stack;
  const experiment = experimentOf(comparison);
  const metric = metricNamed(experiment, comparison.metric);
  const { marginPercent } = comparison;
  const [site, more] = subjects.filter(({ subject }) => !excludedSites.flat().includes(subject));
  const sentence = contrastSentence(
    { ...stack, difference: null },
    {
      name: label,
      other: baselineLabel,
      isOfChanges: true,
      site: site && !more ? site.subject : null,
    },
    { marginPercent, metric, experiment },
  );
  const stood = ratios.map((ratio, place) => {
    const between = ratio && ratioIntervalWords(ratio, metric);
    const words = ratio
      ? `${ratioWords(ratio.estimate, metric)}${between === null ? '' : ` (${between})`}`
      : 'without a ratio';
    return `${place === 0 ? 'First' : 'Second'} run: ${words}.`;
  });
  const without = excludedSites.flatMap((names, place) =>
    names.length === 0
      ? []
      : `${countWithNoun(names.length, ...experiment.site)} excluded, without a ratio in the ${place === 0 ? 'first' : 'second'} run: ${firstNames(names, 3)}.`,
  );
  return sentences(sentence, nSites > 0 && stood, without).join(' ');
}

/** Rate of false alarms of a control. */
export function controlText(
  {
    arm,
    nComparisons,
    nCalledDifferent,
    falsePositiveRate: rate,
    expectedRate,
    nWrongVerdicts,
  }: ControlResult,
  summary: Pick<Summary, 'rows'>,
): string {
  const label = labelIn(summary, arm);
  if (rate === null) {
    return `${label} was compared with itself, but with too few pairs for a test: the rate of false alarms is not known.`;
  }
  const percent = (share: number | null | undefined) => decimalText(100 * (share ?? 0), 1);
  return `${label} was compared with itself ${nComparisons === 1 ? 'once' : `${nComparisons} times`}: ${nCalledDifferent} called different before correction (${percent(rate.estimate)} %, 95 % interval ${percent(rate.low)} to ${percent(rate.high)} %; ${percent(expectedRate)} % expected for this number of pairs), ${countWithNoun(nWrongVerdicts, 'wrong verdict')} after it.`;
}

interface UnderCondition {
  /** Name of the network. */
  network: string;
  variant: string;
}

/** The condition of an answer in a few words. */
export function conditionOf({ network, variant }: UnderCondition): string {
  return conditionName({ network: { name: network }, variant });
}

/** The condition of an answer by name and numbers. */
export function headingOf(
  { network, variant }: UnderCondition,
  { networks }: Pick<Summary, 'networks'>,
): string {
  const found = networks.find(({ name }) => name === network);
  return found ? namedConditionText(found, variant) : network;
}

/** Puts the condition before a sentence: `dsl: ...`. */
export function underCondition(of: UnderCondition, text: string): string {
  return `${conditionOf(of)}: ${text}`;
}

export function labelIn({ rows }: Pick<Summary, 'rows'>, name: string): string {
  return rows.find(({ arm }) => arm === name)?.label ?? name;
}

function subjectOf(
  { arm, baseline, excludedSites }: Pick<PrimaryAnswer, 'arm' | 'baseline' | 'excludedSites'>,
  summary: AnswerSource,
) {
  const [site, more] = summary.subjects.filter(({ subject }) => !excludedSites.includes(subject));
  return {
    name: labelIn(summary, arm),
    other: labelIn(summary, baseline),
    site: site && !more ? site.subject : null,
  };
}

function wordsOf(summary: Pick<Summary, 'experiment' | 'analysis'>): ContrastWords {
  return {
    marginPercent: summary.analysis.marginPercent,
    metric: verdictMetric(summary),
    experiment: experimentOf(summary),
  };
}

/** Differences between two stacks of one server program; null: more than their transports differs, or that is not known. */
function attributionText(answer: PrimaryAnswer, summary: AnswerSource): string | null {
  const fairness = verdictUnder(summary.fairness, answer, answer);
  const transports = fairness && transportDifferences(fairness);
  const protocols = [answer.arm, answer.baseline].map(
    (name) => summary.rows.find(({ arm }) => arm === name)?.protocol,
  );
  const [own, other] = protocols;
  if (!transports || !own || !other) return null;
  const { differing, unknown } = transports;
  return sentences(
    experimentOf(summary).differIn?.(own, other) ??
      (own === other
        ? `Both send the same over ${PROTOCOLS[own]}.`
        : `Both are one server program that sends the same: ${PROTOCOLS[own]} against ${PROTOCOLS[other]}.`),
    differing.length > 0 && `They also differ in ${AND.format(differing)}.`,
    unknown.length > 0 && `Whether they differ in ${OR.format(unknown)} is not known.`,
  ).join(' ');
}

/** How many more repetitions would decide, if the estimate is the true difference and the spread stays: intervals shrink with the square root. */
export function moreText(
  { ratio, nPairs, nSites }: Pick<PrimaryAnswer, 'ratio' | 'nPairs' | 'nSites'>,
  { analysis: { marginPercent } }: AnswerSource,
): string | null {
  if (ratio === null || ratio.low === null || ratio.high === null) return null;
  const repetitions = nPairs / nSites;
  const reach = Math.log(ratio.high / ratio.low) / 2;
  const distance = Math.abs(Math.log(ratio.estimate));
  const enough = Math.max(distance, Math.log1p(marginPercent / 100) - distance);
  const more = Math.ceil(repetitions * ((reach / enough) ** 2 - 1));
  if (more <= 0) return null;
  const found = `If the true difference is what was measured (${ratioText(ratio.estimate)} times), `;
  return more > MOST_MORE_PAIRS
    ? `${found}more than ${countText(MOST_MORE_PAIRS)} further repetitions would be needed to show it.`
    : `${found}about ${countWithNoun(more, 'more repetition')} would show it: --repetitions ${Math.ceil(repetitions) + more}.`;
}
