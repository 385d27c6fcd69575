import type { Metric } from '../../ground/experiment.ts';
import type { Unit } from '../../ground/unit.ts';
import { withSign } from './estimate.ts';
import { bytesText, decimalText, millisecondsText, rateText, threeDigits } from './number.ts';

export type Quantity = Pick<Metric, 'phrase' | 'unit'>;

interface UnitText {
  /** A value as it stands in a table. */
  text(value: number): string;
  /** What follows it where no heading has the unit. */
  suffix: string;
  /** What a caption adds behind the name of a metric. */
  phrase: string;
  /** What an axis can be in, the largest first. */
  axes: readonly Pick<AxisUnit, 'phrase' | 'factor'>[];
  finest: number;
}

interface AxisUnit {
  /** Behind what the axis is of: ` in ms`. */
  phrase: string;
  /** What 1 of its ticks stands for. */
  factor: number;
  /** What is less is no difference to look at: an axis is no shorter. */
  finest: number;
}

const axis = (unit: string, factor = 1) => ({ phrase: ` in ${unit}`, factor });

/** What most units have alike: their values bring the unit along, or have none. */
const USUAL = { suffix: '', phrase: '', axes: [{ phrase: '', factor: 1 }], finest: 1 };

const TEXTS: Readonly<Record<Unit, UnitText>> = {
  ms: {
    ...USUAL,
    text: millisecondsText,
    suffix: ' ms',
    phrase: ' in milliseconds',
    axes: [axis('ms')],
  },
  bytes: {
    ...USUAL,
    text: (value) => bytesText(Math.round(value)),
    phrase: ' in bytes',
    axes: [axis('MB', 1_000_000), axis('kB', 1000), axis('bytes')],
  },
  kbps: {
    ...USUAL,
    text: rateText,
    axes: [axis('Gbit/s', 1_000_000), axis('Mbit/s', 1000), axis('kbit/s')],
  },
  percent: {
    ...USUAL,
    text: (value) => `${value.toFixed(1)} %`,
    axes: [axis('%')],
    finest: 0.1,
  },
  nsPerByte: {
    text: (value) => decimalText(value, 2),
    suffix: ' ns per byte',
    phrase: ' in ns per byte',
    axes: [axis('ns per byte')],
    finest: 0.01,
  },
  index: { ...USUAL, text: (value) => value.toFixed(3), finest: 0.001 },
  count: { ...USUAL, text: (value) => decimalText(value, 1) },
};

/** A value of a metric as it stands in a table: the unit stands in the heading, or is chosen to suit the value. */
export function valueText(value: number | null | undefined, unit: Unit): string {
  return value === null || value === undefined ? '–' : TEXTS[unit].text(value);
}

/** The same with its unit in any case. */
export function valueWithUnit(value: number | null | undefined, unit: Unit): string {
  return value === null || value === undefined
    ? '–'
    : `${valueText(value, unit)}${unitSuffix(unit)}`;
}

/** What follows a value where no heading has the unit: ` ms`; empty where the value has its unit with it. */
export function unitSuffix(unit: Unit): string {
  return TEXTS[unit].suffix;
}

/** What a heading adds behind the name of a metric: `, ms`. */
export function headingUnit(unit: Unit): string {
  return unitSuffix(unit).replace(' ', ', ');
}

/** What a caption adds behind the name of a metric: ` in milliseconds`. */
export function unitPhrase(unit: Unit): string {
  return TEXTS[unit].phrase;
}

export function signedValueText(value: number, unit: Unit): string {
  return withSign(value, (size) => valueText(size, unit));
}

/** The same as short as it can be: of times one decimal below 100 ms, none above. */
export function differenceText(value: number, unit: Unit): string {
  return withSign(value, (size) =>
    unit === 'ms' ? shortAxisText(size, unit, axisUnit(unit, size)) : valueText(size, unit),
  );
}

/** What an axis is in whose values reach so far. */
export function axisUnit(unit: Unit, farthest: number): AxisUnit {
  const { axes, finest } = TEXTS[unit];
  const fitting = axes.find(({ factor }) => farthest >= factor) ?? axes.at(-1);
  return { phrase: '', factor: 1, ...fitting, finest };
}

/** A value beside an axis, or in a column that is headed as one, in few digits. */
export function shortAxisText(value: number, unit: Unit, { factor }: AxisUnit): string {
  if (unit !== 'ms') return threeDigits(value / factor);
  return value < 99.95
    ? millisecondsText(value)
    : millisecondsText(Math.round(value)).replace(/\.0$/, '');
}

/** A value of an axis as it stands at its ticks. */
export function axisText(value: number, { factor }: AxisUnit): string {
  return decimalText(value / factor);
}
