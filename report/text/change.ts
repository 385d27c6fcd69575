import type { Metric } from '../../experiments/experiment.ts';
import type { Estimate } from '../summary/comparison.ts';
import { ratioIntervalText, ratioText } from './ratio-words.ts';
import { conditionPhrase } from './condition.ts';
import { ratioText as factorText } from './estimate.ts';
import { counted, decimalText } from './number.ts';
import type { ComparedCondition, ComparedStack } from '../summary/runs-comparison.ts';

/** How a stack stood against the baseline in each run, and whether that changed, for a reader without statistics. */
export function changeSentence(
  { network, variant }: Pick<ComparedCondition, 'network' | 'variant'>,
  { label, baselineLabel, nSites, ratios, change, verdict }: Omit<ComparedStack, 'sentence'>,
  { marginPercent, metric: { inPhrase } }: { marginPercent: number; metric: Metric },
): string {
  const condition = conditionPhrase(network, variant);
  const [first, second] = ratios;
  if (first === null || second === null || change === null) {
    return `${condition}, nothing can be said of ${label} and ${baselineLabel}: no site has pairs of loads in both runs.`;
  }
  const subjects = nSites === 1 ? 'the one site of both' : `the ${counted(nSites, 'site')} of both`;
  const stood = `${condition}, on ${subjects}, ${label} was ${against(first, baselineLabel)}${inPhrase} in the first run${interval(first)}, and ${ratioText(second.estimate)} in the second${interval(second)}`;
  const { low, high } = change;
  const factor = `second ÷ first: ${factorText(change.estimate)}`;
  const between =
    low === null || high === null ? factor : `${factor}, ${factorText(low)} to ${factorText(high)}`;
  switch (verdict) {
    case 'higher':
    case 'lower':
      return `${stood}: against ${baselineLabel} it did ${verdict === 'higher' ? 'worse' : 'better'} in the second run (${between}).`;
    case 'same':
      return `${stood}: the runs agree within the margin of ${decimalText(marginPercent)} % (${between}).`;
    case 'cannot tell':
      return low === null
        ? `${stood}: too few pairs to tell whether that changed (${between}).`
        : `${stood}: whether that changed cannot be told (${between}).`;
  }
}

function against({ estimate }: Estimate, baselineLabel: string): string {
  const text = ratioText(estimate);
  return text === ratioText(1) ? `as fast as ${baselineLabel}` : `${text} than ${baselineLabel}`;
}

function interval(ratio: Estimate): string {
  const between = ratioIntervalText(ratio);
  return between === null ? '' : ` (${between})`;
}
