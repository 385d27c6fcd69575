import {
  congestionControlOf,
  congestionControlText,
} from '../../ground/records/congestion-control.ts';
import type {
  BufferRange,
  ComparedProperty,
  EndManifest,
  FairnessManifest,
} from '../../ground/records/fairness.ts';
import { bothText, isOverQuic, isOverTcp } from '../../ground/records/protocol.ts';
import type { Reading } from '../../ground/records/reading.ts';
import { type PlannedArm, settingsUnder } from '../../ground/records/run.ts';
import { conditionTitle, html, type Insert, type Markup } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Group, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countText, decimalText, millisecondsText, momentText } from '../../kit/text/number.ts';
import { isPairOf, type PairFairness, type PairVerdict } from '../summary/fairness.ts';
import { clientsTable } from './clients.ts';
import { conditionsPhrase, isOfBench, labelOf, type ReportView, verdictSentence } from './view.ts';

/** Every property of each pair of stacks, and the settings and resources of both ends. */
export const fairness: Section<ReportView> = {
  isShown: ({ run }) => isOfBench(run),
  ...defineFoldedSection('fairness', 'Fairness', (view) => {
    const { run, summary } = view;
    return {
      about: likeForLikeText(view),
      content: html`<p>Two stacks are like for like where every line below is <em>equal</em>: each is something that could make one stack
faster. A transport brings a sender of its own, so QUIC and TCP differ in some of them, and a time measures all of these together.
<em>Unknown</em>: not readable on this system. Lines under
“consequences” follow from a protocol and its program; they are shown and decide nothing.</p>
${
  summary.fairness.length > 0
    ? comparedFirst(view).map((pair) => pairTable(view, pair))
    : html`<p><strong>Pairs of stacks have not been compared in this run.</strong></p>`
}
${clientsTable(view)}
${processor(view)}
<h3>Settings and resources of both ends</h3>
<p>Read back from the system, not copied from the options (${momentText(run.fairness.readAt)}); <em>unknown</em>: not readable on this
system. QUIC runs inside the server program and the ${view.experiment.clientNoun}, so its values are what the server
reports of itself.</p>
${congestionControls(view)}
${endsTable(run.fairness, view.experiment.clientNoun)}
${stackReadingsTable(run.fairness, run.arms)}`,
    };
  }),
};

const ALIKE: Record<PairVerdict['likeForLike'], string> = {
  yes: 'like for like',
  no: 'not like for like',
  unknown: 'not known to be like for like',
};

function alikeText({ verdicts }: PairFairness): string {
  const of = (wanted: PairVerdict['likeForLike']) =>
    verdicts
      .filter(({ likeForLike }) => likeForLike === wanted)
      .reduce((sum, { conditions }) => sum + conditions.length, 0);
  const all = of('yes') + of('no') + of('unknown');
  const worst = (['no', 'unknown'] as const).find((wanted) => of(wanted) > 0);
  if (worst === undefined) return all === 0 ? ALIKE.unknown : ALIKE.yes;
  const count = of(worst);
  return count === all ? ALIKE[worst] : `${ALIKE[worst]} under ${count} of ${all} conditions`;
}

function likeForLikeText(view: ReportView): Insert {
  const pairs = comparedFirst(view).filter((pair) => isCompared(view, pair));
  if (pairs.length === 0) return 'pairs of stacks not compared';
  return pairs.map(
    (pair, index) =>
      html`${index > 0 && '; '}<bdi>${labelOf(view, pair.a)}</bdi> and <bdi>${labelOf(view, pair.b)}</bdi> ${alikeText(pair)}`,
  );
}

/** Every pair of stacks; those that the run compares come first. */
function comparedFirst(view: ReportView): PairFairness[] {
  return view.summary.fairness.toSorted(
    (a, b) => Number(isCompared(view, b)) - Number(isCompared(view, a)),
  );
}

function isCompared({ compared }: ReportView, pair: PairFairness): boolean {
  return compared.some(({ arm, baseline }) => isPairOf(pair, arm, baseline.arm));
}

