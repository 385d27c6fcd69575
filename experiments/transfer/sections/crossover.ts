import { type Metric, numberOf } from '../../../ground/experiment.ts';
import { type Estimate, intervalText } from '../../../kit/text/estimate.ts';
import { sizeText } from '../../../kit/text/number.ts';
import { logRatios } from '../../../statistics/log-ratios.ts';
import {
  type EstimateAt,
  significantCrossings,
  significantSign,
} from '../../../statistics/significant-crossings.ts';
import { differenceEstimate } from '../../estimates.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { pairsOf, type Size } from './transfers.ts';

interface Crossover {
  sentence: string;
  /** Sizes with their 95 % intervals. */
  crossings: readonly { bytes: number; lowBytes: number; highBytes: number }[];
}

/**
 * Finds sizes at which the better stack changes, from the paired ratios at each size. Interpolates
 * log(ratio) linearly in log(size). null: no size has enough pairs for an interval.
 * @param sizes the smallest first
 */
function crossoverOf(
  sizes: readonly Size[],
  [arm, baseline]: readonly [ShownArm, ShownArm],
  metric: Metric,
): Crossover | null {
  const ratios = sizes.flatMap((size) => {
    const found = ratioAt(size, [arm, baseline], metric);
    return found && size.bytes > 0 ? [found] : [];
  });
  if (ratios.every(({ low, high }) => low === null && high === null)) return null;
  const isFewer = metric.better === 'lower';
  const ahead = (sign: number) => (sign < 0 === isFewer ? arm : baseline).label;
  const crossings = significantCrossings(ratios).map(({ x, low, high, before }) => {
    const [bytes, lowBytes, highBytes] = [roundBytes(x), roundBytes(low), roundBytes(high)];
    const around: Estimate = { estimate: bytes, low: lowBytes, high: highBytes };
    return {
      bytes,
      lowBytes,
      highBytes,
      sentence: `${ahead(before)} is ${betterIn(metric)} below about ${sizeText(bytes)}, ${ahead(-before)} above (95 % interval: ${intervalText(around, sizeText)}).`,
    };
  });
  return {
    crossings,
    sentence:
      crossings.length > 0
        ? crossings.map(({ sentence }) => sentence).join(' ')
        : withoutCrossing(ratios, {
            labels: [arm.label, baseline.label],
            metric,
            ahead,
            ofAll: sizes.length,
          }),
  };
}

interface RatioAt extends EstimateAt {
  subject: string;
}

/** log(arm / baseline) at log(size). */
function ratioAt(
  size: Size,
  [arm, baseline]: readonly [ShownArm, ShownArm],
  metric: Metric,
): RatioAt | null {
  const pairs = pairsOf(size, [arm.arm, baseline.arm], (each) => numberOf(each, metric));
  const ratio = differenceEstimate(logRatios(pairs));
  return ratio && { subject: size.subject, x: Math.log10(size.bytes), ...ratio };
}

function withoutCrossing(
  ratios: readonly RatioAt[],
  {
    labels,
    metric,
    ahead,
    ofAll,
  }: {
    labels: readonly [string, string];
    metric: Metric;
    ahead: (sign: number) => string;
    /** Number of sizes, including those without a ratio. */
    ofAll: number;
  },
): string {
  const [one, another] = labels;
  const words = betterIn(metric);
  const sure = ratios.filter((each) => significantSign(each) !== 0);
  const [first] = sure;
  if (!first) return `Neither ${one} nor ${another} is significantly ${words} at any size.`;
  const leader = ahead(significantSign(first));
  const other = leader === one ? another : one;
  const rest = ratios.filter((each) => !sure.includes(each));
  return `${leader} is ${words} than ${other} at ${sure.length === ofAll ? 'all sizes' : namesOf(sure)}${
    rest.length > 0 ? `; at ${namesOf(rest)} neither is, significantly` : ''
  }.`;
}

/** Always names the metric, as two are shown together: `faster in total time`. */
function betterIn({ words: [better], inPhrase, phrase }: Metric): string {
  return `${better}${inPhrase || ` in ${phrase}`}`;
}

function namesOf(sizes: readonly RatioAt[]): string {
  return sizes.map(({ subject }) => subject).join(', ');
}

/** To two significant digits, the available precision. */
function roundBytes(logBytes: number): number {
  return Number((10 ** logBytes).toPrecision(2));
}

export function crossoversOf(
  { compared }: Pick<RunView, 'compared'>,
  sizes: readonly Size[],
  metric: Metric,
): Crossover[] {
  return compared.flatMap((arm) => crossoverOf(sizes, [arm, arm.baseline], metric) ?? []);
}
