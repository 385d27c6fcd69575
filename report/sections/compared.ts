import { isProtocolPair, stackNamed } from '../../experiments/stacks.ts';
import { isLiveRun, limitKbps, PATH_DIRECTIONS } from '../../ground/records/network.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { PlannedArm, RunRecord } from '../../ground/records/run.ts';
import { splitBrowser, splitVersion } from '../../ground/stack.ts';
import { html, type Insert, type Markup } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { type ChartStack, stackLabel } from '../../kit/page/stack.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { ownStackOfArm } from '../../servers/own-stack.ts';
import type { NetworkSummary } from '../summary/network.ts';
import { stackNamed as stackIn } from '../summary/primary-questions.ts';
import { type ComparedStack, type ReportView, unlikeSentences } from './view.ts';

/** What was compared, and what a difference means. */
export const compared: Section<ReportView> = defineFoldedSection(
  'compared',
  'What was compared',
  (view) => {
    const { run, arms, compared, summary } = view;
    if (run.read) return ofRead(view);
    if (isLiveRun(run)) return ofLiveWeb(view);
    return {
      about:
        compared.length > 0
          ? whatAgainstWhat(view)
          : html`${arms.map(({ label }) => html`<bdi>${label}</bdi>`)} alone`,
      content: html`<p>A stack is a server program together with the protocol that it speaks. ${
        view.ofPages ? ofPages(view) : 'What'
      } they had in common, and what not, is in <a href="#fairness">the table of fairness</a>.${view.ofPages && howLoaded(run)}</p>
<ul>
${arms.map(
  (arm) =>
    html`<li>${stackLabel({ ...arm, label: '' })}<strong><bdi>${arm.label}</bdi></strong>. ${browserOf(run, arm)}${noteOf(run, arm)}</li>`,
)}</ul>
${
  compared.some(({ arm, baseline }) => isProtocolPair(arm, baseline.arm))
    ? null
    : html`<p><strong>This run does not have a server program over both QUIC and TCP.</strong> A difference between its
stacks cannot be put down to the protocol.</p>`
}
${compared.map((arm) => pairOf(view, arm))}
${withoutDelay(summary.networks, view.experiment.clientNoun)}`,
    };
  },
);

/** The browser of an arm with its version, as a sentence; of a run with the usual one alone, nothing. */
function browserOf({ arms, versions }: RunRecord, { arm }: ChartStack): Insert {
  const planned = arms.find((each) => each.arm === arm);
  if (!planned || !hasBrowsers(arms)) return '';
  const { client } = planned;
  return html`Loaded by <bdi>${client}</bdi> ${versions[client] ?? 'of unknown version'}. `;
}

function hasBrowsers(arms: RunRecord['arms']): boolean {
  return arms.some(({ arm }) => splitBrowser(arm)[1] !== null);
}

/** Caveats of a stack. */
function noteOf({ arms }: RunRecord, { arm }: ChartStack): string {
  const planned = arms.find((each) => each.arm === arm);
  const stack = (planned && ownStackOfArm(planned)) ?? stackNamed(arm);
  return stack?.note ?? `The stack ${arm}.`;
}

/** Of attempts at unknown hosts. */
function ofRead(view: ReportView) {
  const { run } = view;
  return {
    about: whatAgainstWhat(view),
    content: html`<p>Connections to the same hosts by ${countWithNoun(run.arms.length, 'protocol')}, as <bdi class="name">${run.read?.file}</bdi> has them:</p>
<ul>
${run.arms.map(
  ({ arm, label, client }) =>
    html`<li><strong><bdi>${label}</bdi></strong>, by the client <bdi>${client}</bdi>, ${countWithNoun(run.trials.filter((trial) => trial.arm === arm).length, 'connection')}</li>`,
)}</ul>
<p>The file does not say which programs answered, or what else the protocols had in common. A difference is one of these clients
and hosts together, and cannot be put down to the protocol alone.</p>`,
  };
}

/** Of existing hosts and pages. */
function ofLiveWeb(view: ReportView) {
  const { run, experiment, ofPages } = view;
  return {
    about: whatAgainstWhat(view),
    content: html`<p>The same ${experiment.subject[1]} by ${countWithNoun(run.arms.length, 'protocol')}, from where they are deployed, over the machine’s own network.${ofPages && howLoaded(run)}</p>
<p>This benchmark did not control the server programs, their settings, the machines that answered and the paths to them. A difference may come from any of these, and cannot be put down to the protocol alone.</p>`,
  };
}

/** Whether all stacks sent the same bytes, as the beginning of a sentence. */
function ofPages({ run, arms }: ReportView): Insert {
  return run.choices.document === 'recorded'
    ? 'All stacks are to send the same bytes; what else'
    : html`<strong>Not all stacks sent the same document</strong>: ${asSavedBy(arms)} sent it as wget saves it, with its header lines as text; what else`;
}

