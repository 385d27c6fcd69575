import type { RawOptions } from '../../../ground/options/row.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import type { RunOfSeries } from '../../../report/series.ts';
import { PUBLISHED } from '../preset.ts';

/** One step of the ladder: the options of the step before with one thing changed. */
export interface AblationStep extends RunOfSeries {
  /** The change and its reason, as sentences. */
  change: string;
  /** Round trips that the document needs, connection included. */
  documentRoundTrips: { quic: number; https: number };
}

/** The preset that measures all steps. */
export const LADDER_NAME = 'ladder';

/**
 * The sites of the ladder: of the 19 that were published with and without delay the 8 with the fewest bytes. They load sooner,
 * and none was chosen for its result.
 */
export const LADDER_SITES: readonly string[] = [
  'www.example.org',
  'www.baidu.com',
  'www.google.co.in',
  'www.google.com',
  'www.wikipedia.org',
  'www.nbcnews.com',
  'www.twitter.com',
  'www.iana.org',
];

/** What is the same on every step: one delay that was published too, and the fewest pairs of each site that have an interval. */
const COMMON: RawOptions = { sites: LADDER_SITES.join(), rtt: '30', repetitions: '6' };

interface StepChange extends Pick<AblationStep, 'title' | 'change'> {
  /** Absent: as on the step before. */
  documentRoundTrips?: AblationStep['documentRoundTrips'];
  /** Options that make the one thing, to what they become. */
  set: RawOptions;
}

const CHANGES: Readonly<Record<string, StepChange>> = {
  published: {
    title: 'The published comparison',
    change:
      'As it was made in 2018: the time of the document on a reload. QUIC answers on a connection that is open; HTTPS is HTTP/1.0 by Flask’s development server, with TLS 1.2 and a new connection for every request.',
    set: {},
  },
  'same-bytes': {
    title: 'The same bytes',
    change:
      'Both send the document as it was recorded. Before, the HTTPS server sent it uncompressed, as it was saved, with its header lines as text of the page.',
    set: { document: 'recorded' },
  },
  'tls-1.3': {
    title: 'TLS 1.3',
    change:
      'HTTPS has the TLS that QUIC always has. Its handshake takes one round trip where that of TLS 1.2 takes two.',
    documentRoundTrips: { quic: 1, https: 3 },
    set: { tls: '1.3' },
  },
  'keep-alive': {
    title: 'Connections kept open',
    change:
      'The same HTTPS server speaks HTTP/1.1 and keeps its connections open, as QUIC does. On a reload both then ask over a connection that is there: before, a handshake was held against a request.',
    documentRoundTrips: { quic: 1, https: 1 },
    set: { stacks: 'lsquic-h3,flask-dev-h1', baseline: 'flask-dev-h1' },
  },
  'both-cold': {
    title: 'First visits',
    change:
      'Both begin in a fresh browser, so that both handshakes are measured: one round trip by QUIC, two by TCP and TLS 1.3.',
    documentRoundTrips: { quic: 2, https: 3 },
    set: { visit: 'cold' },
  },
  'sub-resources': {
    title: 'The whole page is served',
    change:
      'Images, scripts and styles come from the servers under test. Before, all of them were answered 404. Still only the document is timed.',
    set: { 'sub-resources': 'served' },
  },
  'page-load': {
    title: 'Page load time',
    change:
      'What is timed is the whole page, to the end of its load event. Before, it was one request of it.',
    set: { metric: 'page-load' },
  },
  mtu: {
    title: 'Packets of the internet',
    change:
      'The path carries packets of 1,500 bytes, one segment each, and TCP’s receive buffer begins as today’s kernels have it. Before, both were as on loopback in 2018: TCP could send 64 kB as one packet, so that its first congestion window of ten packets held up to 640 kB, into a receive buffer of 1 MB, while QUIC’s packets are small everywhere.',
    set: { mtu: '1500', offloads: 'off', 'receive-buffer': 'stock' },
  },
  'same-program': {
    title: 'The same program',
    change:
      'HTTPS is served by the program and the handler that serve QUIC, still by HTTP/1.1. Before, it was a development server in Python.',
    set: { stacks: 'lsquic-h3,bun-h1', baseline: 'bun-h1' },
  },
  'http-2': {
    title: 'HTTP/2',
    change:
      'HTTPS speaks HTTP/2, as most sites do: all requests of a host share one connection, as they do by HTTP/3. Before, each of up to six connections carried one request at a time.',
    set: { stacks: 'lsquic-h3,bun-h2', baseline: 'bun-h2' },
  },
  interleaved: {
    title: 'Taking turns',
    change:
      'The two are loaded in turns, in an order of chance. Before, all loads by one came before all loads by the other, so that whatever changed on the machine meanwhile looked like a difference.',
    set: { order: 'shuffled' },
  },
  'running-browser': {
    title: 'A browser that is running',
    change:
      'Each page is loaded in a fresh context of a browser that has run for a while. Before, each load had a browser that was just started, whose code for QUIC is colder than the kernel’s for TCP.',
    set: { isolation: 'context' },
  },
  'initial-window': {
    title: 'The same initial window',
    change:
      'TCP may send as many packets as lsquic before the first acknowledgement, 32. Before, it had the 10 of Linux, so that larger pages took a round trip more whatever the protocol.',
    set: { initcwnd: 'matched' },
  },
};

/** From the published comparison to a fair one, one change after another; the last compares as this project does, but with the kernel's receive buffer. */
export const LADDER: readonly AblationStep[] = stepsOf(CHANGES);

/**
 * Refuses what no ladder can be measured with.
 * @throws UsageError for several delays: a step is one number
 */
export function assertOneDelay({ rtt }: RawOptions): void {
  if (!rtt?.includes(',')) return;
  throw new UsageError(
    `--rtt ${rtt}: a ladder has one round-trip time, for example --rtt 30. Make one ladder for each.`,
  );
}

function stepsOf(steps: typeof CHANGES): AblationStep[] {
  let options: RawOptions = { ...PUBLISHED, ...COMMON };
  // HTTP/1.0 by TLS 1.2 over a new connection, against a request over an open one.
  let documentRoundTrips = { quic: 1, https: 4 };
  return Object.entries(steps).map(([name, { set, ...step }], index) => {
    options = { ...options, ...set };
    documentRoundTrips = step.documentRoundTrips ?? documentRoundTrips;
    const folder = `${String(index).padStart(2, '0')}-${name}`;
    return { ...step, name, documentRoundTrips, folder, options };
  });
}
