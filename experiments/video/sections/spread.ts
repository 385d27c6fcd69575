import { metricNamed, numberOf } from '../../../ground/experiment.ts';
import { spreadFigure } from '../../../kit/charts/spread.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import type { Quantity } from '../../../kit/text/value.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { elementReportOf, type Session, type VideoSessions, videosOf } from './sessions.ts';

/** What is shown of sessions: one number each, or some. */
interface Shown {
  measured: Quantity & { label: string };
  /** What has these numbers. */
  several: string;
  valuesOf(session: Session): number[];
}

const [, SESSIONS] = video.attempt;

function ofSessions(name: string): Shown {
  const measured = metricNamed(video, name);
  return {
    measured,
    several: SESSIONS,
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
    several: 'stalls',
    valuesOf: (session) =>
      elementReportOf(session)?.stalls.map(({ durationMs }) => durationMs) ?? [],
  },
  ofSessions('meanBitrateKbps'),
];

export const spread: Section<RunView> = {
  isShown: hasAny(videosOf),
  ...defineFoldedSection('spread', 'Spread', (view) => ({
    title: 'Spread of start-up, stalls and bitrate',
    about: 'the share of sessions, and of stalls, that had no more than a value',
    content: html`<p>Each line rises from 0 to 100 %: at a number on the axis below, its height is the share of a stack’s sessions that had no more. Of stalls each one is a point, whatever session it is of: a line says how long they took, and the table how many there were.
Further to the left is better, but for the bitrate.</p>
${drawConditions(view, (condition, name) => videosOf(view, condition).map((each) => videoFigure(view, each, name)))}`,
  })),
};

function videoFigure(
  { arms }: RunView,
  { video: of, sessions }: VideoSessions,
  name: string,
): Markup {
  return spreadFigure({
    name: `spread of start-up, stalls and bitrate, ${of}, ${name}`,
    caption: html`<h4>${nameOf(of)}</h4>`,
    spreads: SHOWN.map(({ measured, several, valuesOf }) => ({
      measured,
      several,
      samples: arms.flatMap((arm) => {
        const own = sessions.get(arm.arm);
        return own ? [{ arm, values: own.flatMap(valuesOf) }] : [];
      }),
    })),
  });
}