/** Properties under the first condition, and where other conditions differ. */
function pairTable(view: ReportView, pair: PairFairness): Markup {
  const { verdicts } = pair;
  const [first] = verdicts;
  const properties = first?.properties ?? [];
  const [a, b] = [labelOf(view, pair.a), labelOf(view, pair.b)];
  const counts = (['differs', 'unknown', 'equal'] as const)
    .map((verdict) => ({
      verdict,
      count: properties.filter((each) => each.decides && each.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0);
  const several = verdicts.length > 1;
  const [condition] = first?.conditions ?? [];
  const isOfOne = several || (first?.conditions.length ?? 0) > 1;
  return html`<details class="printed"><summary><strong><bdi>${a}</bdi> and <bdi>${b}</bdi>: ${alikeText(pair)}</strong>
<span class="quiet">${several ? `${verdicts.length} groups of conditions` : counts.map(({ verdict, count }) => `${count} ${verdict === 'differs' && count > 1 ? 'differ' : verdict}`).join(', ')}</span></summary>
${verdicts.map((verdict) => html`<p>${verdictSentence(verdict, several)}</p>`)}
${table({
  label: `Fairness of ${a} and ${b}`,
  class: 'fairness',
  caption: html`What <bdi>${a}</bdi> and <bdi>${b}</bdi> had in common${isOfOne && condition && ` ${conditionsPhrase([condition])}`}`,
  columns: [
    [
      'Property',
      ({ label, note }) => html`${label}${note && html`<small>${note}</small>`}`,
      'wrap property',
    ],
    [
      'Same?',
      ({ verdict }) => (verdict === 'unknown' ? UNKNOWN : verdict),
      ({ verdict }) => (verdict === 'differs' ? 'text lacking' : 'text'),
    ],
    [html`<bdi>${a}</bdi>`, (each) => orUnknown(each.a), 'text wrap'],
    [html`<bdi>${b}</bdi>`, (each) => orUnknown(each.b), 'text wrap'],
  ],
  groups: [
    ...groupOf(
      null,
      properties.filter(({ decides }) => decides),
    ),
    ...groupOf(
      'Consequences',
      properties.filter(({ decides }) => !decides),
    ),
  ],
})}</details>`;
}

/** A group of properties; nothing if it is empty. */
function groupOf(
  heading: string | null,
  properties: readonly ComparedProperty[],
): Group<ComparedProperty>[] {
  return properties.length === 0 ? [] : [[heading, properties]];
}

/** Requested congestion control, and what TCP connections and server programs report. */
function congestionControls({ run, arms, experiment }: ReportView): Markup {
  const { client, readings, under = {} } = run.fairness;
  const overriding = run.networks.flatMap(({ name, congestionControl }) =>
    congestionControl && under[name] ? [name] : [],
  );
  const conditions = overriding.length > 0 ? overriding : [null];
  const { choices } = run;
  const hasOwn = run.arms.some(
    ({ protocol, settings }) => isOverTcp(protocol) && settings?.congestionControl,
  );
  const rows: [who: Insert, requested: string, has: Reading<string | number> | undefined][] = [
    [
      `${capitalize(experiment.clientNoun)}, over TCP${hasOwn ? ', where its server has no other' : ''}`,
      congestionControlOf({}, choices),
      client.tcpCongestionControl,
    ],
    ...arms.flatMap((arm) =>
      conditions.map((network): [Insert, string, Reading<string | number> | undefined] => [
        network === null ? stackLabel(arm) : html`${stackLabel(arm)} over <bdi>${network}</bdi>`,
        configuredOf(arm.arm, run, network),
        (network === null ? readings : under[network])?.[arm.arm]?.congestionControl,
      ]),
    ),
  ];
  return table({
    label: 'Congestion control',
    class: 'congestion-controls',
    caption: 'Congestion control of each sender',
    columns: [
      ['', ([who]) => who],
      ['Requested', ([, requested]) => requested, 'text'],
      ['Has', ([, , has]) => orUnknown(has?.value?.toString() ?? null), 'text'],
      ['Read from', ([, , has]) => has?.from, 'text wrap quiet'],
    ],
    items: rows,
  });
}

/** Nothing was requested of an existing server, nor of the transport of a user's program. */
function configuredOf(
  arm: string,
  { arms, choices }: ReportView['run'],
  network: string | null,
): string {
  const found = arms.find((each) => each.arm === arm);
  const planned = found && {
    ...found,
    settings: network === null ? found.settings : settingsUnder(found, { name: network }),
  };
  if (!planned?.own) return congestionControlText(planned ?? {}, choices);
  if (planned.own.url !== undefined || !isOverTcp(planned.protocol)) return 'nothing';
  const ofTcp = congestionControlOf(planned, choices);
  return isOverQuic(planned.protocol) ? bothText('nothing', ofTcp) : ofTcp;
}

function endsTable({ client, server }: FairnessManifest, clientNoun: string): Markup {
  return html`<details class="printed"><summary>Both ends of the path in full</summary>
${table({
  label: 'Both ends of the path',
  class: 'ends',
  caption: 'Both ends of the path',
  columns: [
    ['', ([what]) => what],
    [`${capitalize(clientNoun)}'s end`, ([, of]) => of(client).text, 'text wrap'],
    ["Servers' end", ([, of]) => of(server).text, 'text wrap'],
    ['Read from', ([, of]) => of(server).from, 'text wrap quiet'],
  ],
  items: ENDS,
})}</details>`;
}

function stackReadingsTable(
  { stacks }: FairnessManifest,
  planned: readonly PlannedArm[],
): Markup | false {
  const rows = planned.flatMap(({ arm, label }) =>
    Object.entries(stacks[arm] ?? {}).map(([name, { value }]) => ({ label, name, value })),
  );
  if (rows.length === 0) return false;
  return html`<details class="printed"><summary>What the servers report of themselves</summary>
