import type { ComparedProperty, StackPair } from './fairness.ts';
import type { Reading } from './reading.ts';
import {
  type PropertyDescription,
  STACK_PROPERTIES,
  type StackProperty,
  type StackReadings,
} from './stack-readings.ts';

/** Properties to compare: those known before the first load, or all. */
type ComparisonTime = 'before loads' | 'after loads';

/**
 * Compares each pair of stacks, in the order given. Unknown values are never equal.
 * @param stacks readings of each stack
 * @param selected properties to compare
 */
export function compareStacks(
  stacks: Readonly<Record<string, StackReadings>>,
  when: ComparisonTime,
  selected: readonly StackProperty[] = propertiesAt(when),
): StackPair[] {
  return pairsOf(Object.keys(stacks)).map(([a, b]) => {
    const properties = compareProperties([stacks[a] ?? {}, stacks[b] ?? {}], selected);
    return { a, b, ...decideLikeForLike(properties, when), properties };
  });
}

/** All pairs, in order. */
export function pairsOf(names: readonly string[]): [a: string, b: string][] {
  return names.flatMap((a, index) => names.slice(index + 1).map((b): [string, string] => [a, b]));
}

/**
 * Compares the properties of two stacks.
 * @param pairwise results that need attempts of both stacks
 */
export function compareProperties(
  [a, b]: readonly [StackReadings, StackReadings],
  wanted: readonly StackProperty[],
  pairwise: PairwiseProperties = {},
): ComparedProperty[] {
  return wanted.map((property) => {
    const found = compareProperty(property, a[property], b[property]);
    const { note = '', ...comparedPair } = pairwise[property] ?? {};
    return { ...found, ...comparedPair, note: `${found.note} ${note}`.trim() };
  });
}

/** Results that need attempts of both stacks; their note follows that of the property. */
export type PairwiseProperties = Partial<
  Record<
    StackProperty,
    Pick<ComparedProperty, 'verdict' | 'a' | 'b' | 'difference'> & { note?: string }
  >
>;

export function propertiesAt(when: ComparisonTime): StackProperty[] {
  const all = Object.keys(STACK_PROPERTIES) as StackProperty[];
  return when === 'after loads'
    ? all
    : all.filter((property) => STACK_PROPERTIES[property].from === 'plan');
}

/** Labels of transport properties in which two stacks of one server program differ. */
export interface TransportDifferences {
  differing: readonly string[];
  unknown: readonly string[];
}

/** Transport properties that differ between two stacks of one server program; null: two programs, or more than the transport differs. */
export function transportDifferences({
  properties,
}: Pick<StackPair, 'properties'>): TransportDifferences | null {
  const isOneProgram = properties.some(
    ({ property, verdict }) => property === 'serverProgram' && verdict === 'equal',
  );
  const unequal = properties.filter(({ decides, verdict }) => decides && verdict !== 'equal');
  if (!isOneProgram || !unequal.every(isTransportProperty)) return null;
  const labels = (verdict: ComparedProperty['verdict']) =>
    unequal.filter((each) => each.verdict === verdict).map(({ label }) => label);
  return { differing: labels('differs'), unknown: labels('unknown') };
}

function isTransportProperty({ property }: ComparedProperty): boolean {
  const about: PropertyDescription = STACK_PROPERTIES[property];
  return about.ofTransport === true;
}

type AnyReading = Reading<string | number> | undefined;

function compareProperty(property: StackProperty, a: AnyReading, b: AnyReading): ComparedProperty {
  const about: PropertyDescription = STACK_PROPERTIES[property];
  return {
    property,
    label: about.label,
    verdict: verdictOf(a?.value ?? null, b?.value ?? null, about),
    a: textOf(a, about),
    b: textOf(b, about),
    decides: about.kind === 'condition',
    note: about.note ?? '',
  };
}

function verdictOf(
  a: string | number | null,
  b: string | number | null,
  { tolerancePercent = 0, toleranceAbsolute = 0 }: PropertyDescription,
): ComparedProperty['verdict'] {
  if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) return 'unknown';
  if (typeof a !== 'number' || typeof b !== 'number') return a === b ? 'equal' : 'differs';
  const tolerated = Math.max(
    toleranceAbsolute,
    (Math.min(Math.abs(a), Math.abs(b)) * tolerancePercent) / 100,
  );
  return Math.abs(a - b) <= tolerated ? 'equal' : 'differs';
}

function textOf(reading: AnyReading, { unit }: PropertyDescription): string | null {
  const value = reading?.value ?? null;
  if (value === null || Number.isNaN(value)) return null;
  const text = typeof value === 'number' ? numberText(value) : value;
  return unit === undefined ? text : `${text} ${unit}`;
}

/** One decimal and commas between thousands; two significant digits below 1, so that small numbers do not become 0. */
function numberText(value: number): string {
  if (Math.abs(value) < 1) return String(Number(value.toPrecision(2)));
  return Number(value.toFixed(1)).toLocaleString('en-US');
}

/** Decides whether two stacks are like for like. */
export function decideLikeForLike(
  properties: readonly ComparedProperty[],
  when: ComparisonTime,
): Pick<StackPair, 'likeForLike' | 'sentence'> {
  const deciding = (verdict: ComparedProperty['verdict']) =>
    properties.filter((each) => each.decides && each.verdict === verdict);
  const known = when === 'before loads' ? ' in what is known before the first load' : '';
  const differing = deciding('differs');
  if (differing.length > 0) {
    const list = differing
      .map(({ label, a, b, difference }) => `${label} (${difference ?? `${a} against ${b}`})`)
      .join(', ');
    return { likeForLike: 'no', sentence: `not like for like: ${list}` };
  }
  const unknown = deciding('unknown');
  if (unknown.length > 0) {
    const list = unknown.map(({ label }) => label).join(', ');
    return {
      likeForLike: 'unknown',
      sentence: `not known to be like for like: unknown ${list}`,
    };
  }
  return { likeForLike: 'yes', sentence: `like for like${known}` };
}
