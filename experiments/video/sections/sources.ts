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
  numberIn(told: SessionReport): number | null;
  unit: Unit;
  /** What stands for several sessions: of times stalled, most of which may be 0, the mean. */
  middle(values: readonly number[]): number | null;
  /** By how much they differ; infinite: not all tell that playing began. */
  differenceIn(agreement: Agreement): number;
  /** Of that. */
  apartUnit: Unit;
  /** Up to here they agree. */
  agree: number;
}

const COMPARED_VALUES: readonly ComparedValue[] = [
  {
    label: 'Start-up',
    phrase: 'start-up',
    numberIn: ({ startupMs }) => startupMs,
    unit: 'ms',
    middle: median,
    differenceIn: ({ startupApartMs }) => startupApartMs,
    apartUnit: 'ms',
    agree: AGREE_MS,
  },
  {
    label: 'Stalled',
    phrase: 'a stall',
    numberIn: ({ stalls }) => stalls.reduce((sum, { durationMs }) => sum + durationMs, 0),
    unit: 'ms',
    middle: mean,
    differenceIn: ({ stalledApartMs }) => stalledApartMs,
    apartUnit: 'ms',
    agree: AGREE_MS,
  },
  {
    label: 'Mean bitrate',
    phrase: 'the mean bitrate',
    numberIn: ({ meanBitrateKbps }) => meanBitrateKbps,
    unit: 'kbps',
    middle: median,
    differenceIn: ({ bitrateApartPercent }) => bitrateApartPercent,
    apartUnit: 'percent',
    agree: AGREE_PERCENT,
  },
];

/** The same sessions as the `<video>` element, the player and the model tell them. */
export const threeSources: Section<RunView> = {
  isShown: hasAny(videosOf),
  ...defineFoldedSection('told', 'Told three ways', (view) => ({
    title: 'Start-up, stalls and bitrate, told three ways',
    about: aboutAll(view),
    content: html`<p>The <strong>element</strong> is the browser’s &lt;video&gt; element by its events, on which metrics of start-up and stalls rest; the <strong>player</strong> tells its own statistics; the <strong>model</strong> computes from when the segments had arrived what can have been played,
and metrics of the bitrate rest on it. Start-up delays and bitrates are medians over the sessions, times stalled means. <em>Apart</em> is the largest difference between any two of them in any one session; up to ${agreeText('and')} they are taken to agree. Where two rungs are of one height, the element
tells no bitrate.</p>
${drawConditions(view, (condition, name) => sourcesTable(view, videosOf(view, condition), name))}`,
  })),
};

function aboutAll(view: RunView): string {
  const sessions = view.conditions.flatMap((condition) =>
    videosOf(view, condition).flatMap((each) => [...each.sessions.values()].flat()),
  );
  const apart = sessions.filter(({ details }) => !isAgreed(compareReports(details.told)));
  const all = countWithNoun(sessions.length, ...video.attempt);
  return `the <video> element, the player and a model ${
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
    label: `Told three ways, ${name}`,
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
${apart.length > 0 ? html`<ul>${apart}</ul>` : html`<p>In no session do two of them differ by more than ${agreeText('or')}.</p>`}`;
}

/** The sessions of a stack. */
interface OwnSessions {
  arm: ShownArm;
  own: readonly Session[];
}

/** What each of them says, and the largest difference. */
function columnsOf(compared: ComparedValue): Column<OwnSessions>[] {
  const { unit, middle, agree, apartUnit } = compared;
  const apartOf = ({ own }: OwnSessions) => mostDifferent(compared, own).apart;
  const apartText = (apart: number) =>
    Number.isFinite(apart) ? valueText(apart, apartUnit) : 'one tells none';
  return [
    ...SOURCES.map(
      (by): Column<OwnSessions> => [
        by,
        ({ own }) =>
          valueText(middle(own.flatMap((each) => valueFrom(compared, each, by) ?? [])), unit),
      ],
    ),
    ['apart', (each) => apartText(apartOf(each)), (each) => (apartOf(each) > agree ? 'main' : '')],
  ];
}

/** The session of some in which they differ the most, and by how much. */
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
      : 'not all tell that playing began';
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
  { details: { told } }: Session,
  teller: Source,
): number | null {
  const own = told.find(({ by }) => by === teller);
  return own ? numberIn(own) : null;
}
