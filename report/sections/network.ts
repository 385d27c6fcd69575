import { conditionText, configuredLossPercent } from '../../experiments/condition.ts';
import { limitKbps } from '../../ground/records/network.ts';
import { conditionTitle, html, type Insert, type Markup, nameOf } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import type { BackendUsed } from '../summary/machines.ts';
import type { Achieved, DirectionSummary, NetworkSummary } from '../summary/network.ts';
import { attemptsText, isOfBench, type ReportView } from './view.ts';

/** The path between browser and servers: who made it, its settings and its measurements. */
export const network: Section<ReportView> = {
  // This benchmark neither made nor measured other networks.
  isShown: ({ run }) => isOfBench(run),
  ...defineFoldedSection('network', 'Network', (view) => {
    const { run, summary, experiment } = view;
    const { clientNoun } = experiment;
    const [one, several] = experiment.attempt;
    const { networks } = summary;
    const priorities = [...new Set(networks.flatMap((each) => each.calibration.linkPriorities))];
    return {
      title: 'The network',
      about: networks.map(
        ({ name, calibration: { udpRttMs } }, index) =>
          html`${index > 0 && '; '}${nameOf(name)}${udpRttMs && `: ${decimalText(udpRttMs.median, 1)} ms measured`}`,
      ),
      content: html`<p>${capitalize(clientNoun)} and servers of a ${one} ran on one machine, each in a network namespace of its own with one path between them and no route to
anywhere else. ${madeBy(networks[0]?.backend ?? run.backend, priorities)} Half of an added delay acts
on the way to the servers, half on the way back; a network without added delay is the same path with nothing added. No
other traffic shares the path, and ${treatsAlike(networks)}. A network with a well-known name has the numbers below
and no other property that the name suggests.</p>
${
  networks.some(({ trace, traceUp }) => trace || traceUp) && html`<p>${RECORDED}</p>`
}${networks.length > 1 && html`<p>${betweenNetworks(experiment)}</p>`}
<h3>Configured and measured</h3>
<p>The path was measured before the ${several} of each ${experiment.site[0]} over each network: the round trip with small packets over UDP and over
TCP, and a limited rate with more than fits. Shown is the median of these measurements, with the lowest and the highest in
brackets. Configured is the added delay; measured includes the path's own time. A path with other settings,
as its fastest packets show, ends the run; where the machine was late, the ${several} that followed are marked as disturbed. Lost packets and packets dropped by a full queue are counted over all ${several}; only
the queue before a limited rate may overflow.</p>
<div class="networks">
${networks.map((each) => configuredAndMeasured(view, each))}</div>`,
    };
  }),
};

function treatsAlike(networks: readonly NetworkSummary[]): string {
  const all = 'nothing on it treats UDP unlike TCP';
  return networks.some(({ udp }) => udp) ? `${all} except where configured` : all;
}

function betweenNetworks({ attempt, site: [site] }: ReportView['experiment']): Markup {
  const [, several] = attempt;
  return html`<strong>Between two networks of this run</strong> only the numbers of the path changed. A difference between them, for one ${site} and one stack, may be put down to these numbers together, and to a single one only if no other number differs. The networks of a ${site} had their ${several} one after the other, not in turn like the stacks: slow drift of the machine can bias a comparison of networks, but hardly one of stacks over one network.`;
}

const RECORDED = html`<strong>A recorded link</strong> passes a packet of full length at each of its times, in Mahimahi’s format, and begins with the first packet of each attempt, so that all stacks meet the same link; its file is in the folder <code>traces</code> of the run. The path was measured with its mean as a constant rate.`;

const NETEM =
  'The path was made by netem, the network emulator of the Linux kernel, in a third namespace between the two.';

const USERSPACE =
  'The path was made by a program of this project: a link in user space that takes every packet from one namespace and delivers it to the other when it is due.';

