import path from 'node:path';
import { hostsOf, type SiteManifest } from '../cache/manifest.ts';
import type { LoadConnections } from '../records/connection.ts';
import type { LoadPhasesMs } from '../records/load-phases.ts';
import type { MachineUse, QuietRule } from '../records/machine-use.ts';
import {
  type HarnessMs,
  type PageLoad,
  RECORD_FORMAT_VERSION,
  type TimingsMs,
} from '../records/page-load.ts';
import type { RunChoices, Trial } from '../records/run.ts';
import { withBrowser } from './browser/chromium.ts';
import { deterministicPageScript } from './browser/deterministic-page.ts';
import { withProfile } from './browser/profile.ts';
import { type Failure, stopwatch, type Visit, visit } from './browser/visit.ts';
import { buildHar } from './har/build.ts';
import type { Har } from './har/har.ts';
import { lastByteMs } from './har/last-byte.ts';
import { mainDocumentOf } from './har/main-document.ts';
import { phasesOf as loadPhasesOf } from './har/phases.ts';
import { trafficOf } from './har/traffic.ts';
import { type Judgement, judge } from './judging/judge.ts';
import { readNetLog } from './net-log/read.ts';
import type { Path } from './network/path.ts';
import { onCores } from './pinning.ts';
import { disturbance } from './quiet/rule.ts';
import { startWatch, type Watch } from './quiet/watch.ts';
import type { Results } from './results.ts';
import type { Server } from './servers.ts';

/** What every trial of a run has in common. */
export interface TrialContext {
  chromium: string;
  timeoutS: number;
  choices: RunChoices;
  quietRule: QuietRule;
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
  const { path: networkPath } = context;
  const total = stopwatch();
  // Also between two loads of one condition: counts start from zero, and the losses of a block from its seed.
  await networkPath.apply({ ...trial.network, seed: trial.networkSeed });
  const startedAt = new Date().toISOString();
  const visited = await visitSite(trial, manifest, server, context);
  const counts = await networkPath.count();
  const step = stopwatch();
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
  const harMs = step();
  const { protocol } = server.stack;
  const { handshakes, connections, machine } = visited;
  const judgement: Judgement =
    failure || har === null
      ? { outcome: 'failed', code: failure?.code ?? null, message: failure?.message ?? null }
      : judge(
          { har, path: counts, handshakes, connections, machine },
          {
            ...{ manifest, protocol },
            visit: trial.visit,
            network: trial.network,
            origins: server.origins,
          },
        );
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    id: trial.id,
    order,
    site: trial.site,
    stack: trial.stack,
    protocol,
    network: { ...trial.network, backend: networkPath.backend, measuredRttMs },
    repetition: trial.repetition,
    block: trial.block,
    warmup: trial.warmup,
    visit: trial.visit,
    ...judgement,
    timingsMs: timingsOf(visited, har),
    phasesMs: phasesOf(visited, har),
    traffic: har && trafficOf(har),
    handshakes,
    connections,
    machine,
    disturbed: machine && disturbance(machine, context.quietRule),
    harnessMs: { ...visited.stepsMs, har: harMs, total: total() },
    path: counts,
    har: harPath,
    startedAt,
    attempt: 1,
  };
}

/** A visit with everything that was seen around it. */
interface Visited extends Pick<Visit, 'events' | 'timings' | 'handshakes'> {
  failure: Failure | null;
  connections: LoadConnections | null;
  machine: MachineUse | null;
  stepsMs: Omit<HarnessMs, 'har' | 'total'>;
}

async function visitSite(
  trial: Trial,
  manifest: SiteManifest,
  server: Server,
  context: TrialContext,
): Promise<Visited> {
  const { choices, signal } = context;
  const step = stopwatch();
  try {
    const visited = await withProfile(async (profileFolder) => {
      const logs = choices.netLog === 'all' || (choices.netLog === 'warm-ups' && trial.warmup);
      const netLogFile = logs ? path.join(profileFolder, 'net-log.json') : null;
      const { visit: made, ...seen } = await visitWatched(trial, manifest, server, {
        ...context,
        ...{ profileFolder, netLogFile },
      });
      const sinceMs = made.navigatedAtMs;
      // The log is whole only now that the browser has ended.
      const connections =
        netLogFile && sinceMs !== null ? await readNetLog(netLogFile, sinceMs) : null;
      return { ...made, ...seen, connections };
    });
    const { stepsMs, launchMs, ...rest } = visited;
    const inBrowserMs = launchMs + Object.values(stepsMs).reduce((sum, ms) => sum + ms, 0);
    return { ...rest, stepsMs: { launch: launchMs, ...stepsMs, tearDown: step() - inBrowserMs } };
  } catch (error) {
    signal?.throwIfAborted();
    const message = `Chromium failed: ${(error as Error).message}`;
    return {
      ...{ events: [], timings: null, handshakes: null, connections: null, machine: null },
      failure: { code: 'browser-failed', message },
      stepsMs: { launch: step(), ...NOTHING_ELSE_MS },
    };
  }
}

