import { conditionPhrase } from '../../experiments/condition.ts';
import { type Metric, worsening } from '../../ground/experiment.ts';
import type { AskedNetwork } from '../../ground/records/network.ts';
import * as s from '../../ground/records/schema.ts';
import { type Estimate, ratioText as factorText } from '../../kit/text/estimate.ts';
import { namesText, withoutRatio } from '../../kit/text/left-out.ts';
import { counted, decimalText } from '../../kit/text/number.ts';
import { equalWord, ratioIntervalWords, ratioWords } from '../../kit/text/ratio-words.ts';

export const changeSchema = s.oneOf(
  ['higher', 'lower', 'same', 'cannot tell'],
  "The second run's ratio against the first's: higher or lower (the interval leaves out 1), same (the whole interval lies within the margin), cannot tell. Where failures leave one of the two no ratio, it is the lower or the higher one by them.",
);

export type Change = s.Static<typeof changeSchema>;

interface Changed {
  label: string;
  baselineLabel: string;
  nSites: number;
  /** Sites without a ratio in the first run, and in the second. */
  leftOut: readonly [first: readonly string[], second: readonly string[]];
  ratios: readonly [first: Estimate | null, second: Estimate | null];
  /** Second / first. */
  change: Estimate | null;
  verdict: Change;
}

/** How a stack stood against the baseline in each run, and whether that changed, for a reader without statistics. */
export function changeSentence(
  { network, variant }: { network: AskedNetwork; variant: string },
  changed: Changed,
  measured: { marginPercent: number; metric: Metric; attempts: string },
): string {
  const told = `${conditionPhrase(network, variant)}, ${toldOf(changed, measured)}`;
  if (changed.nSites === 0) return told;
  const { metric, attempts } = measured;
  const leftOut = changed.leftOut.flatMap((names, place) =>
    names.length === 0
      ? []
      : ` Left out, as ${withoutRatio(network, metric, attempts)} in the ${place === 0 ? 'first' : 'second'} run: ${namesText(names)}.`,
  );
  return [told, ...leftOut].join('');
}

function toldOf(
  { label, baselineLabel, nSites, ratios, change, verdict }: Changed,
  { marginPercent, metric, attempts }: { marginPercent: number; metric: Metric; attempts: string },
): string {
  const { inPhrase } = metric;
  const [first, second] = ratios;
  const subjects = nSites === 1 ? 'the one site of both' : `the ${counted(nSites, 'site')} of both`;
  const isTold = verdict === 'higher' || verdict === 'lower';
  const isWorse = isTold && worsening(verdict === 'higher' ? 1 : -1, metric) > 0;
  const did = `against ${baselineLabel} it did ${isWorse ? 'worse' : 'better'} in the second run`;
  if (isTold && (first === null || second === null)) {
    const failed = (more: boolean) =>
      `failed ${more ? 'more' : 'less'} often than ${baselineLabel}`;
    const tooOften = `too many ${attempts} for a ratio`;
    const stood =
      first === null
        ? `${failed(!isWorse)} in the first run, ${tooOften}${second === null ? '' : `, and was ${against(second, baselineLabel, metric)}${inPhrase} in the second${interval(second, metric)}`}`
        : `was ${against(first, baselineLabel, metric)}${inPhrase} in the first run${interval(first, metric)}, and ${failed(isWorse)} in the second, ${tooOften}`;
    return `on ${subjects}, ${label} ${stood}: ${did}.`;
  }
  if (first === null || second === null || change === null) {
    const reason =
      nSites === 0
        ? `no site has pairs of ${attempts} in both runs`
        : `too many ${attempts} failed in one of the runs for a ratio`;
    return `nothing can be said of ${label} and ${baselineLabel}: ${reason}.`;
  }
  const stood = `on ${subjects}, ${label} was ${against(first, baselineLabel, metric)}${inPhrase} in the first run${interval(first, metric)}, and ${ratioWords(second.estimate, metric)} in the second${interval(second, metric)}`;
  const { low, high } = change;
  const factor = `second ÷ first: ${factorText(change.estimate)}`;
  const between =
    low === null || high === null ? factor : `${factor}, ${factorText(low)} to ${factorText(high)}`;
  switch (verdict) {
    case 'higher':
    case 'lower':
      return `${stood}: ${did} (${between}).`;
    case 'same':
      return `${stood}: the runs agree within the margin of ${decimalText(marginPercent)} % (${between}).`;
    case 'cannot tell':
      return low === null
        ? `${stood}: too few pairs to tell whether that changed (${between}).`
        : `${stood}: whether that changed cannot be told (${between}).`;
  }
}

function against({ estimate }: Estimate, baselineLabel: string, metric: Metric): string {
  const text = ratioWords(estimate, metric);
  if (text !== equalWord(metric)) return `${text} than ${baselineLabel}`;
  return text === 'equal' ? `equal to ${baselineLabel}` : `as fast as ${baselineLabel}`;
}

function interval(ratio: Estimate, metric: Metric): string {
  const between = ratioIntervalWords(ratio, metric);
  return between === null ? '' : ` (${between})`;
}
