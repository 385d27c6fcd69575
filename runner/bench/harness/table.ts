import { loadavg } from 'node:os';
import { hodgesLehmann } from '../../../statistics/hodges-lehmann.ts';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { median } from '../../../statistics/median.ts';

/** A line of a table: a name, then numbers as text. */
export function printRow([first = '', ...cells]: readonly string[]): void {
  console.log(`  ${first.padEnd(30)}${cells.map((cell) => `  ${cell.padStart(12)}`).join('')}`);
}

export function fixed(value: number | null | undefined, decimals = 1): string {
  return value === null || value === undefined ? '-' : value.toFixed(decimals);
}

export function medianText(values: readonly number[]): string {
  return fixed(median(values));
}

/** Hodges-Lehmann estimate of the differences, with its interval. */
export function differenceText(differences: readonly number[]): string {
  const interval = hodgesLehmannInterval(differences);
  return `${fixed(hodgesLehmann(differences))} (${fixed(interval?.low)} to ${fixed(interval?.high)})`;
}

/** The machine's load averages over 1, 5 and 15 minutes. */
export function loadText(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
}
