import path from 'node:path';
import { hostsOf, type SiteManifest } from '../cache/manifest.ts';
import type { LoadConnections } from '../records/connection.ts';
import type { MachineUse } from '../records/machine-use.ts';
import type { PathCounts } from '../records/network.ts';
import type { HarnessMs } from '../records/page-load.ts';
import type { RunChoices, Trial } from '../records/run.ts';
import { withBrowser } from './browser/chromium.ts';
import { deterministicPageScript } from './browser/deterministic-page.ts';
import type { Failure } from './browser/ending.ts';
import { loadLimitMs, newPatience, type Patience } from './browser/patience.ts';
import { withProfile } from './browser/profile.ts';
import { type Visit, visit } from './browser/visit.ts';
import { DEFAULTS } from './defaults.ts';
import { NetworkError } from './errors.ts';
import { readNetLog } from './net-log/read.ts';
import { onCores } from './pinning.ts';
import { type Heartbeat, startHeartbeat, type TimeKept } from './quiet/heartbeat.ts';
import { startWatch, type Watch } from './quiet/watch.ts';
import type { Server } from './servers.ts';
import { stopwatch } from './stopwatch.ts';
import type { TrialContext } from './trial.ts';

/** A trial's place among others: one page load at a time. */
export interface Turn {
  /** Resolves when nothing of an earlier trial is at work any more. Until then the browser may start, and nothing else. */
  begins: Promise<unknown>;
  /** Called when the load is over and what is left to do needs neither path nor servers; may be called again. */
  ended(): void;
}

/** The turn of a trial that is alone. */
export const AT_ONCE: Turn = { begins: Promise.resolve(), ended: () => {} };

/** A visit with everything that was seen around it. */
export interface Visited extends Pick<Visit, 'events' | 'timings' | 'handshakes'> {
  failure: Failure | null;
  connections: LoadConnections | null;
  machine: MachineUse | null;
  /** null: the load never began, or never came to its end. */
  time: TimeKept | null;
  /** What went over the path; null: the load never began. */
  path: PathCounts | null;
  /** When its turn began. */
  startedAt: Date;
  stepsMs: Omit<HarnessMs, 'har' | 'total'>;
}

/**
 * Sends a browser of its own to the site's page. The browser is started before its turn and ended after it, so that loads follow
 * each other closely and yet nothing of one goes on during another.
 */
export async function visitSite(
  trial: Trial,
  manifest: SiteManifest,
  server: Server,
  context: TrialContext,
  turn: Turn,
): Promise<Visited> {
  const { choices, signal } = context;
  const step = stopwatch();
  const patience = newPatience(signal);
  try {
    const visited = await withProfile(async (profileFolder) => {
      const logs = choices.netLog === 'all' || (choices.netLog === 'warm-ups' && trial.warmup);
      const netLogFile = logs ? path.join(profileFolder, 'net-log.json') : null;
      const { visit: made, ...seen } = await visitWatched(trial, manifest, server, {
        ...context,
        ...{ profileFolder, netLogFile, turn, patience },
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
    const failure = failureOf(error as Error, patience);
    return {
      ...{ events: [], timings: null, handshakes: null, connections: null },
      ...{ machine: null, time: null, path: null, startedAt: new Date() },
      failure,
      stepsMs: { launch: step(), ...NOTHING_ELSE_MS },
    };
  } finally {
    patience.end();
    turn.ended();
  }
}

/** What broke: the path, or else the browser. */
function failureOf(error: Error, patience: Patience): Failure {
  if (error instanceof NetworkError) return { code: 'network-failed', message: error.message };
  if (patience.signal.aborted) {
    return { code: 'browser-hung', message: (patience.signal.reason as Error).message };
  }
  return { code: 'browser-failed', message: `Chromium failed: ${error.message}` };
}

/** The visit in a browser of its own, with a watch on the machine while it goes on. */
async function visitWatched(
  trial: Trial,
  manifest: SiteManifest,
  server: Server,
  context: TrialContext & {
    profileFolder: string;
    netLogFile: string | null;
    turn: Turn;
    patience: Patience;
  },
): Promise<
  { visit: Visit; launchMs: number } & Pick<Visited, 'machine' | 'time' | 'path' | 'startedAt'>
> {
  const { chromium, timeoutS, choices, path: networkPath, signal } = context;
  const { profileFolder, netLogFile, turn, patience } = context;
  const pinned = choices.pinned ? onCores(choices.pinned.browserCores) : [];
  const step = stopwatch();
  patience.allow(DEFAULTS.browserStartMs, 'its start');
  return withBrowser(
    {
      ...{ chromium, profileFolder, netLogFile, signal: patience.signal },
      enter: [...networkPath.agent.enter('client'), ...pinned],
      protocol: server.stack.protocol,
      tlsMost: choices.tlsMost,
      origins: server.origins,
      spkiPins: server.spkiPins,
    },
    async (browser) => {
      const launchMs = step();
      let watch: Watch | null = null;
      let heartbeat: Heartbeat | null = null;
      let machine: MachineUse | null = null;
      let time: TimeKept | null = null;
      let counts: PathCounts | null = null;
      let startedAt = new Date();
      const made = await visit(browser, {
        ...{ url: manifest.url, hosts: hostsOf(manifest), kind: trial.visit },
        ...{ timeoutS, capture: true },
        script: isDeterministic(manifest, choices) ? deterministicPageScript() : null,
        onReady: async () => {
          patience.rest();
          await turn.begins;
          // What came before may have broken what this load needs.
          signal?.throwIfAborted();
          startedAt = new Date();
          // Also between two loads of one condition: counts start from zero, and the losses of a block from its seed.
          await networkPath.apply({ ...trial.network, seed: trial.networkSeed });
          patience.allow(loadLimitMs(trial.visit, timeoutS), 'the load');
        },
        onNavigation: () => {
          const browserPid = browser.process()?.pid ?? 0;
          watch = startWatch({ serverPid: server.pid, browserPid });
          heartbeat = startHeartbeat();
        },
        onQuiet: async () => {
          time = heartbeat?.end() ?? null;
          machine = watch?.end() ?? null;
          patience.rest();
          counts = await networkPath.count();
          turn.ended();
          patience.allow(DEFAULTS.browserAnswerMs, 'telling its handshakes');
        },
      }).finally(() => heartbeat?.end());
      patience.rest();
      return {
        visit: made,
        machine,
        time,
        path: counts ?? (await networkPath.count()),
        startedAt,
        launchMs,
      };
    },
  );
}

/** Of the steps of a load that never came to them. */
const NOTHING_ELSE_MS = {
  ...{ prepare: 0, earlierLoad: 0, load: 0 },
  ...{ settle: 0, handshakes: 0, tearDown: 0 },
};

/** Generated pages have nothing that depends on chance or the day. */
function isDeterministic({ kind }: SiteManifest, { deterministicPages }: RunChoices): boolean {
  return (
    deterministicPages === 'all' || (deterministicPages === 'recorded' && kind !== 'generated')
  );
}
