import type { Unit } from '../../../ground/unit.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, type Group, table } from '../../../kit/page/table.ts';
import { unbroken } from '../../../kit/text/estimate.ts';
import { counted, countText } from '../../../kit/text/number.ts';
import { valueText, valueWithUnit } from '../../../kit/text/value.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { hasAny, perCondition } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { TELLERS, type Teller, type Told } from '../records.ts';
import {
  AGREE_MS,
  AGREE_PERCENT,
  type Agreement,
  agreement,
  agreeText,
  isAgreed,
} from '../told/agreement.ts';
import { type Session, type VideoSessions, videosOf } from './sessions.ts';

interface Said {
  label: string;
  phrase: string;
  numberIn(told: Told): number | null;
  unit: Unit;
  /** What stands for several sessions: of times stalled, most of which may be 0, the mean. */
  middle(values: readonly number[]): number | null;
  /** By how much they differ; infinite: not all tell that playing began. */
  apartOf(agreement: Agreement): number;
  /** Of that. */
  apartUnit: Unit;
  /** Up to here they agree. */
  agree: number;
}

const SAID: readonly Said[] = [
  {
    label: 'Start-up',
    phrase: 'start-up',
    numberIn: ({ startupMs }) => startupMs,
    unit: 'ms',
    middle: median,
    apartOf: ({ startupApartMs }) => startupApartMs,
    apartUnit: 'ms',
    agree: AGREE_MS,
  },
  {
    label: 'Stalled',
    phrase: 'a stall',
    numberIn: ({ stalls }) => stalls.reduce((sum, { durationMs }) => sum + durationMs, 0),
    unit: 'ms',
    middle: mean,
    apartOf: ({ stalledApartMs }) => stalledApartMs,
    apartUnit: 'ms',
    agree: AGREE_MS,
  },
  {
    label: 'Mean bitrate',
    phrase: 'the mean bitrate',
    numberIn: ({ meanBitrateKbps }) => meanBitrateKbps,
    unit: 'kbps',
    middle: median,
    apartOf: ({ bitrateApartPercent }) => bitrateApartPercent,
    apartUnit: 'percent',
    agree: AGREE_PERCENT,
  },
];

/** The same sessions as the `<video>` element, the player and the model tell them. */
export const toldThreeWays: Section<RunView> = {
  isShown: hasAny(videosOf),
  ...folded('told', 'Told three ways', (view) => ({
    title: 'Start-up, stalls and bitrate, told three ways',
    about: aboutAll(view),
    content: html`<p>The <strong>element</strong> is the browser’s &lt;video&gt; element by its events, on which metrics of start-up and stalls rest; the <strong>player</strong> tells its own statistics; the <strong>model</strong> computes from when the segments had arrived what can have been played,
and metrics of the bitrate rest on it. Start-up delays and bitrates are medians over the sessions, times stalled means. <em>Apart</em> is the largest difference between any two of them in any one session; up to ${agreeText('and')} they are taken to agree. Where two rungs are of one height, the element
tells no bitrate.</p>
${perCondition(view, (condition, name) => sourcesTable(view, videosOf(view, condition), name))}`,
  })),
};

function aboutAll(view: RunView): string {
  const sessions = view.conditions.flatMap((condition) =>
    videosOf(view, condition).flatMap((each) => [...each.sessions.values()].flat()),
  );
  const apart = sessions.filter(({ details }) => !isAgreed(agreement(details.told)));
  const all = counted(sessions.length, ...video.attempt);
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
    view.arms.flatMap((arm) => apartSentences(arm, sessions.get(arm.arm) ?? [])),
  );
  return html`${table({
    label: `Told three ways, ${name}`,
    caption: html`Times in ms, <bdi>${name}</bdi>`,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ['Sessions', ({ own }) => countText(own.length)],
      ...SAID.map((said) => ({ over: said.label, columns: columnsOf(said) })),
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
function columnsOf(said: Said): Column<OwnSessions>[] {
  const { unit, middle, agree, apartUnit } = said;
  const apartOf = ({ own }: OwnSessions) => mostApart(said, own).apart;
  const apartText = (apart: number) =>
    Number.isFinite(apart) ? valueText(apart, apartUnit) : 'one tells none';
  return [
    ...TELLERS.map(
      (by): Column<OwnSessions> => [
        by,
        ({ own }) => valueText(middle(own.flatMap((each) => saidBy(said, each, by) ?? [])), unit),
      ],
    ),
    ['apart', (each) => apartText(apartOf(each)), (each) => (apartOf(each) > agree ? 'main' : '')],
  ];
}

/** The session of some in which they differ the most, and by how much. */
function mostApart({ apartOf }: Said, sessions: readonly Session[]) {
  return sessions
    .map((session) => ({ session, apart: apartOf(agreement(session.details.told)) }))
    .reduce((most, each) => (each.apart > most.apart ? each : most));
}

function apartSentences(arm: ShownArm, sessions: readonly Session[]): Markup[] {
  if (sessions.length === 0) return [];
  return SAID.flatMap((said) => {
    const { label, phrase, unit, apartUnit, agree } = said;
    const { session, apart } = mostApart(said, sessions);
    if (apart <= agree) return [];
    const what = Number.isFinite(apart)
      ? `they differ by up to ${unbroken(valueWithUnit(apart, apartUnit))} in ${phrase}`
      : 'not all tell that playing began';
    const each = TELLERS.map((by) => {
      const value = saidBy(said, session, by);
      return `${by} ${value === null ? 'none' : unbroken(valueWithUnit(value, unit))}`;
    });
    return [
      html`<li><strong><bdi>${arm.label}</bdi>: ${what}</strong>, in ${nameOf(session.id)} (${label.toLowerCase()}: ${each.join(', ')}).</li>`,
    ];
  });
}

function saidBy({ numberIn }: Said, { details: { told } }: Session, teller: Teller): number | null {
  const own = told.find(({ by }) => by === teller);
  return own ? numberIn(own) : null;
}
