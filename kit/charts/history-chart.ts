import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import type { ChartStack } from '../page/stack.ts';
import { type Estimate, ratioText } from '../text/estimate.ts';
import { type Axis, logAxis, ratioAxis } from './axis.ts';
import { CHART_WIDTH_PX } from './canvas.ts';
import { crossings, type Mark, symbols, xyChart } from './xy-chart.ts';

interface HistoryChartRun {
  /** Short text below the axis. */
  tick: string;
  /** Text of the run next to its point. */
  name: string;
  /** null: no point. */
  ratio: Estimate | null;
}

/** A horizontal line from a run to another one, by their places. */
interface ChartLevel {
  from: number;
  to: number;
  ratio: number;
}

interface MarkedRun {
  run: number;
  label: string;
}

interface History {
  arm: ChartStack;
  runs: readonly HistoryChartRun[];
  levels: readonly ChartLevel[];
  /** Runs before which the machine, path, a client or the benchmark changed. */
  marked: readonly MarkedRun[];
  /** Runs before which the version of a server changed. */
  versions: readonly MarkedRun[];
  marginPercent: number;
}

const MOST_TICKS = 9;

/** Ratios that are all farther from 1 have an axis without it, which shows their changes better. */
const NEAR_ONE = 1.1;

/** Whether the axis of these ratios includes 1, and the margin around it. */
export function isNearOne(ratios: readonly (Estimate | null)[]): boolean {
  const estimates = ratios.flatMap((ratio) => (ratio ? [ratio.estimate] : []));
  return !(
    estimates.every((each) => each > NEAR_ONE) || estimates.every((each) => each < 1 / NEAR_ONE)
  );
}

function yAxis(ratios: readonly (Estimate | null)[], marginPercent: number): Axis {
  if (isNearOne(ratios)) return ratioAxis(ratios, marginPercent);
  const ends = ratios.flatMap((ratio) =>
    ratio ? [ratio.low ?? ratio.estimate, ratio.estimate, ratio.high ?? ratio.estimate] : [],
  );
  return logAxis(ends, { label: 'Ratio', text: ratioText });
}

/** Ratios of runs in their order, with intervals and levels; a dashed line at each change of level. */
export function historyChart(
  { arm, runs, levels, marked, versions, marginPercent }: History,
  ariaLabel: string,
): Markup {
  const step = Math.ceil(runs.length / MOST_TICKS);
  const x: Axis = {
    label: 'Start of the run (runs are evenly spaced)',
    column: 'Run',
    names: runs.map(({ name }) => name),
    domain: [-0.5, runs.length - 0.5],
    ticks: [...runs.keys()].filter((place) => place % step === 0),
    tickText: (place) => runs[place]?.tick ?? '',
    text: (place) => runs[place]?.name ?? '',
  };
  const ratios = runs.map(({ ratio }) => ratio);
  const points = ratios.map((ratio, place) => ({
    x: place,
    y: ratio?.estimate ?? null,
    low: ratio?.low ?? null,
    high: ratio?.high ?? null,
  }));
  return xyChart(
    {
      x,
      y: yAxis(ratios, marginPercent),
      series: [{ arm, points }],
      marks: [
        crossings(marked.map(({ run, label }) => ({ x: run - 0.5, label }))),
        versionMark(versions),
        symbols,
        levelMark(levels),
      ],
      size: { width: CHART_WIDTH_PX, height: 280, marginLeft: 50, marginRight: 24 },
    },
    ariaLabel,
  );
}

/** Moved, to be visible also where the level changes. */
function versionMark(versions: readonly MarkedRun[]): Mark {
  const x = ({ run }: MarkedRun) => run - 0.5;
  return () => [
    Plot.ruleX(versions, { x, dx: 3, stroke: 'var(--quiet)', strokeWidth: 0.75, title: 'label' }),
  ];
}

function levelMark(levels: readonly ChartLevel[]): Mark {
  const at = levels.slice(1).map(({ from }) => from - 0.5);
  return () => [
    Plot.ruleX(at, { stroke: 'var(--ink)', strokeWidth: 1.5, strokeDasharray: '6 3' }),
    Plot.ruleY(levels, {
      y: 'ratio',
      x1: ({ from }: ChartLevel) => from - 0.4,
      x2: ({ to }: ChartLevel) => to + 0.4,
      // Also visible among many points.
      stroke: 'var(--stack-2)',
      strokeWidth: 2.5,
    }),
  ];
}