function madeBy(backend: BackendUsed, priorities: readonly string[]): Insert {
  switch (backend) {
    case 'netem':
      return NETEM;
    case 'userspace':
      return [USERSPACE, ' ', priorityText(priorities)];
    case 'mixed':
      return html`<strong>Not all machines made the path in the same way</strong> (<a href="#machines">Machines</a>). By netem: ${NETEM} In user space: ${USERSPACE} ${priorityText(priorities)}`;
  }
}

const PRIORITY_TEXTS: Record<string, string> = {
  fifo: 'It ran with real-time priority (SCHED_FIFO), so that a busy machine hardly delays it.',
  eevdf:
    'It ran without real-time priority, with a short time slice only (EEVDF): on a busy machine single packets come some ms late.',
  none: 'It ran without real-time priority: on a busy machine packets come some ms late, and the delay varies more than configured.',
};

function priorityText(priorities: readonly string[]): string {
  const [priority] = priorities;
  if (priority === undefined) return 'Whether it ran with real-time priority is not known.';
  if (priorities.length > 1) return `Its scheduling changed in the run: ${priorities.join(', ')}.`;
  return PRIORITY_TEXTS[priority] ?? `Its scheduling: ${priority}.`;
}

type Row = [what: string, configured: Insert, measured: Insert];

function configuredAndMeasured(view: ReportView, summary: NetworkSummary): Markup {
  const { clientNoun } = view.experiment;
  const { name, rttMs, trace, traceUp, calibration, path } = summary;
  const [downKbps, upKbps] = [limitKbps(summary, 'toClient'), limitKbps(summary, 'toServer')];
  const delay = `${decimalText(rttMs)}${NO_BREAK}ms`;
  const rows: Row[] = [
    ['Round trip, UDP', delay, achievedText(calibration.udpRttMs, 2, 'ms')],
    ['Round trip, TCP', delay, achievedText(calibration.tcpRttMs, 2, 'ms')],
    ...(downKbps === null && upKbps === null
      ? [['Rates', `no${NO_BREAK}limit`, UNMEASURED] satisfies Row]
      : [
          rateRow(
            `${trace ? 'Mean rate' : 'Rate'}, to ${clientNoun}`,
            downKbps,
            calibration.downKbps,
          ),
          rateRow(`${traceUp ? 'Mean rate' : 'Rate'}, to servers`, upKbps, calibration.upKbps),
        ]),
    lossRow(`Lost, to ${clientNoun}`, summary, path.toClient),
    lossRow('Lost, to servers', summary, path.toServer),
    ...(calibration.isSeeded === null
      ? []
      : [
          [
            'Losses and jitter',
            'the same for all stacks of a block',
            calibration.isSeeded ? 'by their seed' : 'not the same: netem took no seed',
          ] satisfies Row,
        ]),
    dropsRow(`Queue drops, to ${clientNoun}`, downKbps, path.toClient),
    dropsRow('Queue drops, to servers', upKbps, path.toServer),
    ...treatmentRows(clientNoun, summary),
    latenessRow(view, path),
  ];
  return table({
    label: `Network ${name}, configured and measured`,
    class: 'network',
    caption: html`<strong>${conditionTitle({ network: summary, text: conditionText(summary) })}</strong><br>${countWithNoun(calibration.n, 'measurement')}, packets counted in ${attemptsText(view, path.nLoads)}`,
    columns: [
      ['', ([what]) => what],
      ['Configured', ([, configured]) => configured],
      ['Measured', ([, , measured]) => measured],
    ],
    items: rows,
  });
}

/** Keeps a number and its unit on one line. */
const NO_BREAK = '\u00a0';

const UNMEASURED = html`<span class="quiet">not measured</span>`;

function rateRow(what: string, configuredKbps: number | null, measured: Achieved | null): Row {
  return configuredKbps === null
    ? [what, `no${NO_BREAK}limit`, UNMEASURED]
    : [
        what,
        `${countText(Math.round(configuredKbps))}${NO_BREAK}kbit/s`,
        achievedText(measured, 0, 'kbit/s'),
      ];
}

