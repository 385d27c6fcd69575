import type * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackDashes } from '../page/stack.ts';
import { withSign as signedText } from '../text/estimate.ts';
import { axisText, axisUnit, type Quantity } from '../text/value.ts';
import { type Axis, differenceDomain, roundTicks } from './axis.ts';
import { CHART_WIDTH_PX, svgElement } from './canvas.ts';
import { xyChart } from './xy-chart.ts';

/** Values of one stack's loads, in any order; infinite for failed loads. */
export interface Sample {
  arm: ChartStack;
  values: readonly number[];
}

/**
 * Empirical distribution function: a step line for each stack. The axis is logarithmic if the largest value
 * exceeds ten times the smallest. Failures count as infinitely slow: their line continues below 100 % to the end
 * of the axis.
 * @param measured noun for the values
 * @param unit unit of the values
 * @param attempts noun for the attempts
 * @param small a chart for one of many sites, of about half the width
 * @param linear never logarithmic, for the course of an attempt
 * @param signed for differences: marks zero, clips outliers, and puts failures at the ends of the axis
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
    unit?: Quantity['unit'];
    attempts?: string;
    small?: boolean;
    signed?: boolean;
    linear?: boolean;
  } = {},
): Markup {
  const all = samples.flatMap(({ values }) => values);
  const [smallest, largest] = signed ? differenceDomain(all) : valueRange(all);
  const logarithmic = !linear && smallest > 0 && largest / smallest > 10;
  const axis = axisUnit(unit, Math.max(-smallest, largest));
  const pad = Math.max(axis.finest, (largest - smallest) * 0.04);
  const x: Axis = {
    label: `${measured}${axis.phrase}`,
    factor: axis.factor,
    scale: logarithmic ? 'log' : 'linear',
    domain: logarithmic
      ? [smallest / 1.05, largest * 1.05]
      : [signed ? smallest - pad : Math.max(0, smallest - pad), largest + pad],
    ticks: logarithmic ? roundTicks(smallest, largest) : small ? 6 : 12,
    tickText: (value) =>
      signed ? signedText(value, (size) => axisText(size, axis)) : axisText(value, axis),
    ...(signed && { marked: 0 }),
  };
  const y: Axis = {
    label: `Share of the ${attempts} in %`,
    domain: [0, 100],
    ticks: [0, 25, 50, 75, 100],
    tickText: String,
  };
  return xyChart(
    {
      x,
      y,
      series: [],
      marks: [() => samples.map((sample) => drawSteps(sample, x.domain, signed))],
      size: {
        ...(small ? { height: 220 } : { width: CHART_WIDTH_PX, height: 340 }),
        marginLeft: 44,
        marginRight: 14,
      },
    },
    ariaLabel,
    {
      title: x.label,
      arms: samples.map(({ arm }) => arm),
      columns: ['Stack', x.label, y.label],
      rows: () =>
        samples.flatMap(({ arm, values }) =>
          values
            .toSorted((a, b) => a - b)
            .map((value, index) => [
              arm.label,
              Number.isFinite(value) ? value / axis.factor : null,
              (100 * (index + 1)) / values.length,
            ]),
        ),
    },
  );
}

function valueRange(values: readonly number[]): [smallest: number, largest: number] {
  let [smallest, largest] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
  }
  return smallest <= largest ? [smallest, largest] : [0, 1];
}

/**
 * All steps of a stack as one path of horizontal and vertical moves. Steps below half a pixel, which are
 * invisible, merge with the next one and so limit the length.
 */
function drawSteps(
  { arm, values }: Sample,
  [low, high]: readonly [number, number],
  signed: boolean,
): Plot.RenderFunction {
  return (_, scales, __, ___, context) => {
    const halves = (position: number | undefined) => Math.round(2 * Number(position)) / 2;
    const xOf = (value: number) => halves(scales.x?.(Math.min(high, Math.max(low, value))));
    const sorted = Float64Array.from(values).sort();
    const [first = low] = sorted;
    // A stack with only failures has its line at 0 %.
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
      // Differences with a failure stand at the end of the axis; times never reach it.
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
    return svgElement(context, 'path', {
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