${table({
  label: 'What the servers report of themselves',
  caption: 'What the servers report of themselves',
  columns: [
    ['Stack', ({ label }) => label],
    ['What', ({ name }) => html`<bdi>${name}</bdi>`, 'text'],
    ['Value', ({ value }) => orUnknown(value), 'text wrap'],
  ],
  items: rows,
})}</details>`;
}

const UNKNOWN = html`<em>unknown</em>`;

function orUnknown(text: string | null): Insert {
  return text === null ? UNKNOWN : html`<bdi>${text}</bdi>`;
}

interface ReadingText {
  text: Insert;
  from: string;
}

function readingText<T>(reading: Reading<T>, textOf: (value: T) => string): ReadingText {
  const { value, from } = reading;
  return { text: orUnknown(value === null ? null : textOf(value)), from };
}

const identity = (value: string) => value;
const onOrOff = (value: boolean) => (value ? 'on' : 'off');
const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');
const bytes = (value: number) => `${countText(value)} bytes`;
const rangeOf = ({ minimum, initial, maximum }: BufferRange) =>
  `${bytes(initial)} at first (${countText(minimum)} to ${countText(maximum)})`;
const ECN = ['off', 'requested', 'granted on request'];

/** Readings of an end in the order of the table. */
const ENDS: [what: string, of: (end: EndManifest) => ReadingText][] = [
  ['TCP congestion control', (end) => readingText(end.tcpCongestionControl, identity)],
  [
    'TCP initial window',
    (end) => readingText(end.tcpInitialWindowSegments, (value) => `${countText(value)} segments`),
  ],
  ['Payload of a full TCP segment', (end) => readingText(end.tcpMssBytes, bytes)],
  ['MTU of the path, as TCP takes it', (end) => readingText(end.pathMtuBytes, bytes)],
  ['MTU of the device', (end) => readingText(end.deviceMtuBytes, bytes)],
  ['Segments per packet', (end) => readingText(end.segmentsPerPacket, countText)],
  ['Queueing discipline', (end) => readingText(end.queueingDiscipline, identity)],
  ['Offloads switched on', (end) => readingText(end.offloads, switchedOn)],
  ['TCP slow start after idle', (end) => readingText(end.tcpSlowStartAfterIdle, onOrOff)],
  ['TCP remembers earlier connections', (end) => readingText(end.tcpSavesMetrics, yesOrNo)],
  ['TCP ECN', (end) => readingText(end.tcpEcn, (value) => ECN[value] ?? String(value))],
  ['TCP receive buffer', (end) => readingText(end.tcpReceiveBufferBytes, rangeOf)],
  ['TCP send buffer', (end) => readingText(end.tcpSendBufferBytes, rangeOf)],
  ['UDP receive buffer', (end) => readingText(end.udpReceiveBufferBytes, bytes)],
  ['UDP send buffer', (end) => readingText(end.udpSendBufferBytes, bytes)],
  ['Limit of the UDP receive buffer', (end) => readingText(end.udpReceiveBufferLimitBytes, bytes)],
  ['Limit of the UDP send buffer', (end) => readingText(end.udpSendBufferLimitBytes, bytes)],
  ['IPv6', (end) => readingText(end.ipv6, onOrOff)],
  ['Routes', (end) => readingText(end.routes, (routes) => routes.join(', ') || 'none')],
];

function switchedOn(offloads: Record<string, boolean>): string {
  const names = Object.keys(offloads).filter((name) => offloads[name]);
  return names.join(', ') || 'none';
}

/** Processor time of browser, server, link and benchmark on their shared cores, by stack and condition. */
function processor({ arms, summary, experiment }: ReportView): Markup {
  return html`<h3>Processor time</h3>
<p>${capitalize(experiment.clientNoun)}, server, the link between them and the benchmark itself share the cores of one machine. <em>CPU pressure</em> is the share
of a ${experiment.attempt[0]}'s time in which something waited for a core. Where two stacks met different pressure, part of the result may be due
to this machine, and their verdicts say so.</p>
${table({
  label: 'Processor time',
  caption: `Medians of the ${experiment.site[1]}’ medians, over the ${experiment.attempt[1]} that count. A dash: not known.`,
  columns: [
    ['', ({ arm }) => stackLabel(arm)],
    [
      'CPU pressure, %',
      ({ cpuPressurePercent }) =>
        cpuPressurePercent === null ? '–' : decimalText(cpuPressurePercent, 0),
    ],
    [
      `${capitalize(experiment.clientNoun)}, ms`,
      ({ clientCpuMs }) => millisecondsText(clientCpuMs),
    ],
    ['Server, ms', ({ serverCpuMs }) => millisecondsText(serverCpuMs)],
    ['Link, ms', ({ linkCpuMs }) => millisecondsText(linkCpuMs)],
    ['Benchmark, ms', ({ runnerCpuMs }) => millisecondsText(runnerCpuMs)],
  ],
  groups: summary.overview.map(({ network, conditionText: text, arms: known }) => [
    conditionTitle({ network, text }),
    arms.flatMap((arm) => {
      const found = known.find((each) => each.arm === arm.arm);
      return found ? [{ arm, ...found.processor }] : [];
    }),
  ]),
})}`;
}
