import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { deterministicPageScript } from '../../clients/chromium/deterministic-page.ts';
import { LIMITS } from '../../clients/chromium/limits.ts';
import { asksForNames, namesOf } from '../../clients/chromium/names.ts';
import type { Place, Places } from '../../clients/chromium/place.ts';
import { isForced } from '../../clients/chromium/places.ts';
import { readKeyLog } from '../../clients/chromium/profile.ts';
import type { Recorder } from '../../clients/chromium/recorder.ts';
import {
  load,
  painted,
  settle,
  type Visit,
  type VisitOptions,
  watchTab,
} from '../../clients/chromium/visit.ts';
import { comesBack, hasEarlierLoad, type VisitKind } from '../../clients/chromium/visit-kind.ts';
import { startWatch, type Watch } from '../../ground/host/watch.ts';
import { isLive, undisturbed } from '../../ground/records/network.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { untreated } from '../../network/udp.ts';
import { AttemptEnded, failed } from '../checks.ts';
import {
  type BrowserBench,
  endedInBrowser,
  failureOf,
  inBrowser,
  leavePlace,
  PLACE_LIMIT_MS,
  placesOf,
} from '../in-browser.ts';
import { linkSamples } from '../link.ts';
import {
  type Attempt,
  type Bench,
  type Client,
  clientFrom,
  type Measuring,
  type Prepared,
  type ReadyServer,
  serverOf,
} from '../measuring.ts';
import { capturesPackets } from '../packets.ts';
import { tcpInfoMs } from '../tcp-info.ts';
import { counted, NOT_COUNTED, NOT_OBSERVED, trial } from '../trial.ts';
import type { SeenLoad } from './load.ts';
import { otherBytesIn } from './other-bytes.ts';
import { checksOf, resultOf, visitOf, writeLoad } from './result.ts';

/** How page loads are made, in browsers that are kept for a group of blocks. */
export const measuring: Measuring = {
  open: (bench) => clientOf(bench, placesOf(bench)),
};

/** Which responses had other bytes than recorded, by arm and kind of visit: compared in the first load of each. */
type OtherBytes = Map<string, readonly string[]>;

/** What makes loads in these places. */
export function clientOf(bench: BrowserBench, places: Places): Client<Prepared<Ready>> {
  const { servers } = bench;
  const otherBytes: OtherBytes = new Map();
  return clientFrom({
    isWorn: () => places.isWorn,
    askerOf(trial) {
      const server = servers.find(({ stack }) => stack.stack === trial.arm);
      return server && isForced(server, visitOf(trial)) ? `${trial.arm} forced` : trial.arm;
    },
    // The name server knows the hosts of one server at a time.
    ...(!servers.some(({ stack: { protocol }, origins }) =>
      asksForNames({ protocol, origins }),
    ) && {
      warmUp: (trials: readonly Trial[]) => warmUp(trials, places, bench),
    }),
    prepare: (trial) =>
      inBrowser(openPlace(trial, places, bench), PLACE_LIMIT_MS, 'a place', bench),
    endedBy: (error) => endedInBrowser(error, bench),
    measure: (prepared) => measure(prepared, otherBytes, bench),
    leave: ({ place }) => leavePlace(place),
    close: () => places.close(),
  });
}

/** A place in a browser for a load. */
interface Ready {
  place: Place;
  /** Already looking at the place's tab; null: an earlier load comes first. */
  recorder: Recorder | null;
}

async function openPlace(trial: Trial, places: Places, bench: BrowserBench): Promise<Ready> {
  const visit = visitOf(trial);
  const place = await places.open(trial.arm, visit);
  const options = optionsOf(trial, bench);
  return { place, recorder: hasEarlierLoad(visit) ? null : await watchTab(place, options) };
}

