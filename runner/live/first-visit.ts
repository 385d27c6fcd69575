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
import { quicHostOf } from '../../ground/records/quic-host.ts';
import type { PlannedSubject } from '../../ground/records/run.ts';
import type { Machine } from '../machine.ts';

/** What a first visit of a page found, by a Chromium that decides for itself how it asks. */
export interface FirstVisit extends LivePageFacts {
  /** Why the page did not come; null: it did. */
  failure: Failure | null;
  /** Where redirects led to. */
  url: string;
  /** The version of HTTP that the document came by; null: none came. */
  version: string | null;
  /** What came from each host, by `host:port`, in the order asked. */
  hosts: ReadonlyMap<string, { requests: number; bytes: number }>;
}

/** How a page is visited. */
interface VisitOptions {
  machine: Pick<Machine, 'chromium' | 'bun'>;
  timeoutS: number;
  signal: AbortSignal;
}

/** Of each host: who answers at all does so within a few round trips. */
const TIMEOUT_MS = 5_000;
const HOSTS_AT_ONCE = 4;

const SERVED: PageServer = {
  stack: { stack: 'first-visit', protocol: 'h2' },
  origins: {},
  spkiPins: [],
  live: 'freely',
};

/** Loads a page once to learn which hosts it has, and asks each of them for a connection by HTTP/3; that load is no part of a run's results. */
export async function visitFirst(
  { url, subject }: Pick<PlannedSubject, 'url' | 'subject'>,
  { machine, timeoutS, signal }: VisitOptions,
): Promise<FirstVisit> {
  const contexts = contextPoolFor('process', [SERVED], {
    chromium: machine.chromium,
    enter: [],
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

/** Whether it can be had by QUIC alone nobody knows: it is tried. */
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

/** What came from hosts that HTTP/3 can be asked of. */
function answeredEntries(har: Har): HarEntry[] {
  return har.log.entries.filter(
    ({ request, response, _fromCache }) =>
      response.status > 0 && _fromCache === undefined && request.url.startsWith('https:'),
  );
}

/** Asks every host of a page, at the address that it was found at, for a connection by HTTP/3, and for nothing over it. */
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
  const ask = async () => {
    // An iterator that several share: each takes the next one.
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
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, ask));
  } finally {
    await clients.close();
  }
  return { quicHosts: [...entries.keys()].filter((each) => quicHosts.has(each)), withoutQuic };
}

/** Why a host made no connection by HTTP/3. Of those that are silent nobody knows. */
export function reasonOf({ code, reason }: Pick<FailureReason, 'code' | 'reason'>): string {
  const told = reason.replace(/\.$/, '');
  return code === 'timeout'
    ? `${told}: it does not speak HTTP/3, or UDP is blocked on the way`
    : told;
}

/** Where a host and port of URLs is asked for a connection: browsers know more names than are fit for lists of hosts. */
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
