import * as Plot from '@observablehq/plot';
import { verdictColour } from '../page/estimate.ts';
import { html, type Markup, scrollRegion, trusted } from '../page/markup.ts';
import { type Estimate, estimateText, ratioText, withSign } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { axisUnit, type Quantity, shortAxisText } from '../text/value.ts';
import { sideOf, type Verdict, verdictWord } from '../text/verdict.ts';
import { ratioAxis } from './axis.ts';
import { estimateFields, shortName } from './canvas.ts';
import {
  arrowMarks,
  type Column,
  diamondMark,
  intervalMarks,
  type RowMark,
  rowChart,
  symbolMarks,
} from './row-chart.ts';

export interface ForestRow {
  name: string;
  /** Stack / baseline; null: no ratio, only the verdict. */
  ratio: Estimate | null;
  /** Stack - baseline in the metric's unit; null: not defined because of failures. */
  difference: Estimate | null;
  verdict: Verdict;
}

export interface Forest {
  stackLabel: string;
  baselineLabel: string;
  metric: Quantity & Direction;
  /** Noun for the rows: `sites`. */
  sites: string;
  rows: readonly ForestRow[];
  /** Estimate over all sites, as a diamond below; null: none. */
  pooled: ForestRow | null;
  /** Ratios within [1 / (1 + m), 1 + m] count as the same. */
  marginPercent: number;
}

export interface ForestOptions {
  /** Absent: page width, with verdicts in words. `inline`: next to text. `phone`: name and number above each row. */
  size?: 'inline' | 'phone';
  /** All sites on one line, as signs only. */
  gathered?: boolean;
  /** Ratios of other charts that share the axis. */
  besides?: readonly (Estimate | null)[];
}

const SIZES = {
  inline: { widthPx: 520, marginLeftPx: 156, nameCharacters: 20 },
  phone: { widthPx: 308, marginLeftPx: 8, nameCharacters: 24, isStacked: true },
};

/** Forest plot: ratios with intervals on a logarithmic axis, a row for each site, with the margin as a band. */
export function forestChart(
  forest: Forest,
  ariaLabel: string,
  { size, gathered = false, besides = [] }: ForestOptions = {},
): Markup {
  const { pooled, marginPercent, metric, sites } = forest;
  const rowPx = size === 'phone' ? 42 : 23;
  const all = pooled ? [...forest.rows, pooled] : forest.rows;
  const x = ratioAxis([...all.map(({ ratio }) => ratio), ...besides], marginPercent);
  const name = `each of ${forest.rows.length} ${sites}`;
  const gatheredRow = { name, ratio: null, difference: null, verdict: 'undecided' } as const;
  const lines = gathered ? [gatheredRow] : forest.rows;
  const marks = forest.rows.flatMap((row, place) => markOf(row, gathered ? 0 : place, metric));
  const diamonds = pooled ? markOf(pooled, lines.length, metric) : [];
  return rowChart(
    {
      rows: pooled ? [...lines, pooled] : lines,
      rowPx,
      x,
      above: sidesOf(metric, size ? null : shortName(forest.stackLabel, 20)),
      columns: size ? [compactColumn(metric)] : columnsOf(forest, all),
      ...(size && { layout: SIZES[size] }),
    },
    [
      ...(gathered ? [] : intervalMarks(marks, x.domain)),
      symbolMarks(marks, x.domain),
      pooled && Plot.ruleY([lines.length - 0.5], { stroke: 'var(--line)' }),
      ...diamonds.map((mark) => diamondMark(mark, x.domain, 14 / rowPx)),
      ...arrowMarks(diamonds, x.domain),
    ],
    ariaLabel,
    {
      columns: [
        ...['Name', 'Ratio', 'Ratio, from', 'Ratio, to'],
        `Difference${axisUnit(metric.unit, 0).phrase}`,
        ...['Difference, from', 'Difference, to', 'Verdict'],
      ],
      rows: () =>
        all.map(({ name, ratio, difference, verdict }) => [
          name,
          ...estimateFields(ratio),
          ...estimateFields(difference),
          verdict,
        ]),
    },
  );
}

