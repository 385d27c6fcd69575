import { conditionPhrase } from '../../experiments/condition.ts';
import type { Experiment, Metric } from '../../ground/experiment.ts';
import type { TransportDifferences } from '../../ground/records/like-for-like.ts';
import type { AskedNetwork } from '../../ground/records/network.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { type Estimate, intervalText, ratioText } from '../../kit/text/estimate.ts';
import { counted, countText, decimalText } from '../../kit/text/number.ts';
import {
  besideRatio,
  differenceAlone,
  equalWord,
  possibleText,
  ratioIntervalWords,
  ratioWords,
} from '../../kit/text/ratio-words.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { MOST_MORE_PAIRS, type Told } from '../../kit/text/verdict.ts';

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

interface Asked {
  arm: Named;
  baseline: Named;
  network: AskedNetwork;
  variant: string;
  /** null: more than their transports differs, or is not known. */
  transports: TransportDifferences | null;
  subjects: readonly { subject: string }[];
}

interface Named {
  label: string;
  protocol: Protocol;
}

interface Numbers extends Told {
  nSites: number;
  nFailed: { arm: number; baseline: number };
}

/** What was measured, and what is as good as equal. */
interface Measured {
  marginPercent: number;
  metric: Metric;
  experiment: Pick<Experiment, 'attempt' | 'differIn' | 'subject'>;
}

export function answerSentence(
  { arm, baseline, network, variant, transports, subjects }: Asked,
  { nSites, nPairs, nFailed, ratio, difference, verdict, isTooFew }: Numbers,
  { marginPercent, metric, experiment }: Measured,
): string {
  const condition = conditionPhrase(network, variant);
  const { inPhrase } = metric;
  const [page, pages] = experiment.subject;
  const [, attempts] = experiment.attempt;
  const [better, worse] = metric.words;
  const [name, other] = [arm.label, baseline.label];
  if (nPairs === 0) {
    return `${condition}, nothing can be said of ${name} and ${other}: there is no pair of ${attempts} to compare.`;
  }
  const onThese =
    subjects.length === 1 ? `on ${subjects[0]?.subject}` : `on these ${nSites} ${pages}`;
  const failures = `${name} failed in ${nFailed.arm} and ${other} in ${nFailed.baseline} of ${counted(nPairs, 'pair')} of ${attempts}`;
  const isTold = verdict === 'faster' || verdict === 'slower';
  const untold = `${condition}, it cannot be told whether ${name} or ${other} is ${better}${inPhrase} ${onThese}`;
  if (ratio === null) {
    const told = `${condition}, ${name} fails ${verdict === 'slower' ? 'more' : 'less'} often than ${other} ${onThese}`;
    return `${isTold ? told : untold}: ${failures}, too many for a ratio.`;
  }
  const between = ratioIntervalWords(ratio, metric);
  const average = difference === null ? '' : besideRatio(ratio, difference, metric);
  const failed =
    nFailed.arm + nFailed.baseline > 0
      ? ` Failures count as ${worse} than all that ended: ${failures}.`
      : '';
  const differing = transports && [
    experiment.differIn?.(arm.protocol, baseline.protocol) ??
      `Both are one server program that sends the same: ${PROTOCOLS[arm.protocol]} against ${PROTOCOLS[baseline.protocol]}.`,
    ...differencesText(transports),
  ];
  const speaking = differing ? ` ${differing.join(' ')}` : '';
  if (between === null) {
    return isTooFew
      ? `${untold} from ${counted(nPairs, 'pair')} of ${attempts}: every ${page} needs 6.`
      : `${untold}: ${failures}, too many for an interval of the ratio.`;
  }
  switch (verdict) {
    case 'faster':
    case 'slower': {
      const [told, interval] = metric.divided
        ? [
            `gets ${ratioText(ratio.estimate)} times the ${metric.phrase} of ${other}`,
            `${intervalText(ratio, ratioText)} times`,
          ]
        : [`is ${ratioWords(ratio.estimate, metric)} than ${other}${inPhrase}`, between];
      return `${condition}, ${name} ${told} ${onThese} (${interval})${average}.${failed}${speaking}`;
    }
    case 'same':
      return `${condition}, ${name} and ${other} are ${equalWord(metric)}${inPhrase} ${onThese} within the margin of ${decimalText(marginPercent)} % (${between}).${failed}${speaking}`;
    case 'cannot tell':
      return `${condition}, it cannot be told whether ${name} is ${better} or ${worse} than ${other}${inPhrase} ${onThese}: ${possibleText(ratio, between)}.${difference === null ? '' : differenceAlone(ratio, difference, metric, page)}${moreText(ratio, nPairs / nSites, marginPercent)}${failed}`;
  }
}

function differencesText({ differing, unknown }: TransportDifferences): string[] {
  return sentences(
    differing.length > 0 && `They also differ in ${AND.format(differing)}.`,
    unknown.length > 0 && `Whether they differ in ${OR.format(unknown)} is not known.`,
  );
}

export const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** How many more repetitions would tell, if the estimate is the truth and the spread stays: intervals shrink with the root. */
function moreText(
  { estimate, low, high }: Estimate,
  repetitions: number,
  marginPercent: number,
): string {
  if (low === null || high === null) return '';
  const reach = Math.log(high / low) / 2;
  const distance = Math.abs(Math.log(estimate));
  const enough = Math.max(distance, Math.log1p(marginPercent / 100) - distance);
  const more = Math.ceil(repetitions * ((reach / enough) ** 2 - 1));
  if (more <= 0) return '';
  return more > MOST_MORE_PAIRS
    ? ` With this spread it would take more than ${countText(MOST_MORE_PAIRS)} further repetitions to tell, if the estimate is the truth.`
    : ` About ${counted(more, 'more repetition')} would tell, if the estimate is the truth.`;
}
