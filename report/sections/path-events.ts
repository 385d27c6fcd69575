import type { PageLoadDetails } from '../../experiments/page-load/details.ts';
import { drawConditions } from '../../experiments/per-condition.ts';
import { isFailureOfStack } from '../../ground/records/counted-loads.ts';
import { networkKeyWithout } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { AttemptPackets } from '../../ground/records/packets.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { foldedSection, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { decimalText, millisecondsText } from '../../kit/text/number.ts';
import { median } from '../../statistics/median.ts';
import type { ConditionView, ReportView } from './view.ts';

export const pathEvents: Section<ReportView> = {
  id: 'path-events',
  title: 'Effect of the event on the path',
  render: (view, id) => {
    const conditions = view.conditions.filter(hasEvent);
    const [attempt, attempts] = view.experiment.attempt;
    return foldedSection(id, {
      title: 'Effect of the event on the path',
      about: `which ${attempts} survived the event, and which broke`,
      content: html`<p>${
        conditions.some((each) => !isCut(each)) &&
        `During each ${attempt} the client’s connections get other ports, or another address, as seen by servers. Packets to the old ones are dropped silently.
A connection by QUIC may continue: the server validates the new path (${PATH_VALIDATION}). A TCP connection is lost, which the client notices only when it sends.
`
      }${
        conditions.some(isCut) &&
        `In a cut every packet at the client’s end is lost, in both directions, without notice. Each end retransmits unacknowledged data after growing timeouts (RFC 6298 for TCP, RFC 9002 for QUIC), so data may stay away for a while after the cut.
`
      }${view.ofPages && 'A page is reloaded at once if requests broke, and after 10 s without data, at most three times.'}</p>
${drawConditions({ conditions }, (condition, name) => eventTable(view, condition, name))}`,
    });
  },
};

const PATH_VALIDATION = 'path validation: PATH_CHALLENGE, PATH_RESPONSE';

function hasEvent({ network }: ConditionView): boolean {
  return network.event !== undefined;
}

function isCut({ network }: ConditionView): boolean {
  return network.event?.kind === 'cut';
}

function eventTable(view: ReportView, condition: ConditionView, name: string): Markup {
  const { metric } = view;
  const whole = view.conditions.find(
    ({ network, variant }) =>
      variant === condition.variant &&
      networkKeyWithout(network) === networkKeyWithout(condition.network, 'event'),
  );
  const rows = view.arms.map((arm) => {
    const of = ({ loads }: ConditionView) => loads.filter((load) => load.arm === arm.arm);
    return {
      arm,
      ...figuresOf(of(condition), view),
      without: whole ? medianOf(of(whole), metric.name) : null,
    };
  });
  const isMove = !isCut(condition);
  return table({
    label: `Effect of the event on the path, ${name}`,
    caption: `${capitalize(view.experiment.attempt[1])} with the event on their path, medians in ms, ${name}`,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ['Made', ({ made }) => made],
      ['Went on', ({ wentOn }) => wentOn],
      ['Broke', ({ broke }) => broke],
      view.ofPages && ['of these stalled', ({ stalled }) => stalled],
      view.ofPages && ['Reloads', ({ reloads }) => reloads],
      ['Connections or ports begun later', ({ later }) => numberText(later)],
      isCut(condition) && ['Packets lost in the cut', ({ cutPackets }) => numberText(cutPackets)],
      isMove && ['Path challenged after, ms', ({ challengeMs }) => millisecondsText(challengeMs)],
      isMove && ['answered after, ms', ({ answerMs }) => millisecondsText(answerMs)],
      [metric.label, ({ valueMs }) => millisecondsText(valueMs)],
      whole !== undefined && ['without the event', ({ without }) => millisecondsText(without)],
    ],
    items: rows,
  });
}

function numberText(value: number | null): string {
  return value === null ? '–' : decimalText(value, 1);
}

/** Attempts without the event are ignored. */
function figuresOf(attempts: readonly Observation[], { metric, captures }: ReportView) {
  const attempted = attempts.filter(
    ({ outcome, code, path }) =>
      (outcome === 'ok' || isFailureOfStack(code)) && path?.event?.happenedAtMs != null,
  );
  const breaksOf = ({ details }: Observation) => (details as PageLoadDetails | null)?.breaks;
  const broken = attempted.filter(
    (each) => each.outcome !== 'ok' || (breaksOf(each)?.reloads ?? 0) > 0,
  );
  const reloads = attempted.map((each) => breaksOf(each)?.reloads ?? 0);
  const later = attempted.flatMap(({ path }) => path?.event?.laterConnections ?? []);
  const cut = attempted.map(({ path }) => (path?.toServer.cut ?? 0) + (path?.toClient.cut ?? 0));
  const moves = movesOf(attempted, captures);
  return {
    made: attempted.length,
    wentOn: attempted.length - broken.length,
    broke: broken.length,
    stalled: broken.filter((each) => (breaksOf(each)?.stalls ?? 0) > 0).length,
    reloads: reloads.reduce((sum, each) => sum + each, 0),
    later: median(later),
    cutPackets: median(cut),
    challengeMs: median(moves.flatMap(({ beganMs, challengedMs }) => since(beganMs, challengedMs))),
    answerMs: median(moves.flatMap(({ beganMs, answeredMs }) => since(beganMs, answeredMs))),
    valueMs: medianOf(attempted, metric.name),
  };
}

/** Time after the first packet over the new path. */
function since(beganMs: number, ms: number | null): number[] {
  return ms === null ? [] : [ms - beganMs];
}

function movesOf(attempts: readonly Observation[], captures: readonly AttemptPackets[]) {
  const ids = new Set(attempts.map(({ id }) => id));
  return captures
    .filter(({ id }) => ids.has(id))
    .flatMap(({ connections }) => connections.flatMap(({ moves = [] }) => moves));
}

function medianOf(attempts: readonly Observation[], metric: string): number | null {
  const ok = attempts.filter(({ outcome }) => outcome === 'ok');
  return median(ok.flatMap(({ metrics }) => metrics[metric] ?? []));
}
