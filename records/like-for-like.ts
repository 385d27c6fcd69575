import type { ComparedProperty, StackPair } from './fairness.ts';
import type { Reading } from './reading.ts';
import {
  type PropertyAbout,
  STACK_PROPERTIES,
  type StackProperty,
  type StackReadings,
} from './stack-readings.ts';

/** Which properties are compared: those that can be told before the first load, or all. */
export type ComparedWhen = 'before loads' | 'after loads';

/**
 * Compares every stack with every later one, in the order given. Nothing unknown is ever called equal.
 *
 * @param stacks stack to what is known of it
 * @param asked the properties that tell
 */
export function compareStacks(
  stacks: Readonly<Record<string, StackReadings>>,
  when: ComparedWhen,
  asked: readonly StackProperty[] = propertiesAt(when),
): StackPair[] {
  const names = Object.keys(stacks);
  return names.flatMap((a, index) =>
    names.slice(index + 1).map((b) => {
      const properties = asked.map((property) =>
        compared(property, stacks[a]?.[property], stacks[b]?.[property]),
      );
      return { a, b, ...judged(properties, when), properties };
    }),
  );
}

export function propertiesAt(when: ComparedWhen): StackProperty[] {
  const all = Object.keys(STACK_PROPERTIES) as StackProperty[];
  return when === 'after loads'
    ? all
    : all.filter((property) => STACK_PROPERTIES[property].from === 'plan');
}

type AnyReading = Reading<string | number> | undefined;

function compared(property: StackProperty, a: AnyReading, b: AnyReading): ComparedProperty {
  const about: PropertyAbout = STACK_PROPERTIES[property];
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
  { tolerancePercent = 0, toleranceAbsolute = 0 }: PropertyAbout,
): ComparedProperty['verdict'] {
  if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) return 'unknown';
  if (typeof a !== 'number' || typeof b !== 'number') return a === b ? 'equal' : 'differs';
  const tolerated = Math.max(
    toleranceAbsolute,
    (Math.min(Math.abs(a), Math.abs(b)) * tolerancePercent) / 100,
  );
  return Math.abs(a - b) <= tolerated ? 'equal' : 'differs';
}

function textOf(reading: AnyReading, { unit }: PropertyAbout): string | null {
  const value = reading?.value ?? null;
  if (value === null || Number.isNaN(value)) return null;
  const text = typeof value === 'number' ? numberText(value) : value;
  return unit === undefined ? text : `${text} ${unit}`;
}

/** One decimal, and two digits of what is smaller than 1: a number that differs from 0 must not look like it. */
function numberText(value: number): string {
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(2) : value.toFixed(1)));
}

function judged(
  properties: readonly ComparedProperty[],
  when: ComparedWhen,
): Pick<StackPair, 'likeForLike' | 'sentence'> {
  const deciding = (verdict: ComparedProperty['verdict']) =>
    properties.filter((each) => each.decides && each.verdict === verdict);
  const known = when === 'before loads' ? ' in what is known before the first load' : '';
  const differing = deciding('differs');
  if (differing.length > 0) {
    const list = differing.map(({ label, a, b }) => `${label} (${a} against ${b})`).join(', ');
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