/** Loads the page by several servers at once, and keeps nothing: a load that fails does so again when it counts. */
async function warmUp(
  trials: readonly Trial[],
  places: Places,
  context: BrowserBench,
): Promise<void> {
  const [first] = trials;
  if (!first) return;
  await context.path.apply(undisturbed({ ...first.network, seed: first.networkSeed }));
  const loads = trials.map(async (trial) => {
    const place = await places.open(trial.arm, visitOf(trial));
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

/** Makes a load in its place, with its HAR, checks and numbers. */
function measure(
  { trial: planned, ready, prepareMs, settling }: Prepared<Ready>,
  known: OtherBytes,
  bench: BrowserBench,
): Promise<Attempt> {
  const place = ready instanceof AttemptEnded ? null : ready.place;
  const of = { trial: planned, server: serverOf(planned.arm, bench.servers), place };
  return trial(planned, bench, {
    async begin() {
      if (ready instanceof AttemptEnded) throw ready;
      return beginLoad(
        ready,
        { trial: planned, server: of.server, known, settled: settling.resolve },
        bench,
      );
    },
    within: (steps) => inBrowser(steps, loadLimitMs(planned, bench.timeoutS), 'the load', bench),
    endedBy: (error) => endedInBrowser(error, bench),
    settled: settling.resolve,
    nothing: NOTHING_SEEN,
    write: (seen) => writeLoad(seen, of, bench),
    checks: (seen, written) => checksOf(seen, written, of, bench),
    result: (seen, { written, judgement }) =>
      resultOf(seen, { written, judgement, prepareMs }, of, bench),
  });
}

/** A load that has come to rest. */
type Acted = Visit & Pick<SeenLoad, 'breaks'> & { loadMs: number };

/** Applies the path, makes the load that comes before where there is one, and gives the steps of the load. */
async function beginLoad(
  { place, recorder: watching }: Ready,
  {
    trial: planned,
    server,
    known,
    settled,
  }: { trial: Trial; server: ReadyServer; known: OtherBytes; settled: () => void },
  bench: BrowserBench,
) {
  const { path } = bench;
  const visit = visitOf(planned);
  const step = stopwatch();
  const condition = { ...planned.network, seed: planned.networkSeed };
  const options = optionsOf(planned, bench);
  const begins = {
    captures: capturesPackets(bench.choices, planned),
    tcpInfoMs: tcpInfoMs(bench.choices, server),
  };
  const names = servedNames(server, visit);
  const isSecond = hasEarlierLoad(visit);
  const before = undisturbed(condition);
  await path.apply(isSecond ? untreated(before) : condition, begins);
  if (names) await path.names.serve(names);
  let at = place;
  let earlierEvents: SeenLoad['earlierEvents'] = null;
  let backBy: SeenLoad['backBy'] = [];
  if (isSecond) {
    const hosts = bench.manifest ? hostsOf(bench.manifest) : [];
    const { makeEarlierLoad } = await import('../../clients/chromium/earlier-load.ts');
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
      throw new AttemptEnded(failed(earlier), { startedAt: new Date(), stepsMs });
    }
    at = { ...place, tab: earlier.tab };
    ({ events: earlierEvents, backBy } = earlier);
    // Counts start from zero once more, and the losses of a block from its seed.
    await path.apply(condition, { ...begins, keepsConnections: visit === 'reload' });
  }
  const recorder = watching ?? (await watchTab(at, options));
  const { event } = condition;
  const events = event && (await import('../../clients/chromium/until-complete.ts'));
  const earlierLoadMs = step();
  return {
    watch: () => startWatch({ serverPid: server.pid, clientPid: place.browserPid }),
    async act(watch: Watch): Promise<Acted> {
      let loadMs = 0;
      const onLoaded = () => {
        loadMs = step();
        watch.loaded();
      };
      const visited = events
        ? await events.loadUntilComplete(at, recorder, options, event.atMs, onLoaded)
        : await loadAndSettle(at, recorder, options, () => {
            onLoaded();
            if (recorder.isQuiet()) painted(at).then(settled);
          });
      return { ...visited, loadMs };
    },
    count: async ({ failure, loadMs }: Acted) => ({
      earlierEvents,
      backBy,
      names: names && (await path.names.asked()),
      ...(isLive(planned.network)
        ? NOT_COUNTED
        : await counted(path, {
            samples: () => linkSamples(planned, bench),
            keyLog: () => keyLogFor(visit, place),
          })),
      stepsMs: { earlierLoad: earlierLoadMs, load: loadMs, settle: step() },
      otherBytes: failure ? [] : await otherBytes(planned, recorder, known, bench),
    }),
  };
}

/** Compares bodies once for each arm and kind of visit, after the load: it takes longer than what a load may differ by. */
async function otherBytes(
  trial: Trial,
  recorder: Recorder,
  known: OtherBytes,
  { manifest, siteFolder }: BrowserBench,
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
): Parameters<Bench['path']['names']['serve']>[0] | null {
  if (!asksForNames({ protocol, origins })) return null;
  return namesOf(origins, visit === 'https-record' ? ['h3', 'h2'] : null);
}

function optionsOf(trial: Trial, { url, manifest, choices, timeoutS }: BrowserBench): VisitOptions {
  const script = isDeterministic(manifest, choices) ? deterministicPageScript() : null;
  return {
    url,
    isReload: visitOf(trial) === 'reload',
    timeoutS,
    script,
    capture: true,
  };
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

const NOTHING_SEEN: SeenLoad = {
  ...NOT_OBSERVED,
  events: [],
  failure: null,
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
