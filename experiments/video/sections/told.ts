import { TELLERS, type Teller } from '../../../records/video.ts';
import { html, type Markup } from '../../../report/page/markup.ts';
import { conditionTitle, nameOf, scrolling } from '../../../report/page/name.ts';
import { foldedSection, type Section } from '../../../report/page/section.ts';
import { stackLabel } from '../../../report/page/stack.ts';
import { conditionName } from '../../../report/text/condition.ts';
import { counted, countText, decimalText, millisecondsText } from '../../../report/text/number.ts';
import { valueText } from '../../../report/text/value.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { video } from '../experiment.ts';
import { AGREE_MS, type Agreement, agreement } from '../told/agreement.ts';
import { type Condition, hasSessions, type Session, videosOf } from './sessions.ts';

const AGREE_TEXT = `${decimalText(AGREE_MS / 1000)} s`;

/** What is told of a session, and by whom. */
const SAID = {
  startup: {
    label: 'Start-up',
    phrase: 'start-up',
    apartMs: ({ startupApartMs }: Agreement) => startupApartMs,
    msOf: (session: Session, by: Teller) => toldBy(session, by)?.startupMs ?? null,
  },
  stalled: {
    label: 'Stalled',
    phrase: 'a stall',
    apartMs: ({ stalls }: Agreement) => Math.max(0, ...stalls.map(({ apartMs }) => apartMs)),
    msOf: (session: Session, by: Teller) => {
      const told = toldBy(session, by);
      return told === null
        ? null
        : told.stalls.reduce((sum, { durationMs }) => sum + durationMs, 0);
    },
  },
} as const;

type Said = (typeof SAID)[keyof typeof SAID];

/** The same sessions as the `<video>` element, the player and the model tell them. */
export const toldThreeWays: Section<RunView> = {
  id: 'told',
  title: 'Told three ways',
  isShown: hasSessions,
  render: (view, id) =>
    foldedSection(id, {
      title: 'Start-up and stalls, told three ways',
      about: aboutAll(view),
      content: html`<p>The <strong>element</strong> is the browser’s &lt;video&gt; element by its events, on which metrics of start-up and stalls rest; the <strong>player</strong> tells its own statistics; the <strong>model</strong> computes from when the segments had arrived what can have been played.
Start-up delays and bitrates are medians over the sessions, times stalled means. The largest difference is that between any two of them in any one session; up to ${AGREE_TEXT} they are taken to agree.</p>
${view.conditions.map((condition) => conditionMarkup(view, condition))}`,
    }),
};

/** In how many sessions two of them do not agree. */
function aboutAll(view: RunView): string {
  const sessions = view.conditions.flatMap((condition) =>
    videosOf(view, condition).flatMap((each) => [...each.sessions.values()].flat()),
  );
  const apart = sessions.filter(({ details }) => agreement(details.told).apartMs > AGREE_MS);
  const all = counted(sessions.length, ...video.attempt);
  return `the <video> element, the player and a model ${
    apart.length === 0
      ? `agree within ${AGREE_TEXT} in ${all}`
      : `differ by more than ${AGREE_TEXT} in ${apart.length} of ${all}`
  }`;
}

function conditionMarkup(view: RunView, condition: Condition): Markup | null {
  const videos = videosOf(view, condition);
  if (videos.length === 0) return null;
  const apart = videos.flatMap(({ sessions }) =>
    view.arms.flatMap((arm) => apartSentences(arm, sessions.get(arm.arm) ?? [])),
  );
  return html`<h3>${conditionTitle(condition)}</h3>
${scrolling(
  `Told three ways, ${conditionName(condition)}`,
  html`<table><caption>Times in ms, <bdi>${conditionName(condition)}</bdi></caption>
<thead><tr><th scope="col" rowspan="2" class="text">Stack</th><th scope="col" rowspan="2">Sessions</th>${Object.values(SAID).map(({ label }) => html`<th scope="colgroup" colspan="4">${label}</th>`)}<th scope="colgroup" colspan="${TELLERS.length}">Mean bitrate</th></tr>
<tr>${Object.values(SAID).map(() => html`${TELLERS.map((by) => html`<th scope="col">${by}</th>`)}<th scope="col">largest difference</th>`)}${TELLERS.map((by) => html`<th scope="col">${by}</th>`)}</tr></thead>
${videos.map(
  ({
    video: name,
    sessions,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${2 + 4 * Object.keys(SAID).length + TELLERS.length}">${nameOf(name)}</th></tr>
${view.arms.map((arm) => armRow(arm, sessions.get(arm.arm) ?? []))}</tbody>
`,
)}</table>`,
)}
${apart.length > 0 ? html`<ul>${apart}</ul>` : html`<p>In no session do two of them differ by more than ${AGREE_TEXT}.</p>`}`;
}

function armRow(arm: ShownArm, sessions: readonly Session[]): Markup | null {
  if (sessions.length === 0) return null;
  return html`<tr><th scope="row" class="stack">${stackLabel(arm)}</th><td>${countText(sessions.length)}</td>${Object.values(
    SAID,
  ).map((said) => {
    const { apartMs } = mostApart(said, sessions);
    return html`${TELLERS.map((by) => html`<td>${millisecondsText(middleOf(said, sessions, by))}</td>`)}<td${apartMs > AGREE_MS && html` class="main"`}>${Number.isFinite(apartMs) ? millisecondsText(apartMs) : 'one tells none'}</td>`;
  })}${TELLERS.map((by) => html`<td>${valueText(median(sessions.flatMap((session) => toldBy(session, by)?.meanBitrateKbps ?? [])), 'kbps')}</td>`)}</tr>
`;
}

/** The median of start-up delays; of times stalled, most of which may be 0, the mean. */
function middleOf(said: Said, sessions: readonly Session[], by: Teller): number | null {
  const known = sessions.flatMap((session) => said.msOf(session, by) ?? []);
  if (said === SAID.startup) return median(known);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** The session of some in which they differ the most, and by how much; infinite: not all tell that playing began. */
function mostApart({ apartMs }: Said, sessions: readonly Session[]) {
  return sessions
    .map((session) => ({ session, apartMs: apartMs(agreement(session.details.told)) }))
    .reduce((most, each) => (each.apartMs > most.apartMs ? each : most));
}

function apartSentences(arm: ShownArm, sessions: readonly Session[]): Markup[] {
  if (sessions.length === 0) return [];
  return Object.values(SAID).flatMap((said) => {
    const { session, apartMs } = mostApart(said, sessions);
    if (apartMs <= AGREE_MS) return [];
    const what = Number.isFinite(apartMs)
      ? html`they differ by up to ${millisecondsText(apartMs)}&nbsp;ms in ${said.phrase}`
      : html`not all tell that playing began`;
    const each = TELLERS.map((by) => {
      const ms = said.msOf(session, by);
      return ms === null ? `${by} none` : `${by} ${millisecondsText(ms)}\u00a0ms`;
    });
    return [
      html`<li><strong><bdi>${arm.label}</bdi>: ${what}</strong>, in ${nameOf(session.id)} (${said.label.toLowerCase()}: ${each.join(', ')}).</li>
`,
    ];
  });
}

function toldBy({ details: { told } }: Session, teller: Teller) {
  return told.find(({ by }) => by === teller) ?? null;
}
