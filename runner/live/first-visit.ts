import { contextPoolFor } from '../../clients/chromium/context-pool.ts';
import { buildHar } from '../../clients/chromium/har/build.ts';
import type { PageServer } from '../../clients/chromium/running-browser.ts';
import { load, settle, watchTab } from '../../clients/chromium/visit.ts';
import type { Har, HarEntry } from '../../clients/har/har.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import { type HostToProbe, probeHosts } from '../../clients/http3-probe.ts';
import type { Failure } from '../../clients/load-failure.ts';
import type { LivePageFacts } from '../../experiments/measuring.ts';
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

interface VisitOptions {
  machine: Pick<Machine, 'chromium' | 'bun'>;
  timeoutS: number;
  device: Device | undefined;
  signal: AbortSignal;
}

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
      ...(await probeHosts(hostsToProbe(har), machine.bun, signal)),
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

function hostsToProbe(har: Har): ReadonlyMap<string, HostToProbe> {
  const entries = Map.groupBy(answeredEntries(har), ({ request }) => quicHostOf(request.url));
  return new Map(
    [...entries].map(([host, own]) => [
      host,
      {
        address: own.find(({ serverIPAddress }) => serverIPAddress)?.serverIPAddress,
        isProven: own.some(({ response }) => response.httpVersion === 'h3'),
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
