import { metricNamed, numberOf } from '../../../ground/experiment.ts';
import { distributionChart } from '../../../kit/charts/distribution-chart.ts';
import { figure, lineLegend } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { countText } from '../../../kit/text/number.ts';
import { headingUnit, type Measured, valueText } from '../../../kit/text/value.ts';
import { quantile } from '../../../statistics/quantile.ts';
import { byCondition, hasAny } from '../../by-condition.ts';
import type { RunView } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { type Session, toldByElement, type VideoSessions, videosOf } from './sessions.ts';

/** What is shown of sessions: one number each, or some. */
interface Shown {
  measured: Measured & { label: string };
  /** What the numbers are of. */
  each: readonly [one: string, several: string];
  valuesOf(session: Session): number[];
}

const SESSIONS = video.attempt;

function ofSessions(name: string): Shown {
  const measured = metricNamed(video, name);
  return {
    measured,
    each: SESSIONS,
    valuesOf: (session) => {
      const value = numberOf(session, measured);
      return value === null ? [] : [value];
    },
  };
}

const SHOWN: readonly Shown[] = [
  ofSessions('startupDelayMs'),
  ofSessions('prebufferingMs'),
  {
    measured: { label: 'Duration of a stall', phrase: 'duration', unit: 'ms' },
    each: ['stall', 'stalls'],
    valuesOf: (session) => toldByElement(session)?.stalls.map(({ durationMs }) => durationMs) ?? [],
  },
  ofSessions('meanBitrateKbps'),
];

const SHARES = [0, 0.25, 0.5, 0.75, 1];

export const spread: Section<RunView> = {
  isShown: hasAny(videosOf),
  ...folded('spread', 'Spread', (view) => ({
    title: 'Spread of start-up, stalls and bitrate',
    about: 'the share of sessions, and of stalls, that had no more than a value',
    content: html`<p>Each line rises from 0 to 100 %: at a number on the axis below, its height is the share of a stack’s sessions that had no more. Of stalls each one is a point, whatever session it is of: a line says how long they took, and the table how many there were.
Further to the left is better, but for the bitrate.</p>
${byCondition(view, videosOf, (each, name) => videoFigure(view, each, name))}`,
  })),
};

function videoFigure(
  { arms }: RunView,
  { video: of, sessions }: VideoSessions,
  name: string,
): Markup {
  const spreads = SHOWN.map((shown) => ({
    ...shown,
    samples: arms.flatMap((arm) => {
      const own = sessions.get(arm.arm);
      return own ? [{ arm, values: own.flatMap((session) => shown.valuesOf(session)) }] : [];
    }),
  }));
  const charts = spreads
    .map(({ samples, ...rest }) => ({
      ...rest,
      samples: samples.filter(({ values }) => values.length > 0),
    }))
    .filter(({ samples }) => samples.length > 0);
  return figure({
    name: `spread of start-up, stalls and bitrate, ${of}, ${name}`,
    caption: html`<h4>${nameOf(of)}</h4>`,
    legend: lineLegend(arms.filter(({ arm }) => sessions.has(arm))),
    chart: html`<div class="panels">${charts.map(({ measured, each: [, several], samples }) =>
      distributionChart(
        samples,
        `Line chart: share of the ${several} by ${measured.label}, a line for each stack, ${of}, ${name}. The table below has some of its points.`,
        { measured: measured.label, unit: measured.unit, attempts: several, small: true },
      ),
    )}</div>`,
    data: html`<table><caption>Least, quartiles and most, <bdi>${of}</bdi>, <bdi>${name}</bdi></caption>
<thead><tr><th scope="col" class="text">Stack</th>${SHARES.map((share) => html`<th scope="col">${100 * share} %</th>`)}<th scope="col">Number</th></tr></thead>
${spreads.map(
  ({
    measured: { label, unit },
    each: [, several],
    samples,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${SHARES.length + 2}">${label}${headingUnit(unit)}, ${several}</th></tr>
${samples.map(
  ({ arm, values }) =>
    html`<tr><th scope="row" class="stack">${stackLabel(arm)}</th>${SHARES.map((share) => html`<td>${valueText(quantile(values, share), unit)}</td>`)}<td>${countText(values.length)}</td></tr>`,
)}</tbody>`,
)}</table>`,
  });
}