/** The visit in a browser of its own, with a watch on the machine while it goes on. */
async function visitWatched(
  trial: Trial,
  manifest: SiteManifest,
  server: Server,
  context: TrialContext & { profileFolder: string; netLogFile: string | null },
): Promise<{ visit: Visit; machine: MachineUse | null; launchMs: number }> {
  const { chromium, timeoutS, choices, path: networkPath, signal } = context;
  const { profileFolder, netLogFile } = context;
  const pinned = choices.pinned ? onCores(choices.pinned.browserCores) : [];
  const step = stopwatch();
  return withBrowser(
    {
      ...{ chromium, profileFolder, netLogFile, signal },
      enter: [...networkPath.agent.enter('client'), ...pinned],
      protocol: server.stack.protocol,
      origins: server.origins,
      spkiPins: server.spkiPins,
    },
    async (browser) => {
      const launchMs = step();
      let watch: Watch | null = null;
      let machine: MachineUse | null = null;
      const made = await visit(browser, {
        ...{ url: manifest.url, hosts: hostsOf(manifest), kind: trial.visit },
        ...{ timeoutS, capture: true, signal },
        script: isDeterministic(manifest, choices) ? deterministicPageScript(SCRIPT_SEED) : null,
        onNavigation: () => {
          const browserPid = browser.process()?.pid ?? 0;
          watch = startWatch({ serverPid: server.pid, browserPid });
        },
        onQuiet: () => {
          machine = watch?.end() ?? null;
        },
      });
      return { visit: made, machine, launchMs };
    },
  );
}

/** Of the steps of a load that never came to them. */
const NOTHING_ELSE_MS = {
  ...{ prepare: 0, earlierLoad: 0, load: 0 },
  ...{ settle: 0, handshakes: 0, tearDown: 0 },
};

/** Any number will do, as long as it is the same in every load. */
const SCRIPT_SEED = 1;

/** Generated pages have nothing that depends on chance or the day. */
function isDeterministic({ kind }: SiteManifest, { deterministicPages }: RunChoices): boolean {
  return (
    deterministicPages === 'all' || (deterministicPages === 'recorded' && kind !== 'generated')
  );
}

function harOf(trial: Trial, manifest: SiteManifest, visited: Visited, context: TrialContext): Har {
  const visitText = trial.visit === 'cold' ? '' : `, ${trial.visit} visit`;
  return buildHar(visited.events, {
    site: trial.site,
    stack: trial.stack,
    url: manifest.url,
    comment: `${trial.site} by ${trial.stack}, network ${trial.network.name}${visitText}, ${trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`}; the page was ${manifest.source}`,
    browserVersion: context.versions.chromium ?? '',
    creatorVersion: context.versions['quic-vs-https'] ?? '',
  });
}

function phasesOf({ timings }: Visited, har: Har | null): LoadPhasesMs | null {
  const pageLoadMs = timings?.loadEventEndMs ?? null;
  return har && pageLoadMs !== null ? loadPhasesOf(har, pageLoadMs) : null;
}

function timingsOf({ timings }: Visited, har: Har | null): TimingsMs {
  const document = har && mainDocumentOf(har);
  return {
    pageLoad: timings?.loadEventEndMs ?? null,
    documentTime: document?.timeMs ?? null,
    firstByte: timings?.responseStartMs ?? null,
    connect: document?.connectMs ?? null,
    domContentLoaded: timings?.domContentLoadedEventEndMs ?? null,
    firstContentfulPaint: timings?.firstContentfulPaintMs ?? null,
    largestContentfulPaint: timings?.largestContentfulPaintMs ?? null,
    lastByte: har && lastByteMs(har),
  };
}
