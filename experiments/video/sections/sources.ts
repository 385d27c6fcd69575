import type { Unit } from '../../../ground/unit.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, type Group, table } from '../../../kit/page/table.ts';
import { keepUnitsTogether } from '../../../kit/text/estimate.ts';
import { countText, countWithNoun } from '../../../kit/text/number.ts';
import { valueText, valueWithUnit } from '../../../kit/text/value.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { type SessionReport, SOURCES, type Source } from '../records.ts';
import {
  AGREE_MS,
  AGREE_PERCENT,
  type Agreement,
  agreeText,
  compareReports,
  isAgreed,
} from '../reports/agreement.ts';
import { type Session, type VideoSessions, videosOf } from './sessions.ts';

interface ComparedValue {
  label: string;
  phrase: string;
  numberIn(report: SessionReport): number | null;
  unit: Unit;
  /** Average over sessions: the mean for times stalled, as most may be 0. */
  average(values: readonly number[]): number | null;
  /** Infinite: only some report that playback began. */
  differenceIn(agreement: Agreement): number;
  apartUnit: Unit;
  /** Tolerance, in apartUnit. */
  agree: number;
}

const COMPARED_VALUES: readonly ComparedValue[] = [
  {
    label: 'Start-up',
    phrase: 'start-up',
    numberIn: ({ startupMs }) => startupMs,
    unit: 'ms',
    average: median,
    differenceIn: ({ startupApartMs }) => startupApartMs,
    apartUnit: 'ms',
    agree: AGREE_MS,
  },
  {
    label: 'Stalled',
    phrase: 'a stall',
    numberIn: ({ stalls }) => stalls.reduce((sum, { durationMs }) => sum + durationMs, 0),
    unit: 'ms',
    average: mean,
    differenceIn: ({ stalledApartMs }) => stalledApartMs,
    apartUnit: 'ms',
    agree: AGREE_MS,
  },
  {
    label: 'Mean bitrate',
    phrase: 'the mean bitrate',
    numberIn: ({ meanBitrateKbps }) => meanBitrateKbps,
    unit: 'kbps',
    average: median,
    differenceIn: ({ bitrateApartPercent }) => bitrateApartPercent,
    apartUnit: 'percent',
    agree: AGREE_PERCENT,
  },
];

/** Compares the reports of the `<video>` element, the player and the model. */
export const threeSources: Section<RunView> = {
  isShown: hasAny(videosOf),
  ...defineFoldedSection('sources', 'Three sources', (view) => ({
    title: 'Start-up, stalls and bitrate from three sources',
    about: aboutAll(view),
    content: html`<p>The <strong>element</strong> is the browser’s &lt;video&gt; element with its events: the source of the metrics of start-up and stalls. The <strong>player</strong> reports its own statistics. The <strong>model</strong> computes from the arrival times of the segments what was playable:
the source of the metrics of bitrate. Start-up delays and bitrates are medians over the sessions, times stalled are means. <em>Apart</em> is the largest difference between two sources in a session; up to ${agreeText('and')} they agree. The element has no bitrate if two representations
have the same height.</p>
${drawConditions(view, (condition, name) => sourcesTable(view, videosOf(view, condition), name))}`,
  })),
};

function aboutAll(view: RunView): string {
  const sessions = view.conditions.flatMap((condition) =>
    videosOf(view, condition).flatMap((each) => [...each.sessions.values()].flat()),
  );
  const apart = sessions.filter(({ details }) => !isAgreed(compareReports(details.told)));
  const all = countWithNoun(sessions.length, ...video.attempt);
  return `the <video> element, the player and the model ${
    apart.length === 0
      ? `agree within ${agreeText('and')} in ${all}`
      : `differ by more than ${agreeText('or')} in ${apart.length} of ${all}`
  }`;
}

function sourcesTable(
  view: RunView,
  videos: readonly VideoSessions[],
  name: string,
): Markup | null {
  if (videos.length === 0) return null;
  const apart = videos.flatMap(({ sessions }) =>
    view.arms.flatMap((arm) => differenceSentences(arm, sessions.get(arm.arm) ?? [])),
  );
  return html`${table({
    label: `Three sources, ${name}`,
    caption: html`Times in ms, <bdi>${name}</bdi>`,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ['Sessions', ({ own }) => countText(own.length)],
      ...COMPARED_VALUES.map((compared) => ({
        over: compared.label,
        columns: columnsOf(compared),
      })),
    ],
    groups: videos.map(
      ({ video: of, sessions }): Group<OwnSessions> => [
        nameOf(of),
        view.arms.flatMap((arm) => {
          const own = sessions.get(arm.arm) ?? [];
          return own.length === 0 ? [] : [{ arm, own }];
        }),
      ],
    ),
  })}
${apart.length > 0 ? html`<ul>${apart}</ul>` : html`<p>The sources differ by at most ${agreeText('and')} in every session.</p>`}`;
}

interface OwnSessions {
  arm: ShownArm;
  own: readonly Session[];
}

/** Value of each source, and the largest difference. */
function columnsOf(compared: ComparedValue): Column<OwnSessions>[] {
  const { unit, average, agree, apartUnit } = compared;
  const apartOf = ({ own }: OwnSessions) => mostDifferent(compared, own).apart;
  const apartText = (apart: number) =>
    Number.isFinite(apart) ? valueText(apart, apartUnit) : 'not in all';
  return [
    ...SOURCES.map(
      (by): Column<OwnSessions> => [
        by,
        ({ own }) =>
          valueText(average(own.flatMap((each) => valueFrom(compared, each, by) ?? [])), unit),
      ],
    ),
    ['apart', (each) => apartText(apartOf(each)), (each) => (apartOf(each) > agree ? 'main' : '')],
  ];
}

/** The session with the largest difference. */
function mostDifferent({ differenceIn: apartOf }: ComparedValue, sessions: readonly Session[]) {
  return sessions
    .map((session) => ({ session, apart: apartOf(compareReports(session.details.told)) }))
    .reduce((most, each) => (each.apart > most.apart ? each : most));
}

function differenceSentences(arm: ShownArm, sessions: readonly Session[]): Markup[] {
  if (sessions.length === 0) return [];
  return COMPARED_VALUES.flatMap((compared) => {
    const { label, phrase, unit, apartUnit, agree } = compared;
    const { session, apart } = mostDifferent(compared, sessions);
    if (apart <= agree) return [];
    const what = Number.isFinite(apart)
      ? `they differ by up to ${keepUnitsTogether(valueWithUnit(apart, apartUnit))} in ${phrase}`
      : 'only some report that playback began';
    const each = SOURCES.map((by) => {
      const value = valueFrom(compared, session, by);
      return `${by} ${value === null ? 'none' : keepUnitsTogether(valueWithUnit(value, unit))}`;
    });
    return [
      html`<li><strong><bdi>${arm.label}</bdi>: ${what}</strong>, in ${nameOf(session.id)} (${label.toLowerCase()}: ${each.join(', ')}).</li>`,
    ];
  });
}

function valueFrom(
  { numberIn }: ComparedValue,
  { details }: Session,
  source: Source,
): number | null {
  const report = details.told.find(({ by }) => by === source);
  return report ? numberIn(report) : null;
}
