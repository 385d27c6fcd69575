import type { Unit } from '../unit.ts';
import * as s from './schema.ts';

export const mixSchema = s.map(
  s.number('Percent of the visits.', { exclusiveMinimum: 0, maximum: 100 }),
  'Share of visits by name of the network condition, in percent; together 100. Absent: before format 6.1, or not given.',
);

export type Mix = s.Static<typeof mixSchema>;

/** Rounded shares may miss 100 by this. */
const ROUNDING_PERCENT = 0.5;

/** Why shares cannot weight this metric over these networks, as a sentence; null: they can. */
export function mixProblem(
  mix: Mix,
  networks: readonly { name: string }[],
  { unit, phrase }: { unit: Unit; phrase: string },
): string | null {
  if (unit !== 'ms') return `A mix needs a metric in ms, and the metric is ${phrase}.`;
  const names = networks.map(({ name }) => name);
  const unknown = Object.keys(mix).filter((name) => !names.includes(name));
  const missing = names.filter((name) => !Object.hasOwn(mix, name));
  const own = names.join(', ');
  if (unknown.length > 0) {
    return `The mix has ${unknown.join(', ')}, expected the networks of the run: ${own}.`;
  }
  if (missing.length > 0) {
    return `The mix lacks ${missing.join(', ')}, expected a share of each network of the run: ${own}.`;
  }
  const sum = Object.values(mix).reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 100) <= ROUNDING_PERCENT) return null;
  return `The shares of the mix sum to ${Number(sum.toFixed(2))} %, expected 100 %.`;
}
