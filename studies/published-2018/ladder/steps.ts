import type { RawOptions } from '../../../ground/options/row.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import type { RunOfSeries } from '../../../report/series.ts';
import { PUBLISHED } from '../preset.ts';

/** A step of the ladder: the options of the step before with one change. */
export interface AblationStep extends RunOfSeries {
  /** The change and its reason, as sentences. */
  change: string;
  /** Round trips that the document needs, connection included. */
  documentRoundTrips: { quic: number; https: number };
}

/** The preset that measures all steps. */
export const LADDER_NAME = 'ladder';

/** Sites of the ladder: of the 19 published with and without delay the 8 with the fewest bytes. They load faster; results played no role. */
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

/** Options of every step: one published delay, and the fewest pairs per site that give an interval. */
const COMMON: RawOptions = { sites: LADDER_SITES.join(), rtt: '30', repetitions: '6' };

interface StepChange extends Pick<AblationStep, 'title' | 'change'> {
  /** Absent: as on the step before. */
  documentRoundTrips?: AblationStep['documentRoundTrips'];
  /** Changed options. */
  set: RawOptions;
}

const CHANGES: Readonly<Record<string, StepChange>> = {
  published: {
    title: 'The published comparison',
    change:
      'As measured in 2018: the document time on a reload. QUIC uses an open connection; HTTPS is HTTP/1.0 by Flask’s development server, with TLS 1.2 and a new connection for every request.',
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
      'HTTPS uses TLS 1.3, as QUIC always does. Its handshake takes one round trip instead of two.',
    documentRoundTrips: { quic: 1, https: 3 },
    set: { tls: '1.3' },
  },
  'keep-alive': {
    title: 'Connections kept open',
    change:
      'The same HTTPS server speaks HTTP/1.1 and keeps its connections open, as QUIC does. On a reload both then use an open connection: before, a handshake was compared with a request.',
    documentRoundTrips: { quic: 1, https: 1 },
    set: { stacks: 'lsquic-h3,flask-dev-h1', baseline: 'flask-dev-h1' },
  },
  'both-cold': {
    title: 'First visits',
    change:
      'Both start with a fresh browser, so that both handshakes are measured: one round trip by QUIC, two by TCP and TLS 1.3.',
    documentRoundTrips: { quic: 2, https: 3 },
    set: { visit: 'cold' },
  },
  'sub-resources': {
    title: 'The whole page is served',
    change:
      'Images, scripts and styles come from the servers under test. Before, all of them had status 404. Only the document is timed.',
    set: { 'sub-resources': 'served' },
  },
  'page-load': {
    title: 'Page load time',
    change: 'The whole page is timed, until the end of its load event. Before, it was one request.',
    set: { metric: 'page-load' },
  },
  mtu: {
    title: 'Packets of the internet',
    change:
      'The path carries packets of 1,500 bytes, one segment each, and TCP’s receive buffer starts as in current kernels. Before, both were as on loopback in 2018: TCP could send 64 kB as one packet, so that its first congestion window of ten packets held up to 640 kB, into a receive buffer of 1 MB, while QUIC’s packets are always small.',
    set: { mtu: '1500', offloads: 'off', 'receive-buffer': 'stock' },
  },
  'same-program': {
    title: 'The same program',
    change:
      'The program and the handler that serve QUIC also serve HTTPS, still by HTTP/1.1. Before, it was a development server in Python.',
    set: { stacks: 'lsquic-h3,bun-h1', baseline: 'bun-h1' },
  },
  'http-2': {
    title: 'HTTP/2',
    change:
      'HTTPS uses HTTP/2, as most sites do: all requests to a host share one connection, as with HTTP/3. Before, each of up to six connections carried one request at a time.',
    set: { stacks: 'lsquic-h3,bun-h2', baseline: 'bun-h2' },
  },
  interleaved: {
    title: 'Taking turns',
    change:
      'The two are loaded in turns, in random order. Before, all loads by one came before all loads by the other, so that any change of the machine meanwhile looked like a difference.',
    set: { order: 'shuffled' },
  },
  'running-browser': {
    title: 'A browser that is running',
    change:
      'Each page is loaded in a fresh context of a browser that has run for a while. Before, each load had a newly started browser, whose code for QUIC is colder than the kernel’s for TCP.',
    set: { isolation: 'context' },
  },
  'initial-window': {
    title: 'The same initial window',
    change:
      'TCP may send as many packets as lsquic before the first acknowledgement, 32. Before, it had the 10 of Linux, so that larger pages took an additional round trip with any protocol.',
    set: { initcwnd: 'matched' },
  },
};

/** From the published comparison to a fair one, one change at a time; the last is the project's default, except for the kernel's receive buffer. */
export const LADDER: readonly AblationStep[] = stepsOf(CHANGES);

/** @throws UsageError for several delays: a step has one number */
export function assertOneDelay({ rtt }: RawOptions): void {
  if (!rtt?.includes(',')) return;
  throw new UsageError(
    `--rtt ${rtt}: a ladder has one round-trip time, for example --rtt 30. Measure one ladder for each.`,
  );
}

function stepsOf(steps: typeof CHANGES): AblationStep[] {
  let options: RawOptions = { ...PUBLISHED, ...COMMON };
  // HTTP/1.0 with TLS 1.2 over a new connection, against a request over an open one.
  let documentRoundTrips = { quic: 1, https: 4 };
  return Object.entries(steps).map(([name, { set, ...step }], index) => {
    options = { ...options, ...set };
    documentRoundTrips = step.documentRoundTrips ?? documentRoundTrips;
    const folder = `${String(index).padStart(2, '0')}-${name}`;
    return { ...step, name, documentRoundTrips, folder, options };
  });
}
