import type { ComparedProperty, StackPair } from './fairness.ts';
import type { Reading } from './reading.ts';
import {
  type PropertyDescription,
  STACK_PROPERTIES,
  type StackProperty,
  type StackReadings,
} from './stack-readings.ts';

/** Which properties are compared: those that can be told before the first load, or all. */
type ComparisonTime = 'before loads' | 'after loads';

/**
 * Compares every stack with every later one, in the order given. Nothing unknown is ever called equal.
 *
 * @param stacks stack to what is known of it
 * @param selected the properties that tell
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

/** Every name with every later one. */
export function pairsOf(names: readonly string[]): [a: string, b: string][] {
  return names.flatMap((a, index) => names.slice(index + 1).map((b): [string, string] => [a, b]));
}

/**
 * Sets the properties of two stacks side by side.
 * @param pairwise those that were compared already, because a reading of one stack alone does not say enough
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

/** Properties that only two stacks together have, as compared; the note follows that of the property. */
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

/** Labels of what two stacks of one server program do not have in common. */
export interface TransportDifferences {
  differing: readonly string[];
  unknown: readonly string[];
}

/** What differs in two stacks of one server program; null: they are two programs, or differ in more than their transports. */
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

/** One decimal with commas between thousands, and two digits of what is smaller than 1: a number that differs from 0 must not look like it. */
function numberText(value: number): string {
  if (Math.abs(value) < 1) return String(Number(value.toPrecision(2)));
  return Number(value.toFixed(1)).toLocaleString('en-US');
}

/** What the properties of two stacks come to. */
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
      sentence: `not known to be like for like: unknown is ${list}`,
    };
  }
  return { likeForLike: 'yes', sentence: `like for like${known}` };
}
