import type { SiteManifest } from '../cache/manifest.ts';
import { spkiPin } from '../certs/leaf.ts';
import { type PageLoad, RECORD_FORMAT_VERSION, type TimingsMs } from '../records/page-load.ts';
import type { Trial } from '../records/run.ts';
import { withBrowser } from './browser/chromium.ts';
import { type Failure, type Visit, visit } from './browser/visit.ts';
import { buildHar } from './har/build.ts';
import type { Har } from './har/har.ts';
import { mainDocumentOf } from './har/main-document.ts';
import { trafficOf } from './har/traffic.ts';
import { type Judgement, judge } from './judge.ts';
import type { Path } from './network/path.ts';
import type { Results } from './results.ts';
import type { Server } from './servers.ts';

/** What every trial of a run has in common. */
export interface TrialContext {
  chromium: string;
  timeoutS: number;
  versions: Record<string, string>;
  results: Pick<Results, 'writeHar'>;
  path: Pick<Path, 'agent' | 'apply' | 'backend' | 'count'>;
  signal?: AbortSignal;
}

/** One planned load, carried out: a browser of its own, the HAR on the disk, and its record. Only an interruption is thrown. */
export async function runTrial(
  trial: Trial,
  order: number,
  manifest: SiteManifest,
  server: Server,
  measuredRttMs: number | null,
  context: TrialContext,
): Promise<PageLoad> {
  const { path } = context;
  // Also between two loads of one condition: counts start from zero, and the losses of a block from its seed.
  await path.apply({ ...trial.network, seed: trial.networkSeed });
  const startedAt = new Date().toISOString();
  const visited = await visitSite(manifest, server, context);
  const counts = await path.count();
  let { failure } = visited;
  let har: Har | null = null;
  let harPath: string | null = null;
  try {
    har = harOf(trial, manifest, visited, context);
    harPath = await context.results.writeHar(trial.id, har);
  } catch (error) {
    failure ??= {
      code: 'har-failed',
      message: `No HAR could be written: ${(error as Error).message}`,
    };
  }
  const judgement: Judgement =
    failure || har === null
      ? { outcome: 'failed', code: failure?.code ?? null, message: failure?.message ?? null }
      : judge(har, manifest, server.stack.protocol, { asked: trial.network, counts });
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    id: trial.id,
    order,
    site: trial.site,
    stack: trial.stack,
    protocol: server.stack.protocol,
    network: { ...trial.network, backend: path.backend, measuredRttMs },
    repetition: trial.repetition,
    block: trial.block,
    warmup: trial.warmup,
    visit: trial.visit,
    ...judgement,
    timingsMs: timingsOf(visited, har),
    traffic: har && trafficOf(har),
    path: counts,
    har: harPath,
    startedAt,
    attempt: 1,
  };
}

async function visitSite(
  manifest: SiteManifest,
  server: Server,
  { chromium, timeoutS, path, signal }: TrialContext,
): Promise<Omit<Visit, 'failure'> & { failure: Failure | null }> {
  try {
    const spkiPins = await Promise.all(Object.keys(server.origins).map((host) => spkiPin(host)));
    const { protocol } = server.stack;
    return await withBrowser(
      {
        chromium,
        enter: path.agent.enter('client'),
        protocol,
        origins: server.origins,
        spkiPins,
        signal,
      },
      (browser) => visit(browser, manifest.url, timeoutS, signal),
    );
  } catch (error) {
    signal?.throwIfAborted();
    const message = `Chromium failed: ${(error as Error).message}`;
    return { events: [], timings: null, failure: { code: 'browser-failed', message } };
  }
}

function harOf(trial: Trial, manifest: SiteManifest, visited: Visit, context: TrialContext): Har {
  return buildHar(visited.events, {
    site: trial.site,
    stack: trial.stack,
    url: manifest.url,
    comment: `${trial.site} by ${trial.stack}, network ${trial.network.name}, ${trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`}; the page was ${manifest.source}`,
    browserVersion: context.versions.chromium ?? '',
    creatorVersion: context.versions['quic-vs-https'] ?? '',
  });
}

function timingsOf({ timings }: Visit, har: Har | null): TimingsMs {
  const document = har && mainDocumentOf(har);
  return {
    pageLoad: timings?.loadEventEndMs ?? null,
    documentTime: document?.timeMs ?? null,
    firstByte: timings?.responseStartMs ?? null,
    connect: document?.connectMs ?? null,
    domContentLoaded: timings?.domContentLoadedEventEndMs ?? null,
    firstContentfulPaint: timings?.firstContentfulPaintMs ?? null,
    largestContentfulPaint: timings?.largestContentfulPaintMs ?? null,
  };
}
