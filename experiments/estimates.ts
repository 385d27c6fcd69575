import { estimateMarkup } from '../kit/page/estimate.ts';
import type { Column } from '../kit/page/table.ts';
import type { Estimate } from '../kit/text/estimate.ts';
import { hodgesLehmann } from '../statistics/hodges-lehmann.ts';
import { hodgesLehmannInterval } from '../statistics/hodges-lehmann-interval.ts';
import { median } from '../statistics/median.ts';
import { medianInterval } from '../statistics/median-interval.ts';

const NO_INTERVAL = { low: null, high: null };

/** Median with its 95 % interval, without missing values; null: all values are missing. */
export function medianEstimate(values: readonly (number | null)[]): Estimate | null {
  const known = values.flatMap((value) => value ?? []);
  const estimate = median(known);
  if (estimate === null) return null;
  const { low, high } = medianInterval(known) ?? NO_INTERVAL;
  return { estimate, low, high };
}

/** Medians with their 95 % intervals. */
export function medianColumn<Item>(
  heading: string,
  valuesOf: (item: Item) => readonly (number | null)[],
  text: (value: number) => string,
): Column<Item> {
  return [heading, (item) => estimateMarkup(medianEstimate(valuesOf(item)), text)];
}

/** Hodges-Lehmann estimate of differences or log ratios, with its 95 % interval; null: no differences. */
export function differenceEstimate(differences: readonly number[]): Estimate | null {
  const estimate = hodgesLehmann(differences);
  if (estimate === null) return null;
  const { low, high } = hodgesLehmannInterval(differences) ?? NO_INTERVAL;
  return { estimate, low, high };
}
