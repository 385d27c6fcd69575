import { experimentOf, variantText, verdictMetric } from '../../experiments/index.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import { worthText } from '../../kit/text/ratio-words.ts';
import { AND, sentences } from '../../kit/text/sentences.ts';
import type { MixAnswer } from '../summary/mix.ts';
import { type AnswerSource, labelIn, PROTOCOLS } from './answers.ts';

/** Meaning of a visit of a mix. */
export const VISIT =
  'A visit is a pair of loads, one by each protocol. Chance makes the two differ as well, so visits vary more than the protocol changes them. These differences are means over pairs; the answers below are Hodges-Lehmann estimates, which differ from means.';

/** HTTP/3 and HTTP/2 by their names, other stacks by their labels. */
export function pairNamesOf(
  { arm, baseline }: { arm: string; baseline: string },
  summary: Pick<AnswerSource, 'rows'>,
): readonly [arm: string, baseline: string] {
  const protocolOf = (name: string) => summary.rows.find((row) => row.arm === name)?.protocol;
  const own = protocolOf(arm);
  return protocolOf(baseline) === 'h2' && (own === 'h3' || own === 'h2+h3')
    ? [PROTOCOLS.h3, PROTOCOLS.h2]
    : [labelIn(summary, arm), labelIn(summary, baseline)];
}

/** An answer by the mix: `HTTP/3 saves your average visitor 38 ms (30 to 45); 10 % save at least 210 ms; ...` */
export function mixText(answer: MixAnswer, summary: AnswerSource): string {
  const { variant, isChosenAfterRun } = answer;
  const visit = variantText(variant);
  return sentences(
    `${visit === '' ? '' : `${capitalize(visit)}: `}${resultText(answer, summary)}`,
    lackingText(answer),
    `Shares of visits${isChosenAfterRun ? ', chosen after the run' : ''}: ${AND.format(
      answer.conditions.map(
        ({ network, sharePercent }) => `${network} ${decimalText(sharePercent)} %`,
      ),
    )}.`,
  ).join(' ');
}

function resultText(answer: MixAnswer, summary: AnswerSource): string {
  const { differenceMs, verdict, bestTenthMs, losing } = answer;
  const [own, other] = pairNamesOf(answer, summary);
  const [, several] = experimentOf(summary).attempt;
  if (differenceMs === null || losing === null) {
    const empty = answer.conditions.filter(({ nPairs }) => nPairs === 0);
    const why =
      empty.length > 0
        ? `there is no pair of ${several} on ${empty.map(({ network }) => network).join(', ')}`
        : 'at most 5 % of visits may lack a pair';
    return `No answer for the mix about ${own} and ${other}: ${why}.`;
  }
  const { phrase } = verdictMetric(summary);
  const change = changeText(differenceMs);
  const effect = {
    faster: `${own} saves your average visitor ${change} of ${phrase}`,
    slower: `${own} costs your average visitor ${change} of ${phrase}`,
    same: `${own} makes no difference to your average visitor within ${decimalText(summary.analysis.marginPercent)} % of ${phrase}: ${signedText(differenceMs)}`,
    undecided:
      differenceMs.low === null
        ? `Too few pairs of ${several} for the mix: ${signedText(differenceMs)} of ${phrase} for your average visitor`
        : `It is undecided whether ${own} helps your average visitor: ${signedText(differenceMs)} of ${phrase}`,
  }[verdict];
  return `${[
    effect,
    bestTenthMs !== null && Math.round(bestTenthMs) < 0
      ? `10 % save at least ${countText(-Math.round(bestTenthMs))} ms`
      : 'fewer than 10 % save any',
    losingText(losing),
  ].join('; ')}.`;
}

/** Without the direction: `38 ms (30 to 45)`. */
function changeText(difference: Estimate): string {
  return signedText(difference).replace(/ (saved|lost)/, '');
}

/** In whole ms: `12 ms saved (5 lost to 31 saved)`. */
function signedText({ estimate, low, high }: Estimate): string {
  const whole = (value: number | null) => value && Math.round(value);
  const { worth, interval } = worthText(
    { estimate: Math.round(estimate), low: whole(low), high: whole(high) },
    { better: 'lower', unit: 'ms' },
  );
  return `${worth}${interval === null ? '' : ` (${interval})`}`;
}

function losingText({ aboveMs, sharePercent, medianMs }: NonNullable<MixAnswer['losing']>): string {
  const above = `${countText(Math.round(aboveMs))} ms`;
  return medianMs === null
    ? `none loses more than ${above}`
    : `${shareText(sharePercent)} lose more than ${above}, half of these at least ${countText(Math.round(medianMs))} ms`;
}

function shareText(percent: number): string {
  return percent < 0.5 ? 'fewer than 1 %' : `${Math.round(percent)} %`;
}

function lackingText({ conditions, lackingPercent }: MixAnswer): string | null {
  const nLacking = conditions.reduce((sum, each) => sum + each.nLacking, 0);
  if (nLacking === 0) return null;
  const nBegun = conditions.reduce((sum, each) => sum + each.nPairs, nLacking);
  return `${countText(nLacking)} of ${countWithNoun(nBegun, 'pair')} lack a load that failed or was excluded: ${shareText(lackingPercent)} of the visits.`;
}
