import { quantile } from '../../statistics/quantile.ts';
import { type Estimate, ratioText, withSign } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { shorten } from '../text/terminal.ts';
import { axisText, axisUnit, type Quantity, valueWithUnit } from '../text/value.ts';

export type AxisDomain = readonly [low: number, high: number];

/** Axis of a chart. */
export interface Axis {
  label: string;
  /** Heading of its numbers in a table or file; absent: the label. */
  column?: string;
  /** Axis units per unit of the column: 1000 for ms shown in s; absent: 1. */
  factor?: number;
  scale?: 'linear' | 'log';
  domain: AxisDomain;
  /** Approximate number of ticks, or exact ticks. */
  ticks: number | readonly number[];
  tickText(value: number): string;
  /** Text of a value with its unit; absent: as at a tick. */
  text?(value: number): string;
  /** Value of a line across the chart. */
  marked?: number;
  /** Names of the positions 0, 1, 2 ...; absent: a numeric axis. */
  names?: readonly string[];
  /** Range that counts as equal to the marked value. */
  band?: AxisDomain;
}

/** An axis without domain and scale; ticks are optional. */
export type AxisText = Omit<Axis, 'domain' | 'ticks' | 'tickText' | 'scale'> &
  Partial<Pick<Axis, 'ticks' | 'tickText'>>;

const plainText = (value: number) => decimalText(value);

/** Minimum and maximum of positive numbers; without numbers, a valid domain of a logarithmic axis. */
function extentOf(values: readonly number[]): AxisDomain {
  return values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values)];
}

/** An axis from zero to a little above the largest number. */
export function zeroAxis(values: readonly number[], words: AxisText, room = 1.04): Axis {
  const most = Math.max(0, ...values);
  return {
    ticks: 5,
    tickText: plainText,
    ...words,
    domain: [0, most === 0 ? 1 : most * room],
  };
}

/** Axis of a metric from zero, in a suitable unit. */
export function quantityAxis(
  values: readonly number[],
  { label, unit }: Pick<Quantity, 'unit'> & { label: string },
): Axis {
  const axis = axisUnit(unit, Math.max(0, ...values));
  return zeroAxis(values, {
    label: `${label}${axis.phrase}`,
    factor: axis.factor,
    tickText: (value) => axisText(value, axis),
    text: (value) => valueWithUnit(value, unit),
  });
}

/** From this length, times are in seconds. */
const SECONDS_FROM_MS = 5000;

/** Axis of time since a moment, up to the last of these times in ms. */
export function timeAxis(momentsMs: readonly number[], since = 'the request'): Axis {
  const longestMs = Math.max(1, ...momentsMs);
  const [unit, factor] = longestMs >= SECONDS_FROM_MS ? ['s', 1000] : ['ms', 1];
  return {
    label: `Time since ${since}, in ${unit}`,
    factor,
    domain: [0, longestMs],
    ticks: 6,
    tickText: (atMs) => decimalText(atMs / factor),
  };
}

/** A logarithmic axis of positive numbers. */
export function logAxis(values: readonly number[], words: AxisText): Axis {
  const [least, most] = extentOf([...values, ...(words.band ?? [])]);
  const room = Math.max(1.08, (most / least) ** 0.06);
  return {
    ticks: roundTicks(least, most),
    tickText: words.text ?? plainText,
    ...words,
    scale: 'log',
    domain: [least / room, most * room],
  };
}

/** An axis of equidistant names. */
export function nameAxis(label: string, names: readonly string[]): Axis {
  const step = Math.ceil(names.length / MOST_NAMES);
  const ticks = [...names.keys()].filter((place) => place % step === 0);
  return {
    label,
    names,
    domain: [-0.5, names.length - 0.5],
    ticks,
    tickText: (place) => shorten(names[place] ?? '', Math.floor(MOST_CHARACTERS / ticks.length)),
    text: (place) => names[place] ?? '',
  };
}

/** Limits of the number and total length of names side by side. */
const MOST_NAMES = 6;
const MOST_CHARACTERS = 48;

/** An axis of ratios reaches from 1/6 to 6 at most, so that one wide interval does not flatten the rest. */
const FARTHEST_RATIO = 6;