/** The chart next to text, or above it on narrow screens. */
export function responsiveForest(
  name: string,
  forest: Forest,
  ariaLabel: string,
  options: Omit<ForestOptions, 'size'>,
): Markup {
  const chart = (size: 'inline' | 'phone') => forestChart(forest, ariaLabel, { ...options, size });
  // Only one of the two drawings counts as the chart.
  const again = trusted(chart('phone').text);
  return html`<div class="wide">${scrollRegion(`Chart: ${name}`, chart('inline'))}</div><div class="narrow">${again}</div>`;
}

function markOf(
  { name, ratio, verdict }: ForestRow,
  place: number,
  metric: Forest['metric'],
): RowMark[] {
  if (ratio === null) return [];
  return [
    {
      place,
      estimate: ratio,
      colour: verdictColour(verdict),
      fillOpacity: verdict === 'undecided' ? 0 : 1,
      symbol: symbolOf(verdict, metric),
      title: `${name}: ${estimateText(ratio, ratioText)}, ${verdictWord(verdict, metric)}`,
    },
  ];
}

/** Text of the ratio. With failures a verdict may exist without a ratio. */
function compactColumn(metric: Forest['metric']): Column<ForestRow> {
  const decided = (verdict: Verdict) =>
    verdict === 'undecided' ? '' : `no ratio, ${verdictWord(verdict, metric)}`;
  return {
    heading: 'ratio',
    text: ({ ratio, verdict }) => estimateText(ratio, ratioText) ?? decided(verdict),
  };
}

function columnsOf(
  { baselineLabel, metric }: Forest,
  rows: readonly ForestRow[],
): Column<ForestRow>[] {
  const sizes = rows.map(({ difference }) => Math.abs(difference?.estimate ?? 0));
  const axis = axisUnit(metric.unit, Math.max(0, ...sizes));
  const differenceText = (value: number) =>
    withSign(value, (size) => shortAxisText(size, metric.unit, axis));
  return [
    {
      heading: `ratio to ${shortName(baselineLabel, 16)}`,
      text: ({ ratio }) => estimateText(ratio, ratioText) ?? '–',
    },
    {
      heading: `difference${axis.phrase}`,
      text: ({ difference }) => estimateText(difference, differenceText) ?? '',
    },
    {
      text: ({ verdict }) => verdictWord(verdict, metric),
      fill: ({ verdict }) => verdictColour(verdict),
    },
  ];
}

/** Words for both sides of 1, with the stack's name if it fits. */
function sidesOf({ unit, phrase }: Forest['metric'], stackLabel: string | null) {
  const isTime = unit === 'ms';
  const [less, more] = isTime ? ['less time', 'more time'] : ['lower', 'higher'];
  const words = (side: string) => (isTime ? `${stackLabel} takes ${side}` : `${side} ${phrase}`);
  return stackLabel === null
    ? ([`◄ ${less}`, `${more} ►`] as const)
    : ([`◄ ${words(less)}`, `${words(more)} ►`] as const);
}

/** Shape of a verdict, as in tables: a triangle points to the stack's side, left for less. */
function symbolOf(verdict: Verdict, metric: Forest['metric']): Plot.SymbolType {
  const side = sideOf(verdict, metric);
  if (side === null) return verdict === 'same' ? 'square' : 'circle';
  const draw = (path: CanvasPath, areaPx: number): void => {
    const tip = (side === 'below' ? -1 : 1) * Math.sqrt(areaPx) * 0.75;
    path.moveTo(tip, 0);
    path.lineTo(-tip * 0.85, -Math.abs(tip) * 0.95);
    path.lineTo(-tip * 0.85, Math.abs(tip) * 0.95);
    path.closePath();
  };
  return { draw } as Plot.SymbolType;
}
