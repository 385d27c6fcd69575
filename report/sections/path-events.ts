import type { PageLoadDetails } from '../../experiments/page-load/details.ts';
import { isFailureOfStack } from '../../records/counted-loads.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { Observation } from '../../records/observation.ts';
import type { AttemptPackets } from '../../records/packets.ts';
import { median } from '../../statistics/median.ts';
import { html, type Markup } from '../page/markup.ts';
import { conditionTitle, scrolling } from '../page/name.ts';
import { foldedSection, type Section } from '../page/section.ts';
import { stackLabel } from '../page/stack.ts';
import { capital } from '../text/capital.ts';
import { conditionName } from '../text/condition.ts';
import { decimalText, millisecondsText } from '../text/number.ts';
import type { ConditionView, ReportView } from './view.ts';

/** What came of attempts on whose path something happened. */
export const pathEvents: Section<ReportView> = {
  id: 'path-events',
  title: 'What the change of path did',
  isShown: ({ conditions }) => conditions.some(({ network }) => network.event !== undefined),
  render: (view, id) =>
    foldedSection(id, {
      title: 'What the change of path did',
      about: `which ${view.experiment.attempt[1]} went on when the client got other ports or another address, and which broke`,
      content: html`<p>In the middle of each ${view.experiment.attempt[0]} the client’s connections get other ports, or another address, as servers see it; what comes for the old ones vanishes without a word.
A connection by QUIC may go on: the server asks for an answer over the new path (<strong>path validation</strong>: PATH_CHALLENGE, PATH_RESPONSE). One by TCP is lost; the client learns that only when it sends something.
${view.ofPages && 'A page of which requests broke is reloaded at once, one of which nothing comes any more after 10 s, at most three times.'}</p>
${view.conditions.filter(({ network }) => network.event !== undefined).map((condition) => table(view, condition))}`,
    }),
};

function table(view: ReportView, condition: ConditionView): Markup {
  const { metric } = view;
  const whole = view.conditions.find(
    ({ network, variant }) =>
      variant === condition.variant &&
      network.event === undefined &&
      apartFromEvents(network) === apartFromEvents(condition.network),
  );
  const rows = view.arms.map((arm) => {
    const of = ({ loads }: ConditionView) => loads.filter((load) => load.arm === arm.arm);
    return {
      arm,
      figures: figuresOf(of(condition), view),
      before: whole && middle(of(whole), metric.name),
    };
  });
  return html`<h3>${conditionTitle(condition)}</h3>
${scrolling(
  `What the change of path did, ${conditionName(condition)}`,
  html`<table><caption>${capital(view.experiment.attempt[1])} on whose path something happened, medians in ms, ${conditionName(condition)}</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col">Made</th><th scope="col">Went on</th><th scope="col">Broke</th>${view.ofPages && html`<th scope="col">of these stalled</th><th scope="col">Reloads</th>`}<th scope="col">Connections or ports begun later</th><th scope="col">Path asked after, ms</th><th scope="col">answered after, ms</th><th scope="col">${metric.label}</th>${whole && html`<th scope="col">without the change</th>`}</tr></thead>
<tbody>${rows.map(
    ({ arm, figures: each, before }) =>
      html`<tr><th scope="row">${stackLabel(arm)}</th><td>${each.made}</td><td>${each.wentOn}</td><td>${each.broke}</td>${view.ofPages && html`<td>${each.stalled}</td><td>${each.reloads}</td>`}<td>${each.later === null ? '–' : decimalText(each.later, 1)}</td><td>${millisecondsText(each.challengeMs)}</td><td>${millisecondsText(each.answerMs)}</td><td>${millisecondsText(each.valueMs)}</td>${whole && html`<td>${millisecondsText(before)}</td>`}</tr>
`,
  )}</tbody></table>`,
)}`;
}

/** The same for two networks that differ in nothing but what happens. */
function apartFromEvents({ event: _, name: __, ...rest }: AskedNetwork): string {
  return JSON.stringify(rest);
}

/** Attempts that never had the event say nothing of it. */
function figuresOf(attempts: readonly Observation[], { metric, captures }: ReportView) {
  const made = attempts.filter(
    ({ outcome, code, path }) =>
      (outcome === 'ok' || isFailureOfStack(code)) && path?.event?.happenedAtMs != null,
  );
  const breaksOf = ({ details }: Observation) => (details as PageLoadDetails | null)?.breaks;
  const broken = made.filter((each) => each.outcome !== 'ok' || (breaksOf(each)?.reloads ?? 0) > 0);
  const reloads = made.map((each) => breaksOf(each)?.reloads ?? 0);
  const later = made.flatMap(({ path }) => path?.event?.laterConnections ?? []);
  const moves = movesOf(made, captures);
  return {
    made: made.length,
    wentOn: made.length - broken.length,
    broke: broken.length,
    stalled: broken.filter((each) => (breaksOf(each)?.stalls ?? 0) > 0).length,
    reloads: reloads.reduce((sum, each) => sum + each, 0),
    later: median(later),
    challengeMs: median(moves.flatMap(({ beganMs, challengedMs }) => since(beganMs, challengedMs))),
    answerMs: median(moves.flatMap(({ beganMs, answeredMs }) => since(beganMs, answeredMs))),
    valueMs: middle(made, metric.name),
  };
}

/** After the first packet over the new path. */
function since(beganMs: number, ms: number | null): number[] {
  return ms === null ? [] : [ms - beganMs];
}

function movesOf(attempts: readonly Observation[], captures: readonly AttemptPackets[]) {
  const ids = new Set(attempts.map(({ id }) => id));
  return captures
    .filter(({ id }) => ids.has(id))
    .flatMap(({ connections }) => connections.flatMap(({ moves = [] }) => moves));
}

function middle(attempts: readonly Observation[], metric: string): number | null {
  const ok = attempts.filter(({ outcome }) => outcome === 'ok');
  return median(ok.flatMap(({ metrics }) => metrics[metric] ?? []));
}
