import { readFile } from 'node:fs/promises';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import type { VisitKind } from '../../records/page-load.ts';
import type { RunChoices, Trial } from '../../records/run.ts';
import { BrowserHungError } from '../browser/chromium.ts';
import { deterministicPageScript } from '../browser/deterministic-page.ts';
import { makeEarlierLoad } from '../browser/earlier-load.ts';
import type { Failure } from '../browser/ending.ts';
import type { Place } from '../browser/place.ts';
import { load, painted, settle, type VisitOptions, watchTab } from '../browser/visit.ts';
import { withDeadline } from '../deadline.ts';
import { DEFAULTS } from '../defaults.ts';
import { NetworkError } from '../errors.ts';
import { startHeartbeat } from '../quiet/heartbeat.ts';
import { startWatch } from '../quiet/watch.ts';
import { serverOf } from '../servers.ts';
import { stopwatch } from '../stopwatch.ts';
import type { Measured, Prepared, TrialContext } from './load.ts';

/** Makes a place for a trial in a browser. Nothing of it goes over the path. */
export async function prepare(trial: Trial, context: TrialContext): Promise<Prepared> {
  const step = stopwatch();
  const server = serverOf(trial.stack, context.servers);
  const limitMs = DEFAULTS.browserStartMs + DEFAULTS.browserAnswerMs;
  const opened = await inBrowser(openPlace(trial, context), limitMs, 'a place', context).catch(
    (error) => ({ place: failureOf(error, context), recorder: null }),
  );
  const settling = Promise.withResolvers<void>();
  return { trial, server, ...opened, prepareMs: step(), settling };
}

async function openPlace(
  trial: Trial,
  context: TrialContext,
): Promise<Pick<Prepared, 'place' | 'recorder'>> {
  const place = await context.places.open(trial.stack);
  const isFirst = trial.visit === 'cold';
  return { place, recorder: isFirst ? await watchTab(place, optionsOf(trial, context)) : null };
}

/** Carries out a trial in its place; whatever breaks is told as its failure. */
export async function measure(prepared: Prepared, context: TrialContext): Promise<Measured> {
  const { place, trial, settling } = prepared;
  const startedAt = new Date();
  try {
    if ('code' in place) return { ...NOTHING_SEEN, failure: place, startedAt };
    const limitMs = loadLimitMs(trial.visit, context.timeoutS);
    return await inBrowser(measureIn(place, prepared, context), limitMs, 'the load', context);
  } catch (error) {
    return { ...NOTHING_SEEN, failure: failureOf(error as Error, context), startedAt };
  } finally {
    settling.resolve();
  }
}

/** Gives the place of a trial back. */
export async function dispose({ place }: Prepared): Promise<void> {
  if ('code' in place) return;
  // A browser that does not answer meets its end with the next load, which it fails.
  await withDeadline(place.leave(), DEFAULTS.browserAnswerMs, () => {});
}

async function measureIn(
  place: Place,
  { trial, server, recorder: watching, settling }: Prepared,
  context: TrialContext,
): Promise<Measured> {
  const { path } = context;
  const { visit } = trial;
  const step = stopwatch();
  const condition = { ...trial.network, seed: trial.networkSeed };
  const options = optionsOf(trial, context);
  await path.apply(condition);
  let at = place;
  if (visit !== 'cold') {
    const hosts = hostsOf(context.manifest);
    const tab = await makeEarlierLoad(place, { ...options, hosts, kind: visit });
    const stepsMs = { ...NO_STEPS, earlierLoad: step() };
    if ('code' in tab) return { ...NOTHING_SEEN, failure: tab, startedAt: new Date(), stepsMs };
    at = { ...place, tab };
    // Counts start from zero once more, and the losses of a block from its seed.
    await path.apply(condition, { keepsConnections: visit === 'reload' });
  }
  const recorder = watching ?? (await watchTab(at, options));
  const earlierLoadMs = step();
  const startedAt = new Date();
  const watch = startWatch({ serverPid: server.pid, browserPid: place.browserPid });
  const heartbeat = startHeartbeat();
  try {
    const loaded = await load(at, recorder, options);
    const loadMs = step();
    watch.loaded();
    if (recorder.isQuiet()) painted(at).then(settling.resolve);
    const visited = await settle(at, loaded);
    const time = heartbeat.end();
    const machine = watch.end();
    return {
      ...visited,
      ...{ time, machine, startedAt },
      path: await path.count(),
      connections: await path.connections(await keyLogFor(visit, place)),
      stepsMs: { earlierLoad: earlierLoadMs, load: loadMs, settle: step() },
    };
  } finally {
    heartbeat.end();
  }
}

function optionsOf({ visit }: Trial, { manifest, choices, timeoutS }: TrialContext): VisitOptions {
  const script = isDeterministic(manifest, choices) ? deterministicPageScript() : null;
  return { url: manifest.url, isReload: visit === 'reload', timeoutS, script, capture: true };
}

/** Whoever offers no ticket sends no early data, so that nobody needs keys to tell what became of it. */
async function keyLogFor(visit: VisitKind, { keyLogFile }: Place): Promise<string | undefined> {
  return visit === 'cold' ? undefined : readFile(keyLogFile, 'utf8').catch(() => undefined);
}

/** Waits for a browser, which may hang. */
function inBrowser<T>(
  promise: Promise<T>,
  limitMs: number,
  what: string,
  { signal }: TrialContext,
): Promise<T> {
  const late = () => {
    throw new BrowserHungError(what, limitMs);
  };
  return withDeadline(promise, limitMs, late, signal);
}

/** What broke: the path, or else the browser. Only an interruption is thrown. */
function failureOf(error: Error, { signal }: TrialContext): Failure {
  signal?.throwIfAborted();
  if (error instanceof NetworkError) return { code: 'network-failed', message: error.message };
  if (error instanceof BrowserHungError) return { code: 'browser-hung', message: error.message };
  return { code: 'browser-failed', message: `Chromium failed: ${error.message}` };
}

/** The most that a browser can need for its load when it answers: the limits of all the steps, and some seconds. */
function loadLimitMs(kind: VisitKind, timeoutS: number): number {
  const oneLoadMs = timeoutS * 1000 + DEFAULTS.quietLimitMs;
  return (kind === 'cold' ? 1 : 2) * oneLoadMs + DEFAULTS.browserAnswerMs;
}

/** Of the steps of a load that never came to them. */
const NO_STEPS = { earlierLoad: 0, load: 0, settle: 0 };

const NOTHING_SEEN = {
  ...{ events: [], timings: null, connections: null, machine: null, time: null, path: null },
  stepsMs: NO_STEPS,
};

/** Generated pages have nothing that depends on chance or the day. */
function isDeterministic({ kind }: SiteManifest, { deterministicPages }: RunChoices): boolean {
  return (
    deterministicPages === 'all' || (deterministicPages === 'recorded' && kind !== 'generated')
  );
}
