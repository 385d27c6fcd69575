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
  none: 'without real-time priority: late where the machine is busy',
};

/**
 * What a path was asked to be and was measured to be, as lines for a person.
 * @param condition what the path was measured under
 */
export function proofLines(
  calibration: AssessedCalibration,
  condition: SeededCondition,
): readonly string[] {
  const { udpRttMs, tcpRttMs, toServerMs, toClientMs, udpProbes, udpProbesLost } = calibration;
  const { rttMs, trace, traceUp } = condition;
  const delay = `asked ${decimalText(rttMs)} ms`;
  const lossPercent = configuredLossPercent(condition);
  const rows: [what: string, found: string][] = [
    ['round trip', `${delay}, found over UDP ${spread(udpRttMs)}, over TCP ${spread(tcpRttMs)}`],
    [
      'one way',
      `asked ${decimalText(rttMs / 2)} ms, found to the server ${spread(toServerMs)}, to the client ${spread(toClientMs)}`,
    ],
    rateRow('rate down', limitKbps(condition, 'toClient'), calibration.downKbps, trace),
    rateRow('rate up', limitKbps(condition, 'toServer'), calibration.upKbps, traceUp),
    [
      'loss',
      `asked ${decimalText(lossPercent)} % each way, found ${udpProbesLost} of ${udpProbes} probes lost there or back${tooFew(lossPercent, udpProbes)}`,
    ],
    ...udpRows(calibration),
    ['made by', backendText(calibration)],
  ];
  const widest = Math.max(...rows.map(([what]) => what.length));
  return [
    `The path: ${conditionText(condition)}.`,
    ...rows.map(([what, found]) => `  ${what.padEnd(widest)}  ${found}`),
    ...(calibration.late === null ? [] : [`  ${calibration.late}`]),
  ];
}

/** Fewer losses than these are expected of so few probes that none at all says nothing. */
const MIN_EXPECTED = 3;

function tooFew(lossPercent: number, probes: number): string {
  const expected = probes * (1 - (1 - lossPercent / 100) ** 2);
  if (expected === 0 || expected >= MIN_EXPECTED) return '';
  return `, which are too few to show it: ${decimalText(expected)} would be lost on average`;
}

/** The median, and the least and the most where they tell more. */
function spread({ median, minimum, maximum }: Spread): string {
  const [middle, least, most] = [median, minimum, maximum].map((ms) => ms.toFixed(2));
  return least === most ? `${middle} ms` : `${middle} ms (${least} to ${most})`;
}

function rateRow(
  what: string,
  askedKbps: number | null,
  foundKbps: number | null,
  trace: SeededCondition['trace'],
): [string, string] {
  if (askedKbps === null) return [what, 'no limit'];
  const asked = `asked ${rateText(askedKbps)}${trace ? ' on average, as a constant rate' : ''}`;
  return [what, `${asked}, found ${rateOf(foundKbps)}`];
}

function rateOf(kbps: number | null): string {
  return kbps === null ? 'too little to tell' : rateText(kbps);
}

/** What became of UDP where it is treated in its own way; everything else was measured without that. */
function udpRows({ udp }: AssessedCalibration): [string, string][] {
  if (udp === null) return [];
  const { treatment, kbps, toServer, toClient, refusal, tcpKbps } = udp;
  if (kbps !== null) {
    const found = `${rateOf(toClient.kbps)} down, ${rateOf(toServer.kbps)} up`;
    const tcp = tcpKbps === null ? '' : `; TCP beside it ${rateText(tcpKbps)}`;
    return [['UDP', `asked ${rateText(kbps)} each way, found ${found}${tcp}`]];
  }
  const arrived = `${toServer.packets + toClient.packets} of ${toServer.sent + toClient.sent} datagrams arrived`;
  const told = refusal === null ? '' : `, senders were told ${refusal}`;
  return [['UDP', `asked ${treatment}, found: ${arrived}${told}`]];
}

function backendText({ backend, linkPriority, isSeeded }: AssessedCalibration): string {
  if (backend === 'netem') {
    const chance = isSeeded === false ? '; its losses and jitter have no seed' : '';
    return `netem, the network emulator of the kernel${chance}`;
  }
  const priority = linkPriority === null ? '' : `, ${PRIORITIES[linkPriority]}`;
  return `a link in user space${priority}`;
}

/** What went over a path, as lines for a person. */
export function trafficLines({ toServer, toClient, maxLatenessMs }: PathCounts): readonly string[] {
  return [
    'Over the path went:',
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
    ...(queueDrops > 0 ? [`${countText(queueDrops)} dropped where the queue was full`] : []),
    ...(udpDropped > 0 ? [`${countText(udpDropped)} of UDP not let through`] : []),
  ].join('; ');
}
