import type { Film } from '../../../clients/chromium/film/record.ts';
import { variantOf } from '../../../ground/records/factors.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { html, type Markup, nameOf, scrollRegion } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { countText, countWithNoun } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { ShownFilm } from '../films.ts';

type Condition = RunView['conditions'][number];

/** An arm's film on the common time axis. */
interface Row {
  arm: ShownArm;
  film: Film;
  /** Beginning of the ids of its frames. */
  id: string;
}

/** The median films of the arms side by side. */
export function filmSection(
  filmed: readonly Observation[],
  films: readonly ShownFilm[],
): Section<RunView> {
  return {
    ...defineOpenSection('film', 'What visitors see', (view) => ({
      content: html`<p>Of each stack, the filmed load with the median Speed Index. Filming costs time, so filmed loads are not counted: compare their times with each other
alone.</p>
${drawConditions(view, (condition, conditionName) =>
  view.run.subjects.map(({ subject }) => {
    const isHere = ({ subject: own, network, factors }: Observation) =>
      own === subject &&
      network.name === condition.network.name &&
      variantOf(factors) === condition.variant;
    const name = `${subject}, ${conditionName}`;
    return subjectMarkup(
      view,
      condition,
      { subject, name },
      {
        filmed: filmed.filter(isHere),
        films: films.filter(({ load }) => isHere(load)),
      },
    );
  }),
)}`,
    })),
    style: STYLE,
    script: SCRIPT,
  };
}

function subjectMarkup(
  view: RunView,
  condition: Condition,
  { subject, name }: { subject: string; name: string },
  { filmed, films }: { filmed: readonly Observation[]; films: readonly ShownFilm[] },
): Markup | null {
  if (filmed.length === 0) return null;
  const place = `${view.conditions.indexOf(condition)}-${view.run.subjects.findIndex((each) => each.subject === subject)}`;
  const rows = view.arms.flatMap((arm, index): Row[] => {
    const film = films.find(({ load }) => load.arm === arm.arm)?.film ?? null;
    return film === null ? [] : [{ arm, film, id: `frame-${place}-${index}` }];
  });
  return html`${view.run.subjects.length > 1 && html`<h4>${nameOf(subject)}</h4>`}
${rows.length > 0 && strip(rows, name)}
${timesTable(view.arms, filmed, name)}
${problems(view.arms, filmed, films)}`;
}

/** Steps between two columns, times a power of ten. */
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const COLUMNS = 12;

const FRAME_WIDTH = 100;
const GAP = 4;
const LINE = 16;

/** A row for each film, a column for each step, and the moments of the largest paint and the load. */
function strip(rows: readonly Row[], name: string): Markup {
  const endMs = Math.max(1, ...rows.map(({ film }) => lastMomentMs(film)));
  const stepMs = stepFor(endMs);
  const columns = Array.from({ length: Math.ceil(endMs / stepMs) + 1 }, (_, index) => index);
  const frameHeight = Math.max(...rows.map(({ film }) => heightOf(film)));
  const rowHeight = frameHeight + 3.5 * LINE + GAP;
  const width = COLUMNS * (FRAME_WIDTH + GAP);
  const xOf = (atMs: number) => (atMs / stepMs) * (FRAME_WIDTH + GAP);
  const startMs = Math.min(...rows.map(({ film }) => largestFrameMs(film)));
  return html`<div class="film" data-start-ms="${10 * Math.ceil(startMs / 10)}" data-end-ms="${columns.length * stepMs}">
${scrollRegion(
  `Film strip: ${name}`,
  html`<svg viewBox="0 0 ${width} ${LINE + rows.length * rowHeight}" role="img" aria-label="${describe(rows, name)}"><defs>${rows.map(
    ({ arm, film, id }) =>
      html`<g data-film="${arm.label}">${film.frames.map(
        ({ atMs, completePercent, jpeg }, index) =>
          html`<image id="${id}-${index}" data-at-ms="${Math.round(atMs)}" data-complete="${Math.round(completePercent)}" width="${FRAME_WIDTH}" height="${heightOf(film)}" href="data:image/jpeg;base64,${jpeg}"/>`,
      )}</g>`,
  )}</defs>
${columns.map((column) => html`<text class="film-time" x="${column * (FRAME_WIDTH + GAP)}" y="12">${timeText(column * stepMs)}</text>`)}
${rows.map(({ arm, film, id }, index) => {
  const top = LINE + index * rowHeight;
  const framesTop = top + LINE + GAP;
  const height = heightOf(film);
  const mark = (label: string, atMs: number | null, line: number) => {
    if (atMs === null) return null;
    const x = xOf(atMs).toFixed(1);
    const isRight = xOf(atMs) > 0.75 * width;
    return html`<path class="film-mark film-mark-${line}" d="M${x},${framesTop}V${framesTop + height + line * LINE}"/><text class="film-mark-${line}" x="${(xOf(atMs) + (isRight ? -4 : 4)).toFixed(1)}" y="${framesTop + height + line * LINE - 3}"${isRight && html` text-anchor="end"`}>${label} ${timeText(atMs)}</text>`;
  };
  return html`<text class="film-arm" x="0" y="${top + LINE}">${arm.label}</text>
${columns.map((column) => {
  const x = column * (FRAME_WIDTH + GAP);
  const at = film.frames.findLastIndex(({ atMs }) => atMs <= column * stepMs);
  return html`<use href="#${id}-${Math.max(0, at)}" x="${x}" y="${framesTop}"/><rect x="${x}" y="${framesTop}" width="${FRAME_WIDTH}" height="${height}"/>`;
})}${mark('largest paint', film.largestPaintMs, 1)}${mark('load', film.loadMs, 2)}
`;
})}</svg>`,
)}
</div>`;
}

