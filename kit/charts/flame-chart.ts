import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { decimalText } from '../text/number.ts';
import { CHART_WIDTH_PX, drawChart, shortName } from './canvas.ts';

/** A call stack, from the outermost to the running frame, with its number of samples. */
export interface Stack {
  frames: readonly string[];
  samples: number;
}

interface Flame {
  name: string;
  depth: number;
  from: number;
  to: number;
}

const ROW_PX = 17;
const MARGIN_PX = 4;
const CHARACTER_PX = 6.4;
/** Narrower frames have no text. */
const FEWEST_CHARACTERS = 3;

/** Suffix of kernel functions. */
const KERNEL = '_[k]';

/** A flame graph: frames as wide as their share of the samples, above their callers, the widest left. */
export function flameChart(stacks: readonly Stack[], ariaLabel: string): Markup {
  const flames = flamesOf(stacks);
  const depth = 1 + Math.max(0, ...flames.map((flame) => flame.depth));
  const perPercentPx = (CHART_WIDTH_PX - 2 * MARGIN_PX) / 100;
  const charactersIn = ({ from, to }: Flame) =>
    Math.floor(((to - from) * perPercentPx - 4) / CHARACTER_PX);
  return drawChart(
    {
      height: depth * ROW_PX + 2 * MARGIN_PX,
      marginTop: MARGIN_PX,
      marginBottom: MARGIN_PX,
      marginLeft: MARGIN_PX,
      marginRight: MARGIN_PX,
      x: { domain: [0, 100], axis: null },
      y: { domain: [0, depth], axis: null },
    },
    [
      Plot.rect(flames, {
        x1: 'from',
        x2: 'to',
        y1: 'depth',
        y2: ({ depth: own }: Flame) => own + 1,
        fill: ({ name }: Flame) => (name.endsWith(KERNEL) ? 'var(--stack-2)' : 'var(--stack-1)'),
        fillOpacity: 0.32,
        stroke: 'var(--paper)',
        title: ({ name, from, to }: Flame) => `${name}: ${decimalText(to - from, 1)} %`,
      }),
      Plot.text(
        flames.filter((flame) => charactersIn(flame) >= FEWEST_CHARACTERS),
        {
          x: 'from',
          y: ({ depth: own }: Flame) => own + 0.5,
          dx: 3,
          textAnchor: 'start',
          text: (flame: Flame) => shortName(flame.name, charactersIn(flame)),
          fill: 'var(--ink)',
          fontSize: 11,
        },
      ),
    ],
    ariaLabel,
    {
      columns: ['Frames', 'Samples'],
      rows: () => stacks.map(({ frames, samples }) => [frames.join(';'), samples]),
    },
  );
}

/** Positions of all frames, the widest first. */
function flamesOf(stacks: readonly Stack[]): Flame[] {
  const all = stacks.reduce((sum, { samples }) => sum + samples, 0);
  const layOut = (within: readonly Stack[], depth: number, begin: number): Flame[] => {
    const byFrame = Map.groupBy(
      within.filter(({ frames }) => frames.length > depth),
      ({ frames }) => frames[depth] ?? '',
    );
    const children = [...byFrame]
      .map(([name, own]) => ({
        name,
        own,
        samples: own.reduce((sum, each) => sum + each.samples, 0),
      }))
      .toSorted((a, b) => b.samples - a.samples);
    let from = begin;
    return children.flatMap(({ name, own, samples }) => {
      const flame = { name, depth, from, to: from + (100 * samples) / all };
      const above = layOut(own, depth + 1, from);
      from = flame.to;
      return [flame, ...above];
    });
  };
  return all === 0 ? [] : layOut(stacks, 0, 0);
}
