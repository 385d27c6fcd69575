import { bun } from '../../clients/bun/client.ts';
import { contextPoolFor } from '../../clients/chromium/context-pool.ts';
import type { Failure } from '../../clients/chromium/failure.ts';
import { buildHar } from '../../clients/chromium/har/build.ts';
import type { Har, HarEntry } from '../../clients/chromium/har/har.ts';
import { mainDocumentOf } from '../../clients/chromium/har/main-document.ts';
import type { PageServer } from '../../clients/chromium/running-browser.ts';
import { load, settle, watchTab } from '../../clients/chromium/visit.ts';
import { failureOf } from '../../clients/connection-failure.ts';
import { quicConnector } from '../../clients/quic-connector.ts';
import type { LivePageFacts } from '../../experiments/measuring.ts';
import type { FailureReason } from '../../ground/records/connection-attempt.ts';
import type { Device } from '../../ground/records/device.ts';
import { quicHostOf } from '../../ground/records/quic-host.ts';
import type { PlannedSubject } from '../../ground/records/run.ts';
import type { Machine } from '../machine.ts';

/** Result of a first visit of a page, in which Chromium chooses the version of HTTP. */
export interface FirstVisit extends LivePageFacts {
  /** Why the page did not load; null: it did. */
  failure: Failure | null;
  /** URL after redirects. */
  url: string;
  /** HTTP version of the document; null: no document. */
  version: string | null;
  /** Requests and bytes of each host, by `host:port`, in the order of requests. */
  hosts: ReadonlyMap<string, { requests: number; bytes: number }>;
}

/** Options of a visit. */
interface VisitOptions {
  machine: Pick<Machine, 'chromium' | 'bun'>;
  timeoutS: number;
  device: Device | undefined;
  signal: AbortSignal;
}

/** For each host: a server that answers does so within a few round trips. */
const TIMEOUT_MS = 5_000;
const HOSTS_AT_ONCE = 4;

const SERVED: PageServer = {
  stack: { stack: 'first-visit', protocol: 'h2' },
  origins: {},
  spkiPins: [],
  live: 'freely',
};

/** Loads a page once to learn its hosts, and tries to connect to each of them over HTTP/3. That load is not part of a run's results. */
export async function visitFirst(
  { url, subject }: Pick<PlannedSubject, 'url' | 'subject'>,
  { machine, timeoutS, device, signal }: VisitOptions,
): Promise<FirstVisit> {
  const contexts = contextPoolFor('process', [SERVED], {
    chromium: machine.chromium,
    enter: [],
    ...(device && { device }),
    signal,
  });
  const context = await contexts.open(SERVED.stack.stack);
  try {
    const options = { url, isReload: false, timeoutS, script: null, capture: true };
    const recorder = await watchTab(context, options);
    const { events, failure } = await settle(context, await load(context, recorder, options));
    if (failure?.code === 'navigation-failed') return emptyVisit(url, failure);
    const har = buildHar(events, { ...ABOUT, site: subject, url });
    const document = mainDocumentOf(har)?.entry;
    if (!document || document.response.status === 0) return emptyVisit(url, failure);
    return {
      failure,
      url: document.request.url,
      version: document.response.httpVersion,
      hosts: hostsIn(har),
      ...(await probeHosts(har, machine, signal)),
    };
  } finally {
    await context.leave();
  }
}

const ABOUT = { stack: SERVED.stack.stack, comment: '', browserVersion: '', creatorVersion: '' };

/** Whether the page is available over QUIC alone is unknown: the run tries it. */
function emptyVisit(url: string, failure: Failure | null): FirstVisit {
  const quicHosts = [quicHostOf(url)];
  return { failure, url, version: null, hosts: new Map(), quicHosts, withoutQuic: {} };
}

function hostsIn(har: Har): FirstVisit['hosts'] {
  const entries = Map.groupBy(answeredEntries(har), ({ request }) => quicHostOf(request.url));
  return new Map(
    [...entries].map(([host, own]) => [
      host,
      {
        requests: own.length,
        bytes: own.reduce((sum, { response }) => sum + response._transferSize, 0),
      },
    ]),
  );
}

/** Responses of hosts that HTTP/3 can be tried with. */
function answeredEntries(har: Har): HarEntry[] {
  return har.log.entries.filter(
    ({ request, response, _fromCache }) =>
      response.status > 0 && _fromCache === undefined && request.url.startsWith('https:'),
  );
}

/** Connects over HTTP/3 to every host of a page, at the address where the visit found it, without a request. */
async function probeHosts(
  har: Har,
  machine: Pick<Machine, 'bun'>,
  signal: AbortSignal,
): Promise<LivePageFacts> {
  const entries = Map.groupBy(answeredEntries(har), ({ request }) => quicHostOf(request.url));
  const quicHosts = new Set<string>();
  const withoutQuic: Record<string, string> = Object.create(null);
  const left = entries.entries();
  const clients = quicConnector([machine.bun, bun.connect.program]);
  const connectNext = async () => {
    // Several calls share this iterator: each takes the next host.
    for (const [origin, own] of left) {
      const byH3 = own.some(({ response }) => response.httpVersion === 'h3');
      try {
        if (!byH3) {
          await clients.connect({ ...targetOf(origin, own), timeoutMs: TIMEOUT_MS, signal });
        }
        quicHosts.add(origin);
      } catch (error) {
        signal.throwIfAborted();
        withoutQuic[origin] = reasonOf(failureOf(error, 'quic'));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, connectNext));
  } finally {
    await clients.close();
  }
  return { quicHosts: [...entries.keys()].filter((each) => quicHosts.has(each)), withoutQuic };
}

/** Why a host made no connection over HTTP/3. The reason of a timeout is unknown. */
export function reasonOf({ code, reason }: Pick<FailureReason, 'code' | 'reason'>): string {
  const problem = reason.replace(/\.$/, '');
  return code === 'timeout'
    ? `${problem}: it does not speak HTTP/3, or UDP is blocked on the path`
    : problem;
}

/** Where to connect for a host and port of URLs: browsers accept more names than lists of hosts should contain. */
export function targetOf(
  origin: string,
  entries: readonly Pick<HarEntry, 'serverIPAddress'>[],
): { host: string; port: number; address: string } {
  const { hostname, port } = new URL(`https://${origin}`);
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  const found = entries.find(({ serverIPAddress }) => serverIPAddress)?.serverIPAddress ?? host;
  return { host, port: Number(port || 443), address: withoutBrackets(found) };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