function achievedText(achieved: Achieved | null, decimals: number, unit: string): Insert {
  if (!achieved) return UNMEASURED;
  const [middle, least, most] = [achieved.median, achieved.minimum, achieved.maximum].map(
    (value) => (decimals === 0 ? countText(Math.round(value)) : value.toFixed(decimals)),
  );
  return [
    html`${middle}${NO_BREAK}${unit}`,
    least !== most && html` <span class="quiet">(${least} to ${most})</span>`,
  ];
}

function lossRow(what: string, summary: NetworkSummary, direction: DirectionSummary): Row {
  const configured = `${decimalText(configuredLossPercent(summary))}${NO_BREAK}%`;
  const { packets, lost, queueDrops, udpDropped = 0, cut = 0, lostPercent } = direction;
  if (lostPercent === null) return [what, configured, UNMEASURED];
  const counts = html`${countText(lost)} of ${countText(packets + lost + queueDrops + udpDropped + cut)}`;
  return [
    what,
    configured,
    html`${decimalText(lostPercent)}${NO_BREAK}% <span class="quiet">(${counts})</span>`,
  ];
}

/** The UDP treatment, its effect on probes, and how many of the attempts' datagrams it dropped. */
function treatmentRows(clientNoun: string, { udp, calibration, path }: NetworkSummary): Row[] {
  const { toClient, toServer } = path;
  const dropped = (toClient.udpDropped ?? 0) + (toServer.udpDropped ?? 0);
  if (!udp) return dropped > 0 ? [['UDP dropped', 'none', countText(dropped)]] : [];
  const { treatment } = calibration;
  const rows: Row[] =
    udp.kbps === null
      ? [['UDP', udp.treatment, treatment ? arrivedText(treatment) : UNMEASURED]]
      : [
          rateRow(`Rate of UDP, to ${clientNoun}`, udp.kbps, treatment?.downKbps ?? null),
          rateRow('Rate of UDP, to servers', udp.kbps, treatment?.upKbps ?? null),
          ['TCP meanwhile', 'more', achievedText(treatment?.tcpKbps ?? null, 0, 'kbit/s')],
        ];
  return [
    ...rows,
    [`UDP dropped, to ${clientNoun}`, 'allowed', countText(toClient.udpDropped ?? 0)],
    ['UDP dropped, to servers', 'allowed', countText(toServer.udpDropped ?? 0)],
  ];
}

function arrivedText({
  sent,
  arrived,
  refusals,
}: NonNullable<NetworkSummary['calibration']['treatment']>): Markup {
  const numbers = refusals.length === 0 ? 'nothing' : refusals.join(', ');
  return html`${countText(arrived)} of ${countText(sent)} datagrams arrived <span class="quiet">(errors at senders: ${numbers})</span>`;
}

/** On a busy machine the link can be late. A few late packets hardly matter, but are shown. */
function latenessRow(
  view: ReportView,
  { maxLatenessMs, lateLoads, nLoads }: NetworkSummary['path'],
): Row {
  const what = `Packets more than 5${NO_BREAK}ms late`;
  if (maxLatenessMs === null || lateLoads === null) return [what, 'none', UNMEASURED];
  const most = `${decimalText(maxLatenessMs)}${NO_BREAK}ms`;
  return [
    what,
    'none',
    html`in ${countText(lateLoads)} of ${attemptsText(view, nLoads)} <span class="quiet">(at most ${most})</span>`,
  ];
}

/** A queue overflows only before a limited rate; elsewhere a drop is a fault. */
function dropsRow(what: string, kbps: number | null, direction: DirectionSummary): Row {
  const configured = kbps === null ? 'none' : 'allowed';
  const measured = direction.lostPercent === null ? UNMEASURED : countText(direction.queueDrops);
  return [what, configured, measured];
}
