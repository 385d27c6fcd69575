import { quantile } from '../../statistics/quantile.ts';
import { type Estimate, ratioText, withSign } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { shorten } from '../text/terminal.ts';
import { axisText, axisUnit, type Quantity, valueWithUnit } from '../text/value.ts';

export type AxisDomain = readonly [low: number, high: number];

/** One axis of a chart: its words, its scale, and how its numbers read. */
export interface Axis {
  label: string;
  /** Above its numbers in a table or a file; absent: the label. */
  column?: string;
  /** What 1 of that column stands for; absent: 1. */
  factor?: number;
  scale?: 'linear' | 'log';
  domain: AxisDomain;
  /** About how many, or exactly these. */
  ticks: number | readonly number[];
  tickText(value: number): string;
  /** A number with its unit; absent: as at a tick. */
  text?(value: number): string;
  /** A value with a line across the chart. */
  marked?: number;
  /** Of the places 0, 1, 2 ...; absent: they are numbers. */
  names?: readonly string[];
  /** Values that count as the same as the marked one. */
  band?: AxisDomain;
}

/** What an axis is of; ticks may be left to its scale. */
export type AxisText = Omit<Axis, 'domain' | 'ticks' | 'tickText' | 'scale'> &
  Partial<Pick<Axis, 'ticks' | 'tickText'>>;

const plainText = (value: number) => decimalText(value);

/** The least and the most of numbers above 0; of none, ends that a logarithmic axis can have. */
function extentOf(values: readonly number[]): AxisDomain {
  return values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values)];
}

/** An axis from zero to the largest of these numbers, with some room beyond. */
export function zeroAxis(values: readonly number[], words: AxisText, room = 1.04): Axis {
  const most = Math.max(0, ...values);
  return {
    ticks: 5,
    tickText: plainText,
    ...words,
    domain: [0, most === 0 ? 1 : most * room],
  };
}

/** Values of a metric from zero on, in the unit that suits them. */
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

/** From here on a time is in seconds. */
const SECONDS_FROM_MS = 5000;

/** Time in ms since a moment, to the last of these. */
export function timeAxis(momentsMs: readonly number[], since = 'it was asked for'): Axis {
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

/** A logarithmic axis around these numbers, all above 0. */
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

/** Names at even distances. */
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

/** More names, and characters of all of them, have no room side by side. */
const MOST_NAMES = 6;
const MOST_CHARACTERS = 48;

/** An axis of intervals ends here, and at 1 / it: one wild interval would flatten all others. */
const FARTHEST_RATIO = 6;

const RATIO_TICKS = [
  [0.9, 0.95, 1, 1.05, 1.1],
  [0.8, 0.9, 1, 1.1, 1.2],
  [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2],
  [0.2, 0.5, 1, 2, 5],
];

/** Ratios with their intervals: 1 is marked, the margin is a band, and twice the margin is in view. */
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

/** An axis of differences between these ends, with some room beyond and zero marked; the words above it; its unit. */
export function differenceAxis([low, high]: AxisDomain, unit: Quantity['unit']) {
  const axis = axisUnit(unit, Math.max(-low, high));
  const room = Math.max(axis.finest, (high - low) * 0.08);
  const time = unit === 'ms' ? ' time' : '';
  const x: Axis = {
    label: `Difference${axis.phrase}`,
    domain: [low - room, high + room],
    ticks: 8,
    tickText: (value) => withSign(value, (size) => axisText(size, axis)),
    marked: 0,
  };
  const above = [`◄ less${time}`, `more${time}${axis.phrase && `,${axis.phrase}`} ►`] as const;
  return { x, above, axis };
}

/** The axis shows this share of all differences; the others stand at its ends. */
const SHOWN_SHARE = 0.98;

/** Ends of an axis of differences: always with zero, and without the few that would flatten all others. */
export function differenceDomain(differences: readonly number[]): AxisDomain {
  const finite = differences.filter(Number.isFinite);
  const tail = (1 - SHOWN_SHARE) / 2;
  return [Math.min(0, quantile(finite, tail) ?? 0), Math.max(0, quantile(finite, 1 - tail) ?? 0)];
}

/** How much of the axis the text of a value takes. */
const MOST_TEXT_SHARE = 0.12;

/** Rising values, without those that leave no room for their text on a logarithmic axis. */
export function spacedTicks(values: readonly number[]): number[] {
  const [smallest, largest] = extentOf(values);
  const least = (largest / smallest) ** MOST_TEXT_SHARE;
  const kept: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (value >= (kept.at(-1) ?? 0) * least && !kept.includes(value)) kept.push(value);
  }
  return kept;
}

/** The distance of an axis's ticks: the least of 1, 2, 5, 10, 20, 50 ... that is not less. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least) ?? 10;
  return factor * power;
}

/** 1, 2 and 5 with their tens, hundreds ...: ticks of a logarithmic axis that can be read. Where that leaves fewer than three, round numbers at even steps. */
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