/** The smallest step for which the columns suffice. */
function stepFor(endMs: number): number {
  const least = endMs / (COLUMNS - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (STEPS.find((step) => least <= step * power) ?? 10);
}

/** When the frame with the largest paint appeared. */
function largestFrameMs({ frames, largestPaintMs }: Film): number {
  const frame = frames.find(({ atMs }) => atMs >= (largestPaintMs ?? 0)) ?? frames.at(-1);
  return frame?.atMs ?? 0;
}

function heightOf({ widthPx, heightPx }: Film): number {
  return Math.round((FRAME_WIDTH * heightPx) / widthPx);
}

function lastMomentMs({ visuallyCompleteMs, largestPaintMs, loadMs }: Film): number {
  return Math.max(visuallyCompleteMs, largestPaintMs ?? 0, loadMs ?? 0);
}

function describe(rows: readonly Row[], name: string): string {
  const moments = rows.map(({ arm, film }) => {
    const { largestPaintMs, loadMs, visuallyCompleteMs } = film;
    const parts = [
      largestPaintMs !== null && `largest paint after ${timeText(largestPaintMs)}`,
      loadMs !== null && `load after ${timeText(loadMs)}`,
      `visually complete after ${timeText(visuallyCompleteMs)}`,
    ];
    return `${arm.label}: ${parts.filter((part) => part !== false).join(', ')}`;
  });
  return `Film strip of ${name}. ${moments.join('. ')}.`;
}

function timeText(ms: number): string {
  return `${countText(Math.round(ms))} ms`;
}

function timesTable(
  arms: readonly ShownArm[],
  filmed: readonly Observation[],
  name: string,
): Markup {
  const okOf = (arm: ShownArm) =>
    filmed.filter((load) => load.arm === arm.arm && load.outcome === 'ok');
  const cell = (metric: string) => (arm: ShownArm) =>
    medianAndRange(okOf(arm).flatMap(({ metrics }) => metrics[metric] ?? []));
  return table({
    caption: html`Filmed loads, <bdi>${name}</bdi>: medians (and ranges); filmed loads are not counted`,
    label: `Filmed loads: ${name}`,
    items: arms.filter((arm) => filmed.some((load) => load.arm === arm.arm)),
    columns: [
      ['Stack', (arm) => stackLabel(arm)],
      ['Filmed loads', (arm) => countText(okOf(arm).length)],
      ['Speed Index, ms', cell('speedIndexMs')],
      ['Visually complete, ms', cell('visuallyCompleteMs')],
      ['Largest paint, ms', cell('largestContentfulPaintMs')],
      ['Load, ms', cell('pageLoadMs')],
    ],
  });
}

function medianAndRange(values: readonly number[]): string {
  const middle = median(values);
  if (middle === null) return '–';
  const [low, high] = [Math.min(...values), Math.max(...values)].map(wholeText);
  return values.length === 1 ? wholeText(middle) : `${wholeText(middle)} (${low} to ${high})`;
}

function wholeText(ms: number): string {
  return countText(Math.round(ms));
}

/** Filmed loads that are not shown, and why. */
function problems(
  arms: readonly ShownArm[],
  filmed: readonly Observation[],
  films: readonly ShownFilm[],
): Markup[] {
  return arms.flatMap((arm) => {
    const own = filmed.filter((load) => load.arm === arm.arm);
    const bad = own.filter(({ outcome }) => outcome !== 'ok');
    const isBlank = own.length > bad.length && own.every(({ metrics }) => !metrics.speedIndexMs);
    const isDamaged = films.some(({ load, film }) => load.arm === arm.arm && film === null);
    return [
      ...(bad.length === 0
        ? []
        : [
            html`<p><bdi>${arm.label}</bdi>: ${bad.length} of ${countWithNoun(own.length, 'filmed load')} not ok. The first: ${bad[0]?.message}</p>`,
          ]),
      ...(isBlank
        ? [
            html`<p><bdi>${arm.label}</bdi>: the page painted nothing, so there is no film strip.</p>`,
          ]
        : []),
      ...(isDamaged
        ? [
            html`<p><bdi>${arm.label}</bdi>: the film cannot be shown: its file is missing or damaged.</p>`,
          ]
        : []),
    ];
  });
}

const STYLE = `
.film { margin: 0.75rem 0; }
.film svg { display: block; width: 100%; min-width: 46rem; max-width: 80rem; height: auto; font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--quiet); font-variant-numeric: tabular-nums; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.film rect { fill: none; stroke: var(--line); }
.film .film-arm { fill: var(--ink); font-weight: 650; font-size: 12px; }
.film-mark { fill: none; stroke-width: 1.5; }
.film-mark-1 { stroke: var(--verdict-faster); }
.film-mark-2 { stroke: var(--verdict-slower); }
text.film-mark-1 { stroke: none; fill: var(--verdict-faster); }
text.film-mark-2 { stroke: none; fill: var(--verdict-slower); }
.film-stage { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; max-width: 41rem; margin-bottom: 1rem; }
.film-stage label { display: flex; flex: 1 0 100%; gap: 0.75rem; align-items: center; font-variant-numeric: tabular-nums; }
.film-stage input { flex: 1; min-width: 0; }
.film-stage output { min-width: 5.5rem; text-align: right; }
.film-stage figure { flex: 1 1 9rem; min-width: 0; margin: 0; }
.film-stage img { display: block; width: 100%; border: 1px solid var(--line); }
@media print { .film svg { min-width: 0; } .film { break-inside: avoid; } }
`;

/** Moves through the films of a strip; without it, the strip is complete. */
const SCRIPT = `
for (const film of document.querySelectorAll('.film')) {
  const stage = document.createElement('div');
  stage.className = 'film-stage unprinted';
  const label = document.createElement('label');
  const range = document.createElement('input');
  const output = document.createElement('output');
  Object.assign(range, { type: 'range', min: 0, max: film.dataset.endMs, step: 10, value: film.dataset.startMs });
  label.append('Time', range, output);
  stage.append(label);
  const rows = [...film.querySelectorAll('[data-film]')].map((row) => {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const picture = new Image();
    figure.append(caption, picture);
    stage.append(figure);
    return { frames: [...row.children], name: row.dataset.film, caption, picture };
  });
  const show = () => {
    const atMs = Number(range.value);
    output.textContent = atMs.toLocaleString('en-US') + ' ms';
    for (const { frames, name, caption, picture } of rows) {
      const frame = frames.findLast(({ dataset }) => Number(dataset.atMs) <= atMs) ?? frames[0];
      picture.src = frame.getAttribute('href');
      caption.textContent = name + ', ' + frame.dataset.complete + ' % complete';
      picture.alt = caption.textContent;
    }
  };
  range.addEventListener('input', show);
  film.prepend(stage);
  show();
}
`;
