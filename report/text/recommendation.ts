import { experimentOf } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { ratioWords, worthText } from '../../kit/text/ratio-words.ts';
import { AND, OR, sentences } from '../../kit/text/sentences.ts';
import type { PrimaryAnswer, SecondaryAnswer } from '../summary/comparison.ts';
import type { Recommendation } from '../summary/recommendation.ts';
import type { Summary } from '../summary/schema.ts';
import { conditionOf, moreText, PROTOCOLS } from './answers.ts';

const ADVICE: Readonly<Record<Recommendation['advice'], string>> = {
  on: 'Turn HTTP/3 on',
  off: 'Do not turn HTTP/3 on',
  same: 'HTTP/3 makes no difference that visitors see',
  depends: 'HTTP/3 helps some visitors and harms others',
  undecided: 'This run cannot decide whether to turn HTTP/3 on',
};

/** The advice in a few words. */
export function adviceText({ advice, gains, losses }: Recommendation): string {
  const isMixed = gains.some(({ network }) => losses.some((each) => each.network === network));
  return advice === 'depends' && !isMixed ? 'It depends on the network' : ADVICE[advice];
}

/** Its reasons, as sentences. */
export function reasonTexts(recommendation: Recommendation, summary: Summary): string[] {
  const { decidedBy, gains, losses, undecided, advice } = recommendation;
  const isAlone = gains.length + losses.length === 0;
  if (decidedBy === 'failures') {
    return sentences(
      losses.length > 0 && `It fails more often than HTTP/2 on ${networksText(losses)}.`,
      gains.length > 0 && `It fails less often than HTTP/2 on ${networksText(gains)}.`,
    );
  }
  return sentences(
    decidedBy === 'mix' && mixReason(recommendation),
    effectTexts(gains, recommendation, summary),
    effectTexts(losses, recommendation, summary),
    advice === 'same' &&
      `All differences lie within ${summary.analysis.marginPercent} % of ${PROTOCOLS.h2}.`,
    undecided.length > 0 && !isAlone && `Undecided: ${undecidedText(undecided, summary)}.`,
    advice === 'undecided' && decidingText(recommendation, summary),
  );
}

/** How the mix weighs conditions that disagree. */
function mixReason({ advice, gains, losses }: Recommendation): string {
  const [gaining, losing] = [networksText(gains), networksText(losses)];
  if (advice === 'on') return `On average your visitors gain, but those on ${losing} lose.`;
  if (advice === 'off') return `On average your visitors lose, but those on ${gaining} gain.`;
  return `On average your visitors see no difference: those on ${gaining} gain, those on ${losing} lose.`;
}

/** What the run does not answer, as a sentence. */
export function notMeasuredText({ notMeasured }: Recommendation): string {
  return `Not measured: ${AND.format(notMeasured)}.`;
}

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
function effectTexts(effects: Effects, pair: Pair, summary: Summary): string[] {
  const groups = Map.groupBy(effects, conditionOf);
  return [...groups].map(([name, own]) => {
    const all = AND.format(own.map((effect) => effectText(effect, pair, summary)));
    return summary.overview.length === 1 ? `${capitalize(all)}.` : `On ${name}: ${all}.`;
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

/** `page load time on dsl and lte, first contentful paint on lte`. */
function undecidedText(undecided: Effects, summary: Summary): string {
  const byMetric = Map.groupBy(undecided, ({ metric }) => metric);
  return [...byMetric]
    .map(
      ([name, own]) => `${metricNamed(experimentOf(summary), name).phrase} on ${networksText(own)}`,
    )
    .join(', ');
}

/** What would decide an undecided run. */
function decidingText({ undecided, ...pair }: Recommendation, summary: Summary): string[] {
  const more = undecided.flatMap((effect) => {
    const answer = answerTo(effect, pair, summary);
    const text = answer && moreText(answer, summary);
    return text ? `On ${conditionOf(effect)}: ${text}` : [];
  });
  return [
    `No planned question shows a gain or a loss, and not all are the same: undecided ${OR.format(
      new Set(undecided.map(conditionOf)),
    )}.`,
    more[0] ?? 'More repetitions or a larger --budget may decide.',
  ];
}
