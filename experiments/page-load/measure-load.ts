import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { deterministicPageScript } from '../../clients/chromium/deterministic-page.ts';
import { makeEarlierLoad } from '../../clients/chromium/earlier-load.ts';
import { LIMITS } from '../../clients/chromium/limits.ts';
import { asksForNames, namesOf } from '../../clients/chromium/names.ts';
import type { Place } from '../../clients/chromium/place.ts';
import { readKeyLog } from '../../clients/chromium/profile.ts';
import type { Recorder } from '../../clients/chromium/recorder.ts';
import { loadUntilComplete } from '../../clients/chromium/until-complete.ts';
import {
  load,
  painted,
  settle,
  type Visit,
  type VisitOptions,
  watchTab,
} from '../../clients/chromium/visit.ts';
import { comesBack, hasEarlierLoad, type VisitKind } from '../../clients/chromium/visit-kind.ts';
import { startWatch } from '../../ground/host/watch.ts';
import { isLive, undisturbed } from '../../ground/records/network.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { untreated } from '../../network/udp.ts';
import { failureOf, inBrowser, leavePlace, PLACE_LIMIT_MS } from '../in-browser.ts';
import { linkSamples } from '../link.ts';
import { type ReadyServer, serverOf } from '../measuring.ts';
import { capturesPackets } from '../packets.ts';
import { tcpInfoMs } from '../tcp-info.ts';
import { counted, NOT_COUNTED, NOT_OBSERVED, observe } from '../trial.ts';
import type { LoadContext, Measured, Prepared } from './load.ts';
import { otherBytesIn } from './other-bytes.ts';

/** Makes a place for a trial in a browser. Nothing of it goes over the path. */
export async function prepare(trial: Trial, context: LoadContext): Promise<Prepared> {
  const step = stopwatch();
  const server = serverOf(trial.arm, context.servers);
  const opened = await inBrowser(
    openPlace(trial, context),
    PLACE_LIMIT_MS,
    'a place',
    context,
  ).catch((error) => ({ place: failureOf(error, context), recorder: null }));
  const settling = Promise.withResolvers<void>();
  return { trial, server, ...opened, prepareMs: step(), settling };
}

async function openPlace(
  trial: Trial,
  context: LoadContext,
): Promise<Pick<Prepared, 'place' | 'recorder'>> {
  const visit = visitOf(trial);
  const place = await context.places.open(trial.arm, visit);
  const options = optionsOf(trial, context);
  return { place, recorder: hasEarlierLoad(visit) ? null : await watchTab(place, options) };
}

/** Loads the page by several servers at once, and keeps nothing: a load that fails does so again when it counts. */
export async function warmUp(trials: readonly Trial[], context: LoadContext): Promise<void> {
  const [first] = trials;
  if (!first) return;
  await context.path.apply(undisturbed({ ...first.network, seed: first.networkSeed }));
  const loads = trials.map(async (trial) => {
    const place = await context.places.open(trial.arm, visitOf(trial));
    try {
      const options = { ...optionsOf(trial, context), isReload: false };
      await load(place, await watchTab(place, options), options);
    } finally {
      await leavePlace(place);
    }
  });
  const limitMs = PLACE_LIMIT_MS + loadLimitMs(first, context.timeoutS);
  await inBrowser(Promise.allSettled(loads), limitMs, 'the warm-ups', context).catch((error) =>
    failureOf(error, context),
  );
}

/** Carries out a trial in its place; anything that breaks becomes its failure. */
export async function measure(prepared: Prepared, context: LoadContext): Promise<Measured> {
  const { place, trial, settling } = prepared;
  const startedAt = new Date();
  try {
    if ('code' in place) return { ...NOTHING_SEEN, failure: place, startedAt };
    const limitMs = loadLimitMs(trial, context.timeoutS);
    return await inBrowser(measureIn(place, prepared, context), limitMs, 'the load', context);
  } catch (error) {
    return { ...NOTHING_SEEN, failure: failureOf(error as Error, context), startedAt };
  } finally {
    settling.resolve();
  }
}

/** Gives the place of a trial back. */
export async function dispose({ place }: Prepared): Promise<void> {
  if (!('code' in place)) await leavePlace(place);
}

