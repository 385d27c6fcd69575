import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { countText } from '../text/number.ts';
import { drawChart, GRID, LABEL_ABOVE, LABEL_BELOW, svgElement } from './canvas.ts';

/** A load that is not a warm-up. */
export interface OrderedLoad {
  order: number;
  arm: string;
  /** Value relative to the median of its site, stack and condition; null: no value. */
  ratioToMedian: number | null;
  /** counted, disturbed (and counted), ok but excluded (made on several machines, or twice), failed or invalid. */
  state: 'counted' | 'disturbed' | 'left-out' | 'not-ok';
}

/** A part of the run on one site, by order. */
export interface Stretch {
  first: number;
  last: number;
}

const PANEL_PX = 128;
/** Dots beyond these multiples of the median stand at the edge. */
const WIDEST: readonly [number, number] = [1 / 4, 4];

/**
 * Every load as a dot in the order of execution, a panel for each stack. Height is the value relative to the
 * median of similar loads, so that drift of the machine shows across sites. All dots of a kind are one path.
 */
export function orderChart(
  loads: readonly OrderedLoad[],
  stretches: readonly Stretch[],
  arms: readonly ChartStack[],
  ariaLabel: string,
  {
    measured = 'Time',
    attempts = 'loads',
    site = 'site',
  }: { measured?: string; attempts?: string; site?: string } = {},
): Markup {
  let lastOrder = 1;
  let widest = 1.3;
  for (const { order, ratioToMedian } of loads) {
    lastOrder = Math.max(lastOrder, order);
    if (ratioToMedian) widest = Math.max(widest, ratioToMedian, 1 / ratioToMedian);
  }
  const top = Math.min(WIDEST[1], widest * 1.1);
  const ticks = [0.25, 0.5, 0.8, 1, 1.25, 2, 4].filter((tick) => tick >= 1 / top && tick <= top);
  return drawChart(
    {
      height: 26 + 40 + arms.length * PANEL_PX,
      marginTop: 26,
      marginBottom: 40,
      marginLeft: 52,
      marginRight: 124,
      x: { domain: [0.5, lastOrder + 0.5], label: null },
      // The lowest part is reserved for failed loads.
      y: { type: 'log', domain: [1 / (top * 1.12), top], label: null },
      fy: { domain: arms.map(({ arm }) => arm), label: null, padding: 0.12 },
    },
    [
      Plot.rectX(
        stretches.filter((_, index) => index % 2 === 1),
        {
          x1: ({ first }: Stretch) => first - 0.5,
          x2: ({ last }: Stretch) => last + 0.5,
          fill: 'var(--raised)',
        },
      ),
      Plot.gridY({ ticks, ...GRID }),
      Plot.ruleY([1], { stroke: 'var(--quiet)' }),
      Plot.axisY({
        ...LABEL_ABOVE,
        ticks,
        tickFormat: (share: number) => `${share}×`,
        label: `${measured} as a multiple of the median of its ${site}, stack and condition`,
      }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: 8,
        tickFormat: (order: number) => (Number.isInteger(order) ? countText(order) : ''),
        label: `Order in which the ${attempts} were made`,
      }),
      Plot.axisFy({
        anchor: 'right',
        tickSize: 0,
        tickFormat: (name: string) => arms.find(({ arm }) => arm === name)?.label ?? name,
      }),
      // The facet channel makes Plot call the custom drawing once in each panel.
      Plot.dot(arms, {
        fy: 'arm',
        x: () => 1,
        y: () => 1,
        render: (index, scales, _values, _dimensions, context) => {
          const arm = arms[index[0] ?? -1];
          const group = svgElement(context, 'g', {});
          if (!arm) return group;
          const own = loads.filter((load) => load.arm === arm.arm);
          const at = ({ order, ratioToMedian }: OrderedLoad): [x: number, y: number] => [
            Number(scales.x?.(order)),
            Number(
              scales.y?.(
                ratioToMedian ? Math.min(top, Math.max(1 / top, ratioToMedian)) : 1 / (top * 1.06),
              ),
            ),
          ];
          for (const path of markPaths(own, at, stackColour(arm), own.length > 600 ? 3 : 4.4)) {
            group.append(svgElement(context, 'path', path));
          }
          return group;
        },
      }),
    ],
    ariaLabel,
    {
      columns: ['Stack', 'Order', `${measured} as a multiple of its median`, 'State'],
      rows: () =>
        loads.map(({ arm, order, ratioToMedian, state }) => [
          arms.find((each) => each.arm === arm)?.label ?? arm,
          order,
          ratioToMedian,
          state,
        ]),
    },
  );
}

/** A path for each kind of load: dots, rings around disturbed loads, hollow dots, and crosses at the bottom. */
function markPaths(
  loads: readonly OrderedLoad[],
  at: (load: OrderedLoad) => [x: number, y: number],
  colour: string,
  sizePx: number,
): Record<string, string>[] {
  const of = (state: OrderedLoad['state']) => loads.filter((load) => load.state === state).map(at);
  const dots = { fill: 'none', 'stroke-linecap': 'round' };
  const filled = [...of('counted'), ...of('disturbed')];
  const [hollow, ringed, failed] = [of('left-out'), of('disturbed'), of('not-ok')];
  const ringPx = sizePx / 2 + 1.8;
  return [
    {
      ...dots,
      d: dotPath(filled),
      stroke: colour,
      'stroke-width': `${sizePx}`,
      'stroke-opacity': '0.75',
    },
    { ...dots, d: dotPath(hollow), stroke: colour, 'stroke-width': `${sizePx + 1}` },
    { ...dots, d: dotPath(hollow), stroke: 'var(--paper)', 'stroke-width': `${sizePx - 1}` },
    { fill: 'none', d: ringPath(ringed, ringPx), stroke: 'var(--ink)', 'stroke-width': '1' },
    { fill: 'none', d: crossPath(failed), stroke: 'var(--verdict-slower)', 'stroke-width': '1.6' },
  ].filter(({ d }) => d !== '');
}

/** Zero-length lines with round ends are dots; relative coordinates are shortest. */
function dotPath(places: readonly [x: number, y: number][]): string {
  let path = '';
  let [lastX, lastY] = [0, 0];
  for (const [x, y] of places) {
    // Integer tenths of a pixel, so that rounding errors do not accumulate.
    const [nowX, nowY] = [Math.round(x * 10), Math.round(y * 10)];
    path += `m${(nowX - lastX) / 10},${(nowY - lastY) / 10}h0`;
    [lastX, lastY] = [nowX, nowY];
  }
  return path;
}

function ringPath(places: readonly [x: number, y: number][], radiusPx: number): string {
  const r = radiusPx.toFixed(1);
  return places
    .map(
      ([x, y]) =>
        `M${(x - radiusPx).toFixed(1)},${y.toFixed(1)}a${r},${r} 0 1 0 ${2 * Number(r)},0a${r},${r} 0 1 0 ${-2 * Number(r)},0`,
    )
    .join('');
}

function crossPath(places: readonly [x: number, y: number][]): string {
  return places
    .map(([x, y]) => `M${(x - 3).toFixed(1)},${(y - 3).toFixed(1)}l6,6m0,-6l-6,6`)
    .join('');
}