/** How pages were loaded, and whether sub-resources were served. */
function howLoaded(run: RunRecord): Insert {
  return html` ${visitTexts(run)}${
    run.choices.subResources === 'missing' &&
    html` <strong>No sub-resource was served</strong>: all but the main document was answered 404.`
  }`;
}

function asSavedBy(arms: readonly ChartStack[]): string {
  const able = arms.filter(({ arm }) => stackNamed(arm)?.sendsAsSaved);
  return able.map(({ label }) => label).join(', ') || 'some';
}

/** All pairs, grouped by baseline. */
function whatAgainstWhat({ compared }: ReportView): Markup {
  const groups = Map.groupBy(compared, ({ baseline }) => baseline.label);
  return html`${[...groups].map(
    ([baseline, stacks], place) =>
      html`${place > 0 && '; '}${stacks.map(({ label }, index) => html`${index > 0 && ', '}<bdi>${label}</bdi>`)} against <bdi>${baseline}</bdi>`,
  )}`;
}

/** To what a difference between two stacks may be attributed. */
function pairOf(view: ReportView, { arm, label, baseline }: ComparedStack): Markup {
  const unlike = unlikeSentences(view, { arm, baseline: baseline.arm });
  const isOne = stackNamed(arm) ? 'one server program' : 'by their names one server';
  const isChoice = view.run.arms.some(
    (each) => [arm, baseline.arm].includes(each.arm) && offersBoth(each.protocol),
  );
  const [planned, reference] = [arm, baseline.arm].map((each) => stackIn(view.run, each));
  const other = planned && reference && otherThanProtocol(planned, reference);
  const pairWords = isProtocolPair(arm, baseline.arm)
    ? `, ${isOne}, ${isChoice ? 'with and without HTTP/3 in addition to HTTP/2' : 'two protocols'}`
    : '';
  return html`<p><strong><bdi>${label}</bdi> against <bdi>${baseline.label}</bdi></strong>${other ? other.words : pairWords}. ${
    unlike.length === 0
      ? `Like for like: a difference speaks about ${other?.subject ?? `${isChoice ? 'what it brings that the browser can choose' : 'the protocols'} as this program implements them`}.`
      : `${unlike.join(' ')} A difference cannot be put down to ${other ? `${other.subject} without these` : 'the protocol alone'}.`
  }</p>`;
}

/** What two arms of one protocol differ in; null: their protocols, or transports. */
function otherThanProtocol(
  arm: PlannedArm,
  baseline: PlannedArm,
): { words: string; subject: string } | null {
  if (arm.protocol !== baseline.protocol || arm.transport !== baseline.transport) return null;
  if (arm.stack === baseline.stack) {
    const areBrowsers = arm.client !== baseline.client;
    return areBrowsers ? { words: ', one stack in two browsers', subject: 'the browsers' } : null;
  }
  return splitVersion(arm.stack)[0] === splitVersion(baseline.stack)[0]
    ? { words: ', two versions of one stack', subject: 'the versions' }
    : { words: '', subject: 'the programs' };
}

function visitTexts({ factors, choices }: RunRecord): string {
  return [
    ...(factors.visit ?? []).map((visit) => VISIT_TEXTS.get(visit) ?? ''),
    ISOLATION_TEXTS[choices.isolation],
  ].join(' ');
}

const ISOLATION_TEXTS: Record<RunRecord['choices']['isolation'], string> = {
  context: 'Each load has a browser context of its own, in a browser that has been running.',
  process: 'Each load has a browser of its own, which was just started.',
};

const VISIT_TEXTS = new Map<string, string>(
  Object.entries({
    cold: 'A cold load begins with an empty cache, no session ticket and no connection, so every handshake is in it.',
    repeat:
      'A repeat visit begins with the cache, cookies and session tickets of an earlier load, but with no open connection.',
    resumed:
      'A resumed visit begins with the session tickets of an earlier load alone: nothing cached, no open connection.',
    reload:
      'A reload begins with the page there, its cache filled, and the connections of its first load open where the server keeps them so.',
    forced:
      'A forced visit is a cold load for which a browser that could choose speaks nothing but QUIC.',
    discovered:
      'A discovered visit begins with the session tickets and the Alt-Svc entries (HTTP/3) of an earlier load: nothing cached, no open connection.',
    'https-record':
      'An https-record visit is a cold load for which the name server has an HTTPS record that names HTTP/3, where the server has both versions.',
  }),
);

function withoutDelay(networks: readonly NetworkSummary[], client: string): Markup | false {
  const found = networks.find(
    (network) =>
      network.rttMs === 0 &&
      PATH_DIRECTIONS.every((direction) => limitKbps(network, direction) === null),
  );
  if (!found) return false;
  const rtt = found.calibration.udpRttMs;
  return html`<p><strong>Without added delay a round trip takes ${rtt ? `about ${rtt.median.toFixed(1)} ms` : 'next to no time'}, so the
round trips that QUIC's shorter handshake saves are worth next to nothing there.</strong> Such numbers show what the ${client}
and the servers cost in processing, not what a user far from a server would see.</p>`;
}
