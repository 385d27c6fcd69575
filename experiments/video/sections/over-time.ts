import { metricNamed } from '../../../ground/experiment.ts';
import { roundStep } from '../../../kit/charts/axis.ts';
import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { overTime as overTimeChart, type Point } from '../../../kit/charts/xy-chart.ts';
import { legend, lineLegend } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { colourNumber, stackLabel, stackShape } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { keepUnitsTogether } from '../../../kit/text/estimate.ts';
import { countWithNoun, decimalText } from '../../../kit/text/number.ts';
import { valueWithUnit } from '../../../kit/text/value.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { playerLabel } from '../players/index.ts';
import { BUFFER_STEP_MS } from '../records.ts';
import {
  elementReportOf,
  medianSession,
  type Session,
  type VideoSessions,
  videosOf,
} from './sessions.ts';

/** Approximate; events.jsonl has everything. */
const MOST_ROWS = 24;

/** Buffer, bitrate and stalls of each arm's median session. */
export const overTime: Section<RunView> = {
  isShown: hasAny(videosOf),
  ...defineOpenSection('over-time', 'Over time', (view) => ({
    title: 'Buffer and bitrate over time',
    content: html`<p>Each stack’s session with the median ${view.metric.phrase}, from the call to play: buffered video ahead of the playhead, and the bitrate of the video representation that the player requested last. Bars above the
lines are stalls. <code>events.jsonl</code> in the folder of this report has every stall, switch and segment of all sessions.</p>
${drawConditions(view, (condition, name) => videosOf(view, condition).map((each) => videoFigure(view, each, name)))}`,
  })),
  style:
    '.above { display: grid; gap: 0.5rem; max-width: 40rem; } .above .chart { min-width: 0; }\n',
};

interface Shown {
  arm: ShownArm;
  session: Session;
}

function videoFigure(
  view: RunView,
  { video: of, sessions }: VideoSessions,
  name: string,
): Markup | null {
  const shown = view.arms.flatMap((arm): Shown[] => {
    const session = medianSession(view, sessions.get(arm.arm) ?? []);
    return session ? [{ arm, session }] : [];
  });
  if (shown.length === 0) return null;
  const untilMs = Math.max(...shown.map(({ session }) => session.details.watchedMs));
  const time = { since: 'the call to play', untilMs };
  const stalled = shown.filter(({ session }) => stallsOf(session).length > 0);
  return plotFigure({
    name: `buffer and bitrate over time, ${of}, ${name}`,
    caption: html`<h4>${nameOf(of)}</h4>
<ul class="quiet">${shown.map((each) => html`<li>${stackLabel(each.arm)}: ${sessionText(view, each)}</li>`)}</ul>`,
    legend: html`${lineLegend(shown.map(({ arm }) => arm))}${
      stalled.length > 0 &&
      legend(
        stalled.map(
          ({ arm }) =>
            html`<span class="sign stack-${colourNumber(arm.place)}" aria-hidden="true">${stackShape(arm).sign}</span>a stall of <bdi>${arm.label}</bdi>`,
        ),
      )
    }`,
    box: 'above',
    panels: [
      overTimeChart(
        shown.map(({ arm, session }) => ({
          arm,
          points: bufferOf(session),
          spans: stallsOf(session).map(({ atMs, durationMs }) => ({
            from: atMs,
            to: atMs + durationMs,
            title: `${arm.label}: stalled for ${decimalText(durationMs / 1000)} s at ${decimalText(atMs / 1000)} s`,
          })),
        })),
        { label: 'Buffered ahead, s', factor: 1000, tickText: (ms) => decimalText(ms / 1000) },
        time,
      ),
      overTimeChart(
        shown.map(({ arm, session }) => ({ arm, points: stepsOf(session) })),
        { label: 'Bitrate requested, kbit/s', tickText: (kbps) => decimalText(kbps, 0) },
        time,
      ),
    ],
    data: numbersTable(shown, untilMs, `${of}, ${name}`),
  });
}

