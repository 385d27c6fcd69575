import { type Metric, worsening } from '../../experiments/experiment.ts';
import type { AskedNetwork } from '../../records/network.ts';
import { oneOf, type Static } from '../../records/schema.ts';
import { conditionPhrase } from './condition.ts';
import { type Estimate, ratioText as factorText } from './estimate.ts';
import { counted, decimalText } from './number.ts';
import { equalWord, ratioIntervalWords, ratioWords } from './ratio-words.ts';

export const changeSchema = oneOf(
  ['higher', 'lower', 'same', 'cannot tell'],
  "The second run's ratio against the first's: higher or lower (the interval leaves out 1), same (the whole interval lies within the margin), cannot tell.",
);

export type Change = Static<typeof changeSchema>;

/** A stack against the baseline in two runs, first and second. */
interface Changed {
  label: string;
  baselineLabel: string;
  nSites: number;
  ratios: readonly [first: Estimate | null, second: Estimate | null];
  /** Second / first. */
  change: Estimate | null;
  verdict: Change;
}

/** How a stack stood against the baseline in each run, and whether that changed, for a reader without statistics. */
export function changeSentence(
  { network, variant }: { network: AskedNetwork; variant: string },
  { label, baselineLabel, nSites, ratios, change, verdict }: Changed,
  { marginPercent, metric, attempts }: { marginPercent: number; metric: Metric; attempts: string },
): string {
  const condition = conditionPhrase(network, variant);
  const { inPhrase } = metric;
  const [first, second] = ratios;
  if (first === null || second === null || change === null) {
    return `${condition}, nothing can be said of ${label} and ${baselineLabel}: no site has pairs of ${attempts} in both runs.`;
  }
  const subjects = nSites === 1 ? 'the one site of both' : `the ${counted(nSites, 'site')} of both`;
  const stood = `${condition}, on ${subjects}, ${label} was ${against(first, baselineLabel, metric)}${inPhrase} in the first run${interval(first, metric)}, and ${ratioWords(second.estimate, metric)} in the second${interval(second, metric)}`;
  const { low, high } = change;
  const factor = `second ÷ first: ${factorText(change.estimate)}`;
  const between =
    low === null || high === null ? factor : `${factor}, ${factorText(low)} to ${factorText(high)}`;
  switch (verdict) {
    case 'higher':
    case 'lower':
      return `${stood}: against ${baselineLabel} it did ${worsening(verdict === 'higher' ? 1 : -1, metric) > 0 ? 'worse' : 'better'} in the second run (${between}).`;
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
