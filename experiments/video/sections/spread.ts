import { metricNamed, numberOf } from '../../../ground/experiment.ts';
import { spreadFigure } from '../../../kit/charts/spread.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import type { Quantity } from '../../../kit/text/value.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { elementReportOf, type Session, type VideoSessions, videosOf } from './sessions.ts';

/** A quantity with one or several values per session. */
interface Shown {
  measured: Quantity & { label: string };
  /** Noun for what has these values. */
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
    about: 'cumulative distribution of values over sessions and over stalls',
    content: html`<p>Each line is a cumulative distribution: its height is the share of a stack’s sessions with at most the value on the axis below. For stalls, each stall of any session is one point: the line shows their durations, the table their number.
Further to the left is better, except for the bitrate.</p>
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
