import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { ratioWords, worthText } from '../../kit/text/ratio-words.ts';
import { AND, sentences } from '../../kit/text/sentences.ts';
import type { PrimaryAnswer, SecondaryAnswer } from '../summary/comparison.ts';
import { disturbedSentence } from '../summary/machine-notes.ts';
import type { Recommendation } from '../summary/recommendation.ts';
import type { Summary } from '../summary/schema.ts';
import { conditionOf, moreText, PROTOCOLS } from './answers.ts';

const ADVICE: Readonly<Record<Recommendation['advice'], string>> = {
  on: 'Turn HTTP/3 on',
  off: 'Do not turn HTTP/3 on',
  same: 'HTTP/3 makes no difference that visitors see',
  depends: 'It depends on the network',
  undecided: 'This run cannot decide whether to turn HTTP/3 on',
};

/** The advice in a few words. */
export function adviceText({ advice, decidedBy, gains, losses }: Recommendation): string {
  const isMixed = gains.some(({ network }) => losses.some((each) => each.network === network));
  if (advice === 'depends' && isMixed) return 'HTTP/3 has gains and losses for the same visitors';
  if (advice === 'same' && decidedBy === 'mix') {
    return 'HTTP/3 makes no difference to your average visitor';
  }
  return ADVICE[advice];
}

/** Its reasons, as sentences. */
export function reasonTexts(recommendation: Recommendation, summary: Summary): string[] {
  const { decidedBy, gains, losses, undecided, advice } = recommendation;
  const isAlone = gains.length + losses.length === 0;
  const { phrase } = verdictMetric(summary);
  if (decidedBy === 'failures') {
    return sentences(
      losses.length > 0 && `It fails more often than HTTP/2 on ${networksText(losses)}.`,
      gains.length > 0 && `It fails less often than HTTP/2 on ${networksText(gains)}.`,
    );
  }
  return sentences(
    decidedBy === 'mix' && advice === 'on' && `On average your visitors gain in ${phrase}.`,
    decidedBy === 'mix' && advice === 'off' && `On average your visitors lose in ${phrase}.`,
    effectTexts(gains, recommendation, summary),
    effectTexts(losses, recommendation, summary, gains.length > 0 ? 'But on' : 'On'),
    advice === 'same' &&
      isAlone &&
      `All differences lie within ${summary.analysis.marginPercent} % of ${PROTOCOLS.h2}.`,
    !isAlone && undecidedTexts(undecided, summary),
    advice === 'undecided' && decidingText(recommendation, summary),
    disturbedSentence(
      summary.exclusions.disturbed.nLoads,
      summary.progress.donePageLoads,
      experimentOf(summary).attempt,
    ) !== null &&
      'Other programs affected this run: measure again on a quiet machine before you act.',
  );
}

/** What the run does not answer, as a sentence. */
export function notMeasuredText({ notMeasured }: Recommendation): string {
  return `Not measured: ${AND.format(notMeasured)}.`;
}

/** Before the command that has matched transports. */
export const STOCK_TRANSPORTS =
  'The transports are stock, as browsers and servers have them, so part of a difference may come from their windows and not from the protocol. With matched transports:';

/** The whole as lines: the advice, its reasons, and what was not measured. */
export function recommendationLines(recommendation: Recommendation, summary: Summary): string[] {
  const { arm, baseline } = recommendation;
  const pair = summary.recommendations.length > 1 ? ` (${arm} against ${baseline})` : '';
  return [
    [`${adviceText(recommendation)}${pair}.`, ...reasonTexts(recommendation, summary)].join(' '),
    notMeasuredText(recommendation),
  ];
}

type Effects = Recommendation['gains'];
type Pair = Pick<Recommendation, 'arm' | 'baseline'>;

/** A sentence for each condition: `On lte: page load time 120 ms sooner, first contentful paint 45 ms sooner.` */
function effectTexts(effects: Effects, pair: Pair, summary: Summary, on = 'On'): string[] {
  const groups = Map.groupBy(effects, conditionOf);
  return [...groups].map(([name, own]) => {
    const all = AND.format(own.map((effect) => effectText(effect, pair, summary)));
    return summary.overview.length === 1 ? `${capitalize(all)}.` : `${on} ${name}: ${all}.`;
  });
}

function effectText(effect: Effects[number], pair: Pair, summary: Summary): string {
  const metric = metricNamed(experimentOf(summary), effect.metric);
  const { ratio, difference } = answerTo(effect, pair, summary) ?? {};
  const isOpposed = !ratio || !difference || Math.log(ratio.estimate) * difference.estimate <= 0;
  if (isOpposed) return `${metric.phrase} ${ratio ? ratioWords(ratio.estimate, metric) : 'fails'}`;
  return `${metric.phrase} ${worthText(difference, metric, { as: 'moment' }).worth}`;
}

function answerTo(
  { network, variant, metric }: Effects[number],
  { arm, baseline }: Pair,
  { primary, secondary, analysis }: Summary,
): PrimaryAnswer | SecondaryAnswer | undefined {
  const answers: readonly (PrimaryAnswer | SecondaryAnswer)[] =
    metric === analysis.metric ? primary : secondary.filter((each) => each.metric === metric);
  return answers.find(
    (each) =>
      each.network === network &&
      each.variant === variant &&
      each.arm === arm &&
      each.baseline === baseline,
  );
}

function networksText(effects: Effects): string {
  return AND.format(new Set(effects.map(conditionOf)));
}

/** A sentence for each condition: `Undecided on dsl: first contentful paint.` */
function undecidedTexts(undecided: Effects, summary: Summary): string[] {
  return [...Map.groupBy(undecided, conditionOf)].map(([name, own]) => {
    const phrases = own.map(({ metric }) => metricNamed(experimentOf(summary), metric).phrase);
    return `Undecided on ${name}: ${AND.format(phrases)}.`;
  });
}

/** What would decide an undecided run. */
function decidingText({ undecided, ...pair }: Recommendation, summary: Summary): string[] {
  const more = undecided.flatMap((effect) => {
    const answer = answerTo(effect, pair, summary);
    const text = answer && moreText(answer, summary);
    return text ? `On ${conditionOf(effect)}, ${text.charAt(0).toLowerCase()}${text.slice(1)}` : [];
  });
  return [
    `Undecided on ${networksText(undecided)}: no planned question shows a gain or a loss.`,
    more[0] ?? 'More repetitions or a larger --budget may decide.',
  ];
}