const RATIO_TICKS = [
  [0.9, 0.95, 1, 1.05, 1.1],
  [0.8, 0.9, 1, 1.1, 1.2],
  [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2],
  [0.2, 0.5, 1, 2, 5],
];

/** Axis of ratios with intervals: marks 1, shows the margin as a band, and spans at least twice the margin. */
export function ratioAxis(
  ratios: readonly (Estimate | null)[],
  marginPercent: number,
  { label = 'Ratio', farthest = FARTHEST_RATIO }: { label?: string; farthest?: number } = {},
): Axis {
  const margin = 1 + marginPercent / 100;
  const shown = ratios.flatMap((ratio) =>
    ratio ? [ratio.low ?? ratio.estimate, ratio.estimate, ratio.high ?? ratio.estimate] : [],
  );
  const low = Math.max(1 / farthest, Math.min(1 / margin ** 2, ...shown) / 1.03);
  const high = Math.min(farthest, Math.max(margin ** 2, ...shown) * 1.03);
  const widest = Math.max(1 / low, high);
  const ticks = RATIO_TICKS.find((each) => widest < 1.1 * Math.max(...each)) ?? RATIO_TICKS.at(-1);
  return {
    label,
    scale: 'log',
    domain: [low, high],
    ticks: ticks?.filter((tick) => tick >= low && tick <= high) ?? [],
    tickText: ratioText,
    text: (ratio) => ratio.toFixed(2),
    marked: 1,
    band: [1 / margin, margin],
  };
}

/** Axis of differences with some room at both ends and zero marked; also returns the words above it and its unit. */
export function differenceAxis([low, high]: AxisDomain, metricUnit: Quantity['unit']) {
  const unit = axisUnit(metricUnit, Math.max(-low, high));
  const room = Math.max(unit.finest, (high - low) * 0.08);
  const time = metricUnit === 'ms' ? ' time' : '';
  const x: Axis = {
    label: `Difference${unit.phrase}`,
    domain: [low - room, high + room],
    ticks: 8,
    tickText: (value) => withSign(value, (size) => axisText(size, unit)),
    marked: 0,
  };
  const above = [`◄ less${time}`, `more${time}${unit.phrase && `,${unit.phrase}`} ►`] as const;
  return { x, above, unit };
}

/** The axis covers this share of all differences; outliers stand at its ends. */
const SHOWN_SHARE = 0.98;

/** Domain of an axis of differences: includes zero, excludes outliers. */
export function differenceDomain(differences: readonly number[]): AxisDomain {
  const finite = differences.filter(Number.isFinite);
  const tail = (1 - SHOWN_SHARE) / 2;
  return [Math.min(0, quantile(finite, tail) ?? 0), Math.max(0, quantile(finite, 1 - tail) ?? 0)];
}

/** Space of a tick's text as a share of the axis. */
const MOST_TEXT_SHARE = 0.12;

/** Ascending values, without those whose texts would overlap on a logarithmic axis. */
export function spacedTicks(values: readonly number[]): number[] {
  const [smallest, largest] = extentOf(values);
  const least = (largest / smallest) ** MOST_TEXT_SHARE;
  const kept: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (value >= (kept.at(-1) ?? 0) * least && !kept.includes(value)) kept.push(value);
  }
  return kept;
}

/** Distance of ticks: the smallest of 1, 2, 5, 10, 20, 50 ... that is at least this. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least) ?? 10;
  return factor * power;
}

/**
 * Ticks of a logarithmic axis: 1, 2 and 5 times powers of ten, beyond three decades powers of ten alone. If these are
 * fewer than three, round numbers in even steps.
 */
export function roundTicks(low: number, high: number): number[] {
  const ticks = powerTicks(low, high);
  if (ticks.length >= 3 || low >= high) return ticks;
  const step = roundStep((high - low) / 4);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  );
}

function powerTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const steps = last - first > 3 ? [1] : [1, 2, 5];
  for (let power = first; power <= last; power += 1) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (tick >= low / 1.05 && tick <= high * 1.05) ticks.push(Number(tick.toPrecision(1)));
    }
  }
  return ticks;
}
