import type { Observation } from '../../records/observation.ts';
import { median } from '../../statistics/median.ts';
import { decimalText } from '../text/number.ts';
import type { Block } from './blocks.ts';
import type { NamedPair } from './named-pair.ts';

/**
 * From so many percentage points on, two stacks met different CPU pressure. Ten points are a tenth of the load's time in which
 * something waited for a core. Only part of that delays the page, so that less would hardly show beside the usual margin of 5 %.
 */
const DIFFERENT_POINTS = 10;

/** Which of two stacks met more CPU pressure, as a sentence; null: neither did, or it is not known. */
export function cpuPressureSentence(
  { arm, baseline }: NamedPair,
  blocks: readonly Block[],
): string | null {
  const pairs = blocks.flatMap(({ loads }) => {
    const pressure = pressureOf(loads.get(arm.arm));
    const ofBaseline = pressureOf(loads.get(baseline.arm));
    return pressure === null || ofBaseline === null ? [] : [[pressure, ofBaseline] as const];
  });
  const percent = median(pairs.map(([pressure]) => pressure));
  const ofBaselinePercent = median(pairs.map(([, pressure]) => pressure));
  if (percent === null || ofBaselinePercent === null) return null;
  if (Math.abs(percent - ofBaselinePercent) <= DIFFERENT_POINTS) return null;
  const [[more, morePercent], [less, lessPercent]] =
    percent > ofBaselinePercent
      ? [[arm, percent] as const, [baseline, ofBaselinePercent] as const]
      : [[baseline, ofBaselinePercent] as const, [arm, percent] as const];
  return `${more.label} met more CPU pressure than ${less.label} (median ${decimalText(morePercent, 0)} % against ${decimalText(lessPercent, 0)} %): part of the result may be due to this machine.`;
}

function pressureOf(load: Observation | undefined): number | null {
  return load?.machine?.cpuPressurePercent ?? null;
}