async function measureIn(
  place: Place,
  { trial, server, recorder: watching, settling }: Prepared,
  context: LoadContext,
): Promise<Measured> {
  const { path } = context;
  const visit = visitOf(trial);
  const step = stopwatch();
  const condition = { ...trial.network, seed: trial.networkSeed };
  const options = optionsOf(trial, context);
  const begins = {
    captures: capturesPackets(context.choices, trial),
    tcpInfoMs: tcpInfoMs(context.choices, server),
  };
  const names = servedNames(server, visit);
  const isSecond = hasEarlierLoad(visit);
  const before = undisturbed(condition);
  await path.apply(isSecond ? untreated(before) : condition, begins);
  if (names) await path.names.serve(names);
  let at = place;
  let earlierEvents: Measured['earlierEvents'] = null;
  let backBy: Measured['backBy'] = [];
  if (isSecond) {
    const hosts = context.manifest ? hostsOf(context.manifest) : [];
    const earlier = await makeEarlierLoad(place, {
      ...options,
      hosts,
      kind: visit,
      // Its losses are not those that the load will meet.
      meetNetwork: () => path.apply({ ...before, seed: before.seed + 1 }, begins),
    });
    const stepsMs = { ...NO_STEPS, earlierLoad: step() };
    // A name server that is gone explains whatever became of it, and begins to count anew.
    if (names) await path.names.serve(names);
    if ('code' in earlier) {
      return { ...NOTHING_SEEN, failure: earlier, startedAt: new Date(), stepsMs };
    }
    at = { ...place, tab: earlier.tab };
    ({ events: earlierEvents, backBy } = earlier);
    // Counts start from zero once more, and the losses of a block from its seed.
    await path.apply(condition, { ...begins, keepsConnections: visit === 'reload' });
  }
  const recorder = watching ?? (await watchTab(at, options));
  const earlierLoadMs = step();
  const startedAt = new Date();
  let loadMs = 0;
  const { acted: visited, ...observed } = await observe(
    () => startWatch({ serverPid: server.pid, clientPid: place.browserPid }),
    (watch): Promise<Visit & Pick<Measured, 'breaks'>> => {
      const onLoaded = () => {
        loadMs = step();
        watch.loaded();
      };
      const { event } = condition;
      if (event) return loadUntilComplete(at, recorder, options, event.atMs, onLoaded);
      return loadAndSettle(at, recorder, options, () => {
        onLoaded();
        if (recorder.isQuiet()) painted(at).then(settling.resolve);
      });
    },
  );
  return {
    ...visited,
    ...observed,
    earlierEvents,
    backBy,
    names: names && (await path.names.asked()),
    startedAt,
    ...(isLive(trial.network)
      ? NOT_COUNTED
      : await counted(path, {
          samples: () => linkSamples(trial, context),
          keyLog: () => keyLogFor(visit, place),
        })),
    stepsMs: { earlierLoad: earlierLoadMs, load: loadMs, settle: step() },
    otherBytes: visited.failure ? [] : await otherBytes(trial, recorder, context),
  };
}

/** Compares bodies once for each arm and kind of visit, after the load: it takes longer than what a load may differ by. */
async function otherBytes(
  trial: Trial,
  recorder: Recorder,
  { manifest, siteFolder, otherBytes: known }: LoadContext,
): Promise<readonly string[]> {
  const key = `${trial.arm} ${visitOf(trial)}`;
  const found =
    known.get(key) ?? (await otherBytesIn(recorder, manifest?.resources ?? [], siteFolder));
  known.set(key, found);
  return found;
}

async function loadAndSettle(
  place: Place,
  recorder: Recorder,
  options: VisitOptions,
  onLoaded: () => void,
): Promise<Visit & { breaks: null }> {
  const loaded = await load(place, recorder, options);
  onLoaded();
  return { ...(await settle(place, loaded)), breaks: null };
}

/** What the name server is to know where the browser asks it; null: the browser knows all names. */
function servedNames(
  { stack: { protocol }, origins }: ReadyServer,
  visit: VisitKind,
): Parameters<LoadContext['path']['names']['serve']>[0] | null {
  if (!asksForNames({ protocol, origins })) return null;
  return namesOf(origins, visit === 'https-record' ? ['h3', 'h2'] : null);
}

function optionsOf(trial: Trial, { url, manifest, choices, timeoutS }: LoadContext): VisitOptions {
  const script = isDeterministic(manifest, choices) ? deterministicPageScript() : null;
  return {
    url,
    isReload: visitOf(trial) === 'reload',
    timeoutS,
    script,
    capture: true,
  };
}

/** The kind of visit that a trial is, a cold one unless it says otherwise. */
export function visitOf({ factors }: Pick<Trial, 'factors'>): VisitKind {
  return (factors.visit ?? 'cold') as VisitKind;
}

/** Whoever offers no ticket sends no early data, so that nobody needs keys to tell what became of it. */
async function keyLogFor(visit: VisitKind, { keyLogFile }: Place): Promise<string | undefined> {
  return hasEarlierLoad(visit) ? (await readKeyLog(keyLogFile))?.toString() : undefined;
}

/** The most that a browser can need for its load when it answers: the limits of all the steps, and some seconds. */
function loadLimitMs(trial: Trial, timeoutS: number): number {
  const oneLoadMs = timeoutS * 1000 + LIMITS.quietLimitMs;
  const visit = visitOf(trial);
  const earlier = (hasEarlierLoad(visit) ? 1 : 0) + comesBack(visit);
  const reloads = trial.network.event ? LIMITS.mostReloads : 0;
  return (earlier + 1 + reloads) * oneLoadMs + LIMITS.browserAnswerMs;
}

/** Of the steps of a load that never came to them. */
const NO_STEPS = { earlierLoad: 0, load: 0, settle: 0 };

const NOTHING_SEEN = {
  ...NOT_OBSERVED,
  events: [],
  timings: null,
  breaks: null,
  earlierEvents: null,
  backBy: [],
  names: null,
  stepsMs: NO_STEPS,
  otherBytes: [],
};

/** Generated pages have nothing that depends on chance or the day. */
function isDeterministic(
  manifest: SiteManifest | null,
  { deterministicPages }: RunChoices,
): boolean {
  return (
    deterministicPages === 'all' ||
    (deterministicPages === 'recorded' && manifest?.kind !== 'generated')
  );
}
