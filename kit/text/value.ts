import type { Metric } from '../../ground/experiment.ts';
import type { Unit } from '../../ground/unit.ts';
import { withSign } from './estimate.ts';
import { bytesText, decimalText, millisecondsText, rateText, threeDigits } from './number.ts';

export type Quantity = Pick<Metric, 'phrase' | 'unit'>;

interface UnitText {
  /** Text of a value in a table. */
  text(value: number): string;
  /** Suffix of a value where no heading has the unit. */
  suffix: string;
  /** Suffix of the metric's name in a caption. */
  phrase: string;
  /** Possible units of an axis, the largest first. */
  axes: readonly Pick<AxisUnit, 'phrase' | 'factor'>[];
  finest: number;
}

/** An alias, so that declaration files can spell it out. */
type AxisUnit = {
  /** Suffix of the axis label: ` in ms`. */
  phrase: string;
  /** Value of 1 at its ticks. */
  factor: number;
  /** Minimum length of an axis: smaller differences are irrelevant. */
  finest: number;
};

const axis = (unit: string, factor = 1) => ({ phrase: ` in ${unit}`, factor });

/** Defaults of units whose values contain the unit or have none. */
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

/** Text of a value in a table; the unit stands in the heading or in the value. */
export function valueText(value: number | null | undefined, unit: Unit): string {
  return value === null || value === undefined ? '–' : TEXTS[unit].text(value);
}

/** Text of a value with its unit. */
export function valueWithUnit(value: number | null | undefined, unit: Unit): string {
  return value === null || value === undefined
    ? '–'
    : `${valueText(value, unit)}${unitSuffix(unit)}`;
}

/** Suffix of a value where no heading has the unit: ` ms`; empty if the value contains its unit. */
export function unitSuffix(unit: Unit): string {
  return TEXTS[unit].suffix;
}

/** Suffix of a metric's name in a heading: `, ms`. */
export function headingUnit(unit: Unit): string {
  return unitSuffix(unit).replace(' ', ', ');
}

/** Suffix of a metric's name in a caption: ` in milliseconds`. */
export function unitPhrase(unit: Unit): string {
  return TEXTS[unit].phrase;
}

export function signedValueText(value: number, unit: Unit): string {
  return withSign(value, (size) => valueText(size, unit));
}

/** A short text of a value: times have one decimal below 100 ms, and none above. */
export function differenceText(value: number, unit: Unit): string {
  return withSign(value, (size) =>
    unit === 'ms' ? shortAxisText(size, unit, axisUnit(unit, size)) : valueText(size, unit),
  );
}

/** Unit of an axis with this range. */
export function axisUnit(unit: Unit, farthest: number): AxisUnit {
  const { axes, finest } = TEXTS[unit];
  const fitting = axes.find(({ factor }) => farthest >= factor) ?? axes.at(-1);
  return { phrase: '', factor: 1, ...fitting, finest };
}

/** Text of a value next to an axis or in a column with its heading, in few digits. */
export function shortAxisText(value: number, unit: Unit, { factor }: AxisUnit): string {
  if (unit !== 'ms') return threeDigits(value / factor);
  return value < 99.95
    ? millisecondsText(value)
    : millisecondsText(Math.round(value)).replace(/\.0$/, '');
}

/** Text of a tick. */
export function axisText(value: number, { factor }: AxisUnit): string {
  return decimalText(value / factor);
}
