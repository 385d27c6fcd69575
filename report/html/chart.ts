import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { PlannedStack } from '../../records/run.ts';
import { millisecondsText } from '../number-text.ts';
import { type Markup, trusted } from './markup.ts';

/** One bar: a site's loads on one stack. */
export interface Bar {
  site: string;
  stack: string;
  label: string;
  medianMs: number | null;
}

/** One dot: an ok load. */
export interface Dot {
  site: string;
  stack: string;
  label: string;
  pageLoadMs: number;
  repetition: number;
}

const WIDTH = 960;
const BAR_HEIGHT = 12;
const GROUP_GAP = 12;
const LABEL_CHARACTERS = 28;
const SITES_ON_A_SCREEN = 12;

/**
 * Page load times by site and stack as an SVG: a group of horizontal bars for each site with a bar for each stack (the
 * median) and a dot for each load. Colours are the style sheet's variables, so that the chart follows its theme.
 */
export function pageLoadChart(
  bars: readonly Bar[],
  dots: readonly Dot[],
  stacks: readonly PlannedStack[],
  ariaLabel: string,
): Markup {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const sites = [...new Set(bars.map(({ site }) => site))];
  const long = sites.length > SITES_ON_A_SCREEN;
  const longestMs = Math.max(
    1,
    ...bars.map(({ medianMs }) => medianMs ?? 0),
    ...dots.map(({ pageLoadMs }) => pageLoadMs),
  );
  const margins = { marginTop: 34, marginBottom: long ? 26 : 8, marginLeft: 196, marginRight: 64 };
  const svg = Plot.plot({
    document: document as unknown as Document,
    width: WIDTH,
    height:
      margins.marginTop +
      margins.marginBottom +
      sites.length * (stacks.length * BAR_HEIGHT + GROUP_GAP),
    ...margins,
    style: { fontFamily: 'inherit', fontSize: '12px', background: 'none', color: 'inherit' },
    x: { domain: [0, longestMs * 1.02], label: null },
    y: { domain: stacks.map(({ stack }) => stack), axis: null, round: false, padding: 0.1 },
    fy: {
      domain: sites,
      label: null,
      round: false,
      padding: GROUP_GAP / (stacks.length * BAR_HEIGHT + GROUP_GAP),
    },
    marks: [
      Plot.gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 8 }),
      Plot.axisX({
        anchor: 'top',
        label: 'Page load time in ms',
        labelArrow: 'none',
        tickSize: 0,
        ticks: 8,
      }),
      ...(long ? [Plot.axisX({ anchor: 'bottom', label: null, tickSize: 0, ticks: 8 })] : []),
      Plot.axisFy({ anchor: 'left', tickFormat: shortened, tickSize: 0, fontSize: 12 }),
      ...stacks.map(({ stack }, index) =>
        Plot.barX(
          bars.filter((bar) => bar.stack === stack && bar.medianMs !== null),
          {
            fy: 'site',
            y: 'stack',
            x: 'medianMs',
            fill: stackColour(index),
            title: (bar: Bar) =>
              `${bar.site}, ${bar.label}: median ${millisecondsText(bar.medianMs)} ms`,
          },
        ),
      ),
      Plot.dot(dots, {
        fy: 'site',
        y: 'stack',
        x: 'pageLoadMs',
        r: 2,
        fill: 'var(--dot)',
        stroke: 'var(--paper)',
        strokeWidth: 0.6,
        title: (dot: Dot) =>
          `${dot.site}, ${dot.label}, repetition ${dot.repetition}: ${millisecondsText(dot.pageLoadMs)} ms`,
      }),
      Plot.text(bars, {
        fy: 'site',
        y: 'stack',
        text: (bar: Bar) => (bar.medianMs === null ? 'no ok load' : millisecondsText(bar.medianMs)),
        frameAnchor: 'right',
        textAnchor: 'end',
        dx: 58,
        fontSize: 10.5,
        fontVariant: 'tabular-nums',
      }),
    ],
  });
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', ariaLabel);
  for (const element of svg.querySelectorAll('*')) shortenNumbers(element);
  return trusted(svg.outerHTML);
}

/** The colour of the stack at this place of the plan, as a variable of the style sheet. */
export function stackColour(index: number): string {
  return `var(--stack-${(index % 6) + 1})`;
}

/** A name that fits; without characters that steer the direction of text, which an SVG cannot keep to one label. */
function shortened(name: string): string {
  const characters = [...name.replace(/[\p{Cc}\p{Cf}]/gu, '')];
  if (characters.length <= LABEL_CHARACTERS) return characters.join('');
  return `${characters.slice(0, LABEL_CHARACTERS - 1).join('')}…`;
}

/** A hundredth of a pixel cannot be seen; more decimals would make up half of the file. */
function shortenNumbers(element: Element): void {
  for (const name of [
    'x',
    'x1',
    'x2',
    'y',
    'y1',
    'y2',
    'cx',
    'cy',
    'width',
    'height',
    'transform',
  ]) {
    const value = element.getAttribute(name);
    if (value?.includes('.')) {
      element.setAttribute(
        name,
        value.replace(/\d+\.\d+/g, (number) => String(Math.round(Number(number) * 100) / 100)),
      );
    }
  }
}
