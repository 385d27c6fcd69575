import { bytesText, countWithNoun, decimalText } from '../../../kit/text/number.ts';
import type { Limit, LimitedBy } from '../records.ts';
import { THRESHOLDS } from './thresholds.ts';

type Observed = LimitedBy['observed'];

/** What was seen that says so, as a sentence; null: why it cannot be told. */
export function limitReasonText(limit: Limit | null, observed: Observed): string {
  return limit === null ? undecidedText(observed) : SENTENCES[limit](observed);
}

const SENTENCES: Readonly<Record<Limit, (observed: Observed) => string>> = {
  'round trips': (observed) =>
    `For ${ofTotalText(observed, 'roundTripsPercent')} a handshake or an answer was waited for, at a round trip of ${ms(observed.roundTripMs)}.`,
  'congestion window': (observed) =>
    `For ${ofTotalText(observed, 'congestionWindowPercent')} the sender had as much on its way as its congestion window let it (${bytes(observed.cwndBytes)} in the middle), and ${observed.queueDrops ? `only a full queue dropped packets, ${observed.queueDrops}` : 'no packet was lost'}.`,
  'receive window': (observed) =>
    `For ${ofTotalText(observed, 'receiveWindowPercent')} the sender had more to send than the receiver let be on its way (${bytes(observed.inFlightBytes)} in the middle), below its congestion window of ${bytes(observed.cwndBytes)}.`,
  'stream window': (observed) =>
    `For ${ofTotalText(observed, 'streamWindowPercent')} no more was handed to the connection than ${bytes(observed.inFlightBytes)} in a round trip of ${ms(observed.roundTripMs)}, below its congestion window of ${bytes(observed.cwndBytes)} and with nothing else busy: the streams' windows let no more through, or the sender kept no more ready.`,
  processor: (observed) => {
    const [whose, percent] = busiestOf(observed);
    return `For ${ofTotalText(observed, 'processorPercent')} a thread had a core or waited for one; the one of the ${whose} most, ${number(percent)} % of all the time.`;
  },
  link: (observed) =>
    `For ${ofTotalText(observed, 'linkPercent')} the link was sending all that it let through, ${number(observed.linkBusyPercent)} % of all the time.`,
  loss: (observed) =>
    `For ${ofTotalText(observed, 'lossPercent')} the sender waited for what was lost, or had as much on its way as losses had left of its congestion window (${bytes(observed.cwndBytes)} in the middle); ${countWithNoun(observed.lostPackets ?? 0, 'packet was', 'packets were')} lost without a full queue.`,
};

/** Whether the program that carries the packets is the processor that held a transfer up: then it is the bench that was measured. */
export function isLinkLimit({ limit, observed }: LimitedBy): boolean {
  const [whose, percent] = busiestOf(observed);
  return limit === 'processor' && whose === 'link' && percent >= 100 * THRESHOLDS.occupiedShare;
}

/** The program that was occupied longest, the link's too, with its share of the time in percent. */
function busiestOf(observed: Observed): [whose: 'client' | 'server' | 'link', percent: number] {
  const [client, server, link] = [
    observed.clientOccupiedPercent ?? 0,
    observed.serverOccupiedPercent ?? 0,
    observed.linkCpuPercent ?? 0,
  ];
  if (link >= Math.max(client, server)) return ['link', link];
  return client >= server ? ['client', client] : ['server', server];
}

function undecidedText(observed: Observed): string {
  if ((observed.untoldPercent ?? 0) >= 40) {
    return `For ${ofTotalText(observed, 'untoldPercent')} neither link nor processor was busy, and nobody told what held the sender back.`;
  }
  const shares = Object.entries(SHARE_NAMES)
    .map(([key, name]) => [name, observed[key] ?? 0] as const)
    .filter(([, percent]) => percent >= 10)
    .sort(([, a], [, b]) => b - a)
    .map(([name, percent]) => `${name} ${number(percent)} %`);
  return `Nothing held it up much longer than all else: ${shares.join(', ')} of the time.`;
}

const SHARE_NAMES = {
  roundTripsPercent: 'round trips',
  congestionWindowPercent: 'congestion window',
  receiveWindowPercent: 'receive window',
  streamWindowPercent: 'stream window',
  processorPercent: 'processor',
  linkPercent: 'link',
  lossPercent: 'loss',
  untoldPercent: 'not told',
} as const;

function ofTotalText(observed: Observed, share: keyof typeof SHARE_NAMES): string {
  const totalMs = observed.totalMs ?? 0;
  return `${number(((observed[share] ?? 0) * totalMs) / 100)} of ${number(totalMs)} ms`;
}

function ms(value: number | null | undefined): string {
  return value === null || value === undefined ? 'unknown length' : `${decimalText(value, 1)} ms`;
}

function bytes(value: number | null | undefined): string {
  return value === null || value === undefined ? 'unknown size' : bytesText(value);
}

function number(value: number | null | undefined): string {
  return decimalText(value ?? 0, 0);
}
