import { bytesText, counted, decimalText } from '../../../kit/text/number.ts';
import type { Limit, LimitedBy } from '../records.ts';
import { THRESHOLDS } from './thresholds.ts';

type Observed = LimitedBy['observed'];

/** What was seen that says so, as a sentence; null: why it cannot be told. */
export function becauseOf(limit: Limit | null, observed: Observed): string {
  return limit === null ? unclear(observed) : SENTENCES[limit](observed);
}

const SENTENCES: Readonly<Record<Limit, (observed: Observed) => string>> = {
  'round trips': (seen) =>
    `For ${ofTotal(seen, 'roundTripsPercent')} a handshake or an answer was waited for, at a round trip of ${ms(seen.roundTripMs)}.`,
  'congestion window': (seen) =>
    `For ${ofTotal(seen, 'congestionWindowPercent')} the sender had as much on its way as its congestion window let it (${bytes(seen.cwndBytes)} in the middle), and ${seen.queueDrops ? `only a full queue dropped packets, ${seen.queueDrops}` : 'no packet was lost'}.`,
  'receive window': (seen) =>
    `For ${ofTotal(seen, 'receiveWindowPercent')} the sender had more to send than the receiver let be on its way (${bytes(seen.inFlightBytes)} in the middle), below its congestion window of ${bytes(seen.cwndBytes)}.`,
  'stream window': (seen) =>
    `For ${ofTotal(seen, 'streamWindowPercent')} no more was handed to the connection than ${bytes(seen.inFlightBytes)} in a round trip of ${ms(seen.roundTripMs)}, below its congestion window of ${bytes(seen.cwndBytes)} and with nothing else busy: the streams' windows let no more through, or the sender kept no more ready.`,
  processor: (seen) => {
    const [whose, percent] = busiestOf(seen);
    return `For ${ofTotal(seen, 'processorPercent')} a thread had a core or waited for one; the one of the ${whose} most, ${number(percent)} % of all the time.`;
  },
  link: (seen) =>
    `For ${ofTotal(seen, 'linkPercent')} the link was sending all that it let through, ${number(seen.linkBusyPercent)} % of all the time.`,
  loss: (seen) =>
    `For ${ofTotal(seen, 'lossPercent')} the sender waited for what was lost, or had as much on its way as losses had left of its congestion window (${bytes(seen.cwndBytes)} in the middle); ${counted(seen.lostPackets ?? 0, 'packet was', 'packets were')} lost without a full queue.`,
};

/** Whether the program that carries the packets is the processor that held a transfer up: then it is the bench that was measured. */
export function isLinkLimit({ limit, observed }: LimitedBy): boolean {
  const [whose, percent] = busiestOf(observed);
  return limit === 'processor' && whose === 'link' && percent >= 100 * THRESHOLDS.occupiedShare;
}

/** The program that was occupied longest, the link's too, with its share of the time in percent. */
function busiestOf(seen: Observed): [whose: 'client' | 'server' | 'link', percent: number] {
  const [client, server, link] = [
    seen.clientOccupiedPercent ?? 0,
    seen.serverOccupiedPercent ?? 0,
    seen.linkCpuPercent ?? 0,
  ];
  if (link >= Math.max(client, server)) return ['link', link];
  return client >= server ? ['client', client] : ['server', server];
}

function unclear(seen: Observed): string {
  if ((seen.untoldPercent ?? 0) >= 40) {
    return `For ${ofTotal(seen, 'untoldPercent')} neither link nor processor was busy, and nobody told what held the sender back.`;
  }
  const shares = Object.entries(SHARE_NAMES)
    .map(([key, name]) => [name, seen[key] ?? 0] as const)
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

function ofTotal(seen: Observed, share: keyof typeof SHARE_NAMES): string {
  const totalMs = seen.totalMs ?? 0;
  return `${number(((seen[share] ?? 0) * totalMs) / 100)} of ${number(totalMs)} ms`;
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
