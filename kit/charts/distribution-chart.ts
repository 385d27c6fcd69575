import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackDashes } from '../page/stack.ts';
import { signed as signedText } from '../text/estimate.ts';
import { axisText, axisUnit, type Measured } from '../text/value.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, LABEL_BELOW, shape } from './canvas.ts';
import { differenceEnds } from './difference-ends.ts';
import { roundStep } from './round-step.ts';

/** The numbers of one stack's loads, in any order; infinite where a load failed. */
export interface Sample {
  arm: ChartStack;
  values: readonly number[];
}

/**
 * Which share of the loads took no longer than a time, or had no more of something else: one rising step line for each stack (the
 * empirical distribution function). The axis is logarithmic when the largest number is more than ten times the smallest. What
 * failed took longer than any time: a line with failures goes on to the end of the axis, below 100 %.
 * @param measured what the numbers are
 * @param unit what they are in
 * @param attempts what they are numbers of
 * @param small a chart for a site among many, of about half the width
 * @param linear never logarithmic: the course of an attempt
 * @param signed for differences: zero is marked, the axis leaves out the outermost few, and those with a failure stand at its ends
 */
export function distributionChart(
  samples: readonly Sample[],
  ariaLabel: string,
  {
    measured = 'Page load time',
    unit = 'ms',
    attempts = 'loads',
    small = false,
    signed = false,
    linear = false,
  }: {
    measured?: string;
    unit?: Measured['unit'];
    attempts?: string;
    small?: boolean;
    signed?: boolean;
    linear?: boolean;
  } = {},
): Markup {
  const all = samples.flatMap(({ values }) => values);
  const [smallest, largest] = signed ? differenceEnds(all) : endsOf(all);
  const logarithmic = !linear && smallest > 0 && largest / smallest > 10;
  const axis = axisUnit(unit, Math.max(-smallest, largest));
  const pad = Math.max(axis.finest, (largest - smallest) * 0.04);
  const domain = logarithmic
    ? ([smallest / 1.05, largest * 1.05] as const)
    : ([signed ? smallest - pad : Math.max(0, smallest - pad), largest + pad] as const);
  return drawn(
    {
      width: small ? CHART_WIDTH_PX / 2 : CHART_WIDTH_PX,
      height: small ? 220 : 340,
      marginTop: 28,
      marginBottom: 38,
      marginLeft: 44,
      marginRight: 14,
      x: { type: logarithmic ? 'log' : 'linear', domain, label: null },
      y: { domain: [0, 100], label: null },
    },
    [
      Plot.gridY({ ticks: [0, 25, 50, 75, 100], ...GRID }),
      Plot.axisY({
        ...LABEL_ABOVE,
        ticks: [0, 25, 50, 75, 100],
        label: `Share of the ${attempts} in %`,
      }),
      Plot.axisX({
        ...LABEL_BELOW,
        label: `${measured}${axis.phrase}${logarithmic ? ' (logarithmic)' : ''}`,
        ...(logarithmic && { ticks: roundTicks(smallest, largest) }),
        tickFormat: (value: number) =>
          signed ? signedText(value, (size) => axisText(size, axis)) : axisText(value, axis),
      }),
      signed && Plot.ruleX([0], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
      ...samples.map((sample) => steps(sample, domain, signed)),
    ],
    ariaLabel,
  );
}

function endsOf(values: readonly number[]): [smallest: number, largest: number] {
  let [smallest, largest] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
  }
  return smallest <= largest ? [smallest, largest] : [0, 1];
}

/**
 * All steps of a stack as one path of horizontal and vertical moves. Half a pixel is as fine as can be seen: what is narrower or
 * lower is a part of the next step, so that a line has so many at most.
 */
function steps(
  { arm, values }: Sample,
  [low, high]: readonly [number, number],
  signed: boolean,
): Plot.RenderFunction {
  return (_, scales, __, ___, context) => {
    const halves = (position: number | undefined) => Math.round(2 * Number(position)) / 2;
    const xOf = (value: number) => halves(scales.x?.(Math.min(high, Math.max(low, value))));
    const sorted = Float64Array.from(values).sort();
    const [first = low] = sorted;
    // A stack of which all failed has its line at 0 %.
    let pen = { x: xOf(Number.isFinite(first) ? first : low), y: halves(scales.y?.(0)) };
    let path = `M${pen.x},${pen.y}`;
    const moveTo = (x: number, y: number) => {
      if (x !== pen.x) path += `h${x - pen.x}`;
      if (y !== pen.y) path += `v${y - pen.y}`;
      pen = { x, y };
    };
    let [atX, atY] = [pen.x, pen.y];
    for (const [index, value] of sorted.entries()) {
      const x = xOf(value);
      // The end of the axis is where differences with a failure stand; times never get there.
      const y =
        value === Number.POSITIVE_INFINITY && !signed
          ? atY
          : halves(scales.y?.((100 * (index + 1)) / sorted.length));
      if (x !== atX && y !== atY) {
        moveTo(atX, atY);
        atX = x;
      }
      atY = y;
    }
    moveTo(atX, atY);
    moveTo(xOf(sorted.at(-1) ?? low), atY);
    return shape(context, 'path', {
      d: path,
      fill: 'none',
      stroke: stackColour(arm),
      'stroke-width': arm.pale ? '1.2' : '2',
      'stroke-dasharray': stackDashes(arm),
      'stroke-linejoin': 'round',
      ...(arm.pale && { 'stroke-opacity': '0.8' }),
    });
  };
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
