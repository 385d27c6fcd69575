import { bytesText, countWithNoun, decimalText } from '../../../kit/text/number.ts';
import type { Limit, LimitedBy, PacketSource } from '../records.ts';
import { THRESHOLDS } from './thresholds.ts';

type Observed = LimitedBy['observed'];

/**
 * Sentence with the observations behind a limit, or behind an unknown one.
 * @param packets source of the sender's state; undefined: the sender, if it reported any
 */
export function limitReasonText(
  limit: Limit | null,
  observed: Observed,
  packets?: PacketSource,
): string {
  if (limit === null) return undecidedText(observed, packets);
  const sentence =
    (packets && SENTENCES_OF_PACKETS[limit]?.(observed)) ?? SENTENCES[limit](observed);
  const isNotable = limit !== 'server' && (observed.serverPercent ?? 0) >= NOTABLE_PERCENT;
  return isNotable
    ? `${sentence} The server itself took ${ofTotalText(observed, 'serverPercent')}.`
    : sentence;
}

/** Least share of the time that is named although it is not the limit. */
const NOTABLE_PERCENT = 10;

const SENTENCES: Readonly<Record<Limit, (observed: Observed) => string>> = {
  'round trips': (observed) =>
    `For ${ofTotalText(observed, 'roundTripsPercent')} the client waited for a handshake or a response, at a round trip of ${ms(observed.roundTripMs)}.`,
  'congestion window': (observed) =>
    `For ${ofTotalText(observed, 'congestionWindowPercent')} the bytes in flight filled the sender's congestion window (median ${bytes(observed.cwndBytes)}), and ${dropsText(observed)}.`,
  'receive window': (observed) =>
    `For ${ofTotalText(observed, 'receiveWindowPercent')} the receive window limited the bytes in flight (median ${bytes(observed.inFlightBytes)}), below its congestion window of ${bytes(observed.cwndBytes)}.`,
  'stream window': (observed) =>
    `For ${ofTotalText(observed, 'streamWindowPercent')} the connection got only ${bytes(observed.inFlightBytes)} in a round trip of ${ms(observed.roundTripMs)}, below its congestion window of ${bytes(observed.cwndBytes)}, and nothing else was busy. The limit was the streams' windows, or the sender had no more data ready.`,
  processor: (observed) => {
    const [whose, percent] = busiestOf(observed);
    return `For ${ofTotalText(observed, 'processorPercent')} a thread had a core or waited for one. The busiest was that of the ${whose}, for ${number(percent)} % of all the time.`;
  },
  link: (observed) =>
    `For ${ofTotalText(observed, 'linkPercent')} the link sent at its full rate; it was busy for ${number(observed.linkBusyPercent)} % of all the time.`,
  server: (observed) =>
    `For ${ofTotalText(observed, 'serverPercent')} the server had the request and sent nothing: by its own account (Server-Timing), or beyond one round trip of ${ms(observed.roundTripMs)} after the handshake or an upload's last packet.`,
  loss: (observed) =>
    `For ${ofTotalText(observed, 'lossPercent')} the sender waited for lost packets, or filled a congestion window that losses had reduced (median ${bytes(observed.cwndBytes)}); ${lossesText(observed)}.`,
};

/** Where the sender's congestion window is unknown. */
const SENTENCES_OF_PACKETS: Readonly<Partial<Record<Limit, (observed: Observed) => string>>> = {
  'congestion window': (observed) =>
    `For ${ofTotalText(observed, 'congestionWindowPercent')} the bytes in flight (median ${bytes(observed.inFlightBytes)}) stayed at their maximum while the receiver's windows had room, and ${dropsText(observed)}.`,
  'receive window': (observed) =>
    `For ${ofTotalText(observed, 'receiveWindowPercent')} the receive window limited the bytes in flight (median ${bytes(observed.inFlightBytes)}).`,
  'stream window': (observed) =>
    `For ${ofTotalText(observed, 'streamWindowPercent')} the streams' windows limited the bytes in flight (median ${bytes(observed.inFlightBytes)}).`,
  server: (observed) =>
    `For ${ofTotalText(observed, 'serverPercent')} the server had the request and sent nothing: by its own account (Server-Timing), beyond one round trip of ${ms(observed.roundTripMs)} after the handshake, or with nothing in flight and room in every window.`,
  loss: (observed) =>
    `For ${ofTotalText(observed, 'lossPercent')} the sender waited for lost packets, or filled a congestion window that losses had reduced (median in flight ${bytes(observed.inFlightBytes)}); ${lossesText(observed)}.`,
};

function dropsText({ queueDrops }: Observed): string {
  return queueDrops ? `only a full queue dropped packets, ${queueDrops}` : 'no packet was lost';
}

function lossesText({ lostPackets }: Observed): string {
  return `${countWithNoun(lostPackets ?? 0, 'packet was', 'packets were')} lost without a full queue`;
}

/** Whether the program that carries the packets was the limit: then the benchmark itself was measured. */
export function isLinkLimit({ limit, observed }: LimitedBy): boolean {
  const [whose, percent] = busiestOf(observed);
  return limit === 'processor' && whose === 'link' && percent >= 100 * THRESHOLDS.occupiedShare;
}

/** The busiest program, or the link's, with its share of the time in percent. */
function busiestOf(observed: Observed): [whose: 'client' | 'server' | 'link', percent: number] {
  const [client, server, link] = [
    observed.clientOccupiedPercent ?? 0,
    observed.serverOccupiedPercent ?? 0,
    observed.linkCpuPercent ?? 0,
  ];
  if (link >= Math.max(client, server)) return ['link', link];
  return client >= server ? ['client', client] : ['server', server];
}

function undecidedText(observed: Observed, packets: PacketSource | undefined): string {
  if ((observed.unknownPercent ?? 0) >= 40) {
    const sender =
      packets === undefined
        ? "the sender's transport reported nothing"
        : `packets ${packets} show neither a full window nor an idle sender`;
    return `For ${ofTotalText(observed, 'unknownPercent')} neither link nor processor was busy, and ${sender}.`;
  }
  const shares = Object.entries(SHARE_NAMES)
    .map(([key, name]) => [name, observed[key] ?? 0] as const)
    .filter(([, percent]) => percent >= NOTABLE_PERCENT)
    .sort(([, a], [, b]) => b - a)
    .map(([name, percent]) => `${name} ${number(percent)} %`);
  return `No single limit dominated: ${shares.join(', ')} of the time.`;
}

const SHARE_NAMES = {
  roundTripsPercent: 'round trips',
  congestionWindowPercent: 'congestion window',
  receiveWindowPercent: 'receive window',
  streamWindowPercent: 'stream window',
  processorPercent: 'processor',
  linkPercent: 'link',
  lossPercent: 'loss',
  serverPercent: 'server',
  unknownPercent: 'unknown',
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
