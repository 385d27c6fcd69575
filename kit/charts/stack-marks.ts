import * as Plot from '@observablehq/plot';
import { type ChartStack, stackColour, stackDashes, stackShape } from '../page/stack.ts';
import type { Marks } from './canvas.ts';

/** How far apart the signs of stacks are set that stand at one place, in pixels. */
const APART_PX = 5;

export function stackLine(
  arm: ChartStack,
  points: Plot.Data,
  options: Plot.LineOptions,
): Plot.Markish {
  return Plot.line(points, {
    stroke: stackColour(arm),
    strokeWidth: 2,
    strokeDasharray: stackDashes(arm),
    ...options,
  });
}

export function stackDots(
  arm: ChartStack,
  points: Plot.Data,
  options: Plot.DotOptions,
): Plot.Markish {
  return Plot.dot(points, {
    symbol: stackShape(arm).symbol,
    fill: stackColour(arm),
    stroke: 'var(--paper)',
    ...options,
  });
}

/** A line for each stack, with its sign at each point and the intervals of the points that have one. */
export function measuredLines<Point extends { low: number | null; high: number | null }>(
  stacks: readonly { arm: ChartStack; points: readonly Point[] }[],
  channels: { x: keyof Point & string; y: keyof Point & string },
  titleOf: (point: Point) => string,
): Marks {
  return stacks.flatMap(({ arm, points }, place) => {
    const dx = APART_PX * (place - (stacks.length - 1) / 2);
    const spanned = points.filter(({ low, high }) => low !== null && high !== null);
    return [
      stackLine(arm, points, channels),
      Plot.ruleX(spanned, {
        x: channels.x,
        y1: 'low',
        y2: 'high',
        dx,
        stroke: stackColour(arm),
        strokeWidth: 1.5,
      }),
      stackDots(arm, points, {
        ...channels,
        dx,
        r: 4.5,
        title: (point: Point) => `${arm.label}, ${titleOf(point)}`,
      }),
    ];
  });
}

/** Upright lines at places with a name. */
export function crossingLines(crossings: readonly { label: string }[], x: string): Plot.Markish {
  return Plot.ruleX(crossings, {
    x,
    stroke: 'var(--quiet)',
    strokeDasharray: '2 4',
    title: 'label',
  });
}
