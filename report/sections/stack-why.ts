import type { LoadPhasesMs, PageLoad } from '../../experiments/page-load/details.ts';
import { mean } from '../../statistics/mean.ts';

/** Parts of the time of one stack's loads of a site under one condition: means, because only means add up. */
export interface StackWhy {
  arm: string;
  label: string;
  /** Place in the run's plan, from 0; decides the colour. */
  place: number;
  /** Counted loads that have phases. */
  n: number;
  /** Counted loads whose HAR has no phases. */
  nMissing: number;
  /** Mean of the n loads, in ms; their sum is pageLoadMs. */
  partsMs: LoadPhasesMs;
  pageLoadMs: number;
  /** Part of the waiting beyond a round trip of each request; null: not known. */
  beyondMs: number | null;
  /** The first connection made for the document, with its handshake; null: no load made one. */
  connectMs: number | null;
  /** First byte of the document since navigationStart; null: not known. */
  firstByteMs: number | null;
  /** The same by the model, in round trips; null: not known. */
  roundTrips: number | null;
  /** Connections that carried a response; null: not known. */
  connections: number | null;
}

/**
 * Parts of the time of the counted loads of one stack; null if no load has phases.
 * @param documentHost host of the site's document, for the model's connection
 */
export function stackWhy(
  arm: Pick<StackWhy, 'arm' | 'label' | 'place'>,
  counted: readonly PageLoad[],
  documentHost: string,
): StackWhy | null {
  const loads = counted.filter(({ details }) => details?.phasesMs);
  const partsMs = meanParts(loads.flatMap(({ details }) => details?.phasesMs ?? []));
  if (partsMs === null) return null;
  const meanOf = (of: (load: PageLoad) => number | null) =>
    mean(loads.flatMap((load) => of(load) ?? []));
  return {
    ...arm,
    n: loads.length,
    nMissing: counted.length - loads.length,
    partsMs,
    pageLoadMs: PARTS.reduce((sum, { name }) => sum + partsMs[name], 0),
    beyondMs: mean(loads.flatMap(({ details }) => details?.waitingBeyondMs ?? [])),
    connectMs: meanOf(({ metrics }) => metrics.connectMs ?? null),
    firstByteMs: meanOf(({ metrics }) => metrics.firstByteMs ?? null),
    roundTrips: meanOf((load) => roundTripsToFirstByte(load, documentHost)),
    connections: meanOf(({ metrics }) => metrics.connections ?? null),
  };
}

function meanParts(parts: readonly LoadPhasesMs[]): LoadPhasesMs | null {
  if (parts.length === 0) return null;
  const meanOf = (name: keyof LoadPhasesMs) => mean(parts.map((each) => each[name]));
  return Object.fromEntries(
    PARTS.map(({ name }) => [name, meanOf(name)]),
  ) as unknown as LoadPhasesMs;
}

export interface Part {
  name: keyof LoadPhasesMs;
  label: string;
  definition: string;
  /** Form within a sentence. */
  phrase: string;
}

/** The parts of a page load time in the order of tables. */
export const PARTS: readonly Part[] = [
  {
    name: 'setUp',
    label: 'Set-up',
    definition: 'connections being made, no request waiting or receiving',
    phrase: 'set-up',
  },
  {
    name: 'waiting',
    label: 'Waiting',
    definition: 'requests sent, nothing arriving',
    phrase: 'waiting',
  },
  {
    name: 'transfer',
    label: 'Transfer',
    definition: 'at least one response arriving',
    phrase: 'transfer',
  },
  {
    name: 'rest',
    label: 'Rest',
    definition: 'no request under way: browser work',
    phrase: 'time without a request under way',
  },
];

/**
 * Round trips from requesting the document to its first byte, without loss: those of the handshake and one for the request.
 * QUIC's handshake takes 1 (RFC 9000 and 9001); TCP's takes 1, and that of TLS 1.3 another 1 (RFC 8446), of TLS 1.2
 * another 2 (RFC 5246). A request within the handshake (0-RTT) saves 1. Not included: redirects, and certificate chains
 * longer than three times what QUIC's client sent.
 * @param documentHost host of the document
 * @returns null when it is not known how the document's connection was made, or the load did not make it
 */
export function roundTripsToFirstByte(
  { details, connections }: Pick<PageLoad, 'details' | 'connections'>,
  documentHost: string,
): number | null {
  const handshake = HANDSHAKE_ROUND_TRIPS.get(details?.traffic?.tlsVersion ?? '');
  if (handshake === undefined) return null;
  if (connections === null) return handshake + 1;
  const opened = connections.opened.find(({ host }) => host === documentHost);
  if (opened === undefined) return null;
  return handshake + 1 - (opened.earlyData === 'accepted' ? 1 : 0);
}

const HANDSHAKE_ROUND_TRIPS = new Map<string, number>(
  Object.entries({
    QUIC: 1,
    'TLS 1.3': 2,
    'TLS 1.2': 3,
  }),
);
