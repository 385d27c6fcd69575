import { conditionText, configuredLossPercent } from '../../experiments/condition.ts';
import type { Spread } from '../../ground/records/calibration.ts';
import { type DirectionCounts, limitKbps, type PathCounts } from '../../ground/records/network.ts';
import {
  bytesText,
  countText,
  countWithNoun,
  decimalText,
  rateText,
} from '../../kit/text/number.ts';
import type { AssessedCalibration } from '../../network/calibration/until-right.ts';
import type { SeededCondition } from '../../network/conditions.ts';

const PRIORITIES: Readonly<Record<NonNullable<AssessedCalibration['linkPriority']>, string>> = {
  fifo: 'with real-time priority',
  eevdf: 'with a short time slice, without real-time priority',
  none: 'without real-time priority: late when the machine is busy',
};

/** Configured and measured properties of a path, as lines for a person. */
export function proofLines(
  calibration: AssessedCalibration,
  condition: SeededCondition,
): readonly string[] {
  const { udpRttMs, tcpRttMs, toServerMs, toClientMs, udpProbes, udpProbesLost } = calibration;
  const { rttMs, trace, traceUp } = condition;
  const delay = `configured ${decimalText(rttMs)} ms`;
  const lossPercent = configuredLossPercent(condition);
  const rows: [label: string, value: string][] = [
    ['round trip', `${delay}, measured over UDP ${spread(udpRttMs)}, over TCP ${spread(tcpRttMs)}`],
    [
      'one way',
      `configured ${decimalText(rttMs / 2)} ms, measured to the server ${spread(toServerMs)}, to the client ${spread(toClientMs)}`,
    ],
    rateRow('rate down', limitKbps(condition, 'toClient'), calibration.downKbps, trace),
    rateRow('rate up', limitKbps(condition, 'toServer'), calibration.upKbps, traceUp),
    [
      'loss',
      `configured ${decimalText(lossPercent)} % in each direction, measured ${udpProbesLost} of ${udpProbes} probes lost${tooFew(lossPercent, udpProbes)}`,
    ],
    ...udpRows(calibration),
    ['emulator', backendText(calibration)],
  ];
  const widest = Math.max(...rows.map(([label]) => label.length));
  return [
    `The path: ${conditionText(condition)}.`,
    ...rows.map(([label, value]) => `  ${label.padEnd(widest)}  ${value}`),
    ...(calibration.late === null ? [] : [`  ${calibration.late}`]),
  ];
}

/** With fewer expected losses, zero measured losses prove nothing. */
const MIN_EXPECTED = 3;

function tooFew(lossPercent: number, probes: number): string {
  const expected = probes * (1 - (1 - lossPercent / 100) ** 2);
  if (expected === 0 || expected >= MIN_EXPECTED) return '';
  return `, too few probes to verify it: ${decimalText(expected)} expected losses`;
}

/** The median, with the range if the values differ. */
function spread({ median, minimum, maximum }: Spread): string {
  const [middle, least, most] = [median, minimum, maximum].map((ms) => ms.toFixed(2));
  return least === most ? `${middle} ms` : `${middle} ms (${least} to ${most})`;
}

function rateRow(
  label: string,
  configuredKbps: number | null,
  measuredKbps: number | null,
  trace: SeededCondition['trace'],
): [string, string] {
  if (configuredKbps === null) return [label, 'no limit'];
  const configured = `configured ${rateText(configuredKbps)}${trace ? ' on average, as a constant rate' : ''}`;
  return [label, `${configured}, measured ${rateOf(measuredKbps)}`];
}

function rateOf(kbps: number | null): string {
  return kbps === null ? 'too little data' : rateText(kbps);
}

/** Result for UDP where UDP has its own treatment; all other rows were measured without it. */
function udpRows({ udp }: AssessedCalibration): [string, string][] {
  if (udp === null) return [];
  const { treatment, kbps, toServer, toClient, refusal, tcpKbps } = udp;
  if (kbps !== null) {
    const measured = `${rateOf(toClient.kbps)} down, ${rateOf(toServer.kbps)} up`;
    const tcp = tcpKbps === null ? '' : `; TCP at the same time ${rateText(tcpKbps)}`;
    return [['UDP', `configured ${rateText(kbps)} in each direction, measured ${measured}${tcp}`]];
  }
  const arrived = `${toServer.packets + toClient.packets} of ${toServer.sent + toClient.sent} datagrams arrived`;
  const error = refusal === null ? '' : `, senders received ${refusal}`;
  return [['UDP', `configured ${treatment}, measured: ${arrived}${error}`]];
}

function backendText({ backend, linkPriority, isSeeded }: AssessedCalibration): string {
  if (backend === 'netem') {
    const chance = isSeeded === false ? '; its loss and jitter have no seed' : '';
    return `netem, the network emulator of the kernel${chance}`;
  }
  const priority = linkPriority === null ? '' : `, ${PRIORITIES[linkPriority]}`;
  return `a link in user space${priority}`;
}

/** Traffic over a path, as lines for a person. */
export function trafficLines({ toServer, toClient, maxLatenessMs }: PathCounts): readonly string[] {
  return [
    'Traffic over the path:',
    `  to the server  ${wentText(toServer)}`,
    `  to the client  ${wentText(toClient)}`,
    ...(maxLatenessMs === null
      ? []
      : [`  the latest packet left ${decimalText(maxLatenessMs)} ms too late`]),
  ];
}

function wentText({ packets, bytes, lost, queueDrops, udpDropped = 0 }: DirectionCounts): string {
  return [
    `${countWithNoun(packets, 'packet')}, ${bytesText(bytes)}`,
    `${countText(lost)} lost`,
    ...(queueDrops > 0 ? [`${countText(queueDrops)} dropped by the full queue`] : []),
    ...(udpDropped > 0 ? [`${countText(udpDropped)} UDP packets blocked`] : []),
  ].join('; ');
}