function sessionText({ metric: { name, phrase } }: RunView, { session }: Shown): Markup {
  const { unit } = metricNamed(video, name);
  const { player } = session.details;
  return html`${playerLabel(player.name)} ${player.version}, ${nameOf(session.id)}, ${keepUnitsTogether(`${phrase} ${valueWithUnit(session.metrics[name], unit)}`)}, ${countWithNoun(stallsOf(session).length, 'stall')}`;
}

function stallsOf(session: Session) {
  return elementReportOf(session)?.stalls ?? [];
}

function bufferOf({ details: { bufferStepMs } }: Session): Point[] {
  return [
    { x: 0, y: 0 },
    ...bufferStepMs.map((value, step) => ({ x: (step + 1) * BUFFER_STEP_MS, y: value })),
  ];
}

/** Requested video bitrates, each with the time of its first request. */
function bitratesOf({ details }: Session): { atMs: number; kbps: number }[] {
  const first = details.asked.find(({ kind }) => kind === 'video');
  if (first === undefined || first.kbps === null) return [];
  return [
    { atMs: first.askedMs, kbps: first.kbps },
    ...details.switches.map(({ atMs, toKbps }) => ({ atMs, kbps: toKbps })),
  ];
}

/** The bitrates as a step line in kbit/s, to the end of watching. */
function stepsOf(session: Session): Point[] {
  const bitrates = bitratesOf(session);
  const last = bitrates.at(-1);
  return [
    ...bitrates.flatMap(({ atMs, kbps }, place) => [
      ...(place > 0 ? [{ x: atMs, y: bitrates[place - 1]?.kbps ?? null }] : []),
      { x: atMs, y: kbps },
    ]),
    ...(last ? [{ x: session.details.watchedMs, y: last.kbps }] : []),
  ];
}

function numbersTable(shown: readonly Shown[], untilMs: number, name: string): Markup {
  const stepMs = Math.max(BUFFER_STEP_MS, roundStep(untilMs / MOST_ROWS));
  const steps = Math.floor(untilMs / stepMs);
  return table({
    caption: html`Every ${decimalText(stepMs / 1000)} s, <bdi>${name}</bdi>`,
    columns: [
      ['At, s', (atMs) => decimalText(atMs / 1000)],
      ...shown.map(({ arm, session }) => ({
        over: stackLabel(arm),
        columns: [
          ['Buffered, s', (atMs) => bufferedText(session, atMs)],
          ['Bitrate, kbit/s', (atMs) => bitrateText(session, atMs)],
          ['Plays', (atMs) => stateAt(session, atMs), 'text'],
        ] satisfies Column<number>[],
      })),
    ],
    items: Array.from({ length: steps }, (_, step) => (step + 1) * stepMs),
  });
}

function bufferedText({ details: { bufferStepMs, watchedMs } }: Session, atMs: number): string {
  const bufferedMs = bufferStepMs[Math.floor(atMs / BUFFER_STEP_MS) - 1];
  return bufferedMs === undefined || atMs > watchedMs ? '–' : decimalText(bufferedMs / 1000);
}

function bitrateText(session: Session, atMs: number): string {
  const kbps = bitratesOf(session).findLast((each) => each.atMs <= atMs)?.kbps;
  const isOver = atMs > session.details.watchedMs;
  return kbps === undefined || isOver ? '–' : decimalText(kbps, 0);
}

function stateAt(session: Session, atMs: number): string {
  if (atMs > session.details.watchedMs) return '–';
  const startupMs = elementReportOf(session)?.startupMs ?? null;
  if (startupMs === null || atMs < startupMs) return 'not yet';
  const isStalled = stallsOf(session).some(
    (stall) => stall.atMs <= atMs && atMs < stall.atMs + stall.durationMs,
  );
  return isStalled ? 'stalled' : 'yes';
}
