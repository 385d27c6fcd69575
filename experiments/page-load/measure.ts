import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { LIMITS } from '../../clients/browser-limits.ts';
import { deterministicPageScript } from '../../clients/deterministic-page.ts';
import { namesOf, usesNameServer } from '../../clients/name-server.ts';
import type {
  PageContext,
  PagePool,
  PageVisit,
  VisitOptions,
  WatchedPage,
} from '../../clients/page-context.ts';
import { readKeyLog } from '../../clients/profile-files.ts';
import {
  hasEarlierLoad,
  isForced,
  returnVisits,
  type VisitKind,
} from '../../clients/visit-kind.ts';
import { type MachineWatch, startMachineWatch } from '../../ground/host/machine-watch.ts';
import { isLive, withoutDisturbances } from '../../ground/records/network.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { interventionsOf } from '../../network/path.ts';
import { withoutUdpTreatment } from '../../network/udp.ts';
import { AttemptEnded, failed } from '../checks.ts';
import {
  awaitBrowser,
  type BrowserBench,
  benchPages,
  browserFailure,
  CONTEXT_LIMIT_MS,
  failureOf,
  releaseContext,
} from '../in-browser.ts';
import { linkSamples } from '../link.ts';
import {
  type Attempt,
  type Bench,
  type Client,
  clientFrom,
  type Measurer,
  type Prepared,
  type ReadyServer,
  serverOf,
} from '../measuring.ts';
import { capturesPackets } from '../packets.ts';
import { tcpInfoMs } from '../tcp-info.ts';
import { countPath, makeAttempt, NOT_OBSERVED, PATH_NOT_COUNTED } from '../trial.ts';
import { startFilm } from './film.ts';
import type { ObservedLoad } from './load.ts';
import { otherBytesIn } from './other-bytes.ts';
import { slowdownOf } from './processor.ts';
import { checksOf, resultOf, visitOf, writeLoad } from './result.ts';

/** Page loads in browsers that are kept for a group of blocks. */
export const measuring: Measurer = {
  open: (bench) => clientOf(bench, benchPages(bench)),
};

/** Requests whose responses had other bytes than recorded, in the first load of each arm and kind of visit. */
type OtherBytes = Map<string, readonly string[]>;

export function clientOf(bench: BrowserBench, pool: PagePool): Client<Prepared<Ready>> {
  const { servers } = bench;
  const otherBytes: OtherBytes = new Map();
  return clientFrom({
    isWorn: () => pool.isWorn,
    clientKey(trial) {
      const server = servers.find(({ stack }) => stack.stack === trial.arm);
      return server && isForced(server.stack, visitOf(trial)) ? `${trial.arm} forced` : trial.arm;
    },
    // The name server knows the hosts of one server at a time.
    ...(!servers.some(({ stack: { protocol }, origins }) =>
      usesNameServer({ protocol, origins }),
    ) && {
      warmUp: (trials: readonly Trial[]) => warmUp(trials, pool, bench),
    }),
    prepare: (trial) =>
      awaitBrowser(
        openContext(trial, pool, otherBytes, bench),
        CONTEXT_LIMIT_MS,
        'a new context',
        bench,
      ),
    endedBy: (error) => browserFailure(error, bench),
    measure: (prepared) => measure(prepared, otherBytes, bench),
    leave: ({ context }) => releaseContext(context),
    close: () => pool.close(),
  });
}

interface Ready {
  context: PageContext;
  /** The recorded tab; null: recording begins after an earlier load. */
  page: WatchedPage | null;
}

async function openContext(
  trial: Trial,
  pool: PagePool,
  known: OtherBytes,
  bench: BrowserBench,
): Promise<Ready> {
  const visit = visitOf(trial);
  const context = await pool.open(trial.arm, visit);
  const options = { ...optionsOf(trial, bench), keepsBodies: !known.has(bodiesKeyOf(trial)) };
  return { context, page: hasEarlierLoad(visit) ? null : await context.watch(options) };
}

/** Loads the page from several servers at once, without records: a failure recurs in the measured load. */
async function warmUp(
  trials: readonly Trial[],
  pool: PagePool,
  bench: BrowserBench,
): Promise<void> {
  const [first] = trials;
  if (!first) return;
  await bench.path.apply(withoutDisturbances({ ...first.network, seed: first.networkSeed }));
  const loads = trials.map(async (trial) => {
    const context = await pool.open(trial.arm, visitOf(trial));
    try {
      const options = { ...optionsOf(trial, bench), isReload: false };
      await (await context.watch(options)).load();
    } finally {
      await releaseContext(context);
    }
  });
  const limitMs = CONTEXT_LIMIT_MS + loadLimitMs(first, bench.timeoutS);
  await awaitBrowser(Promise.allSettled(loads), limitMs, 'the warm-ups', bench).catch((error) =>
    failureOf(error, bench),
  );
}

function measure(
  { trial: planned, ready, prepareMs, readyForNext }: Prepared<Ready>,
  known: OtherBytes,
  bench: BrowserBench,
): Promise<Attempt> {
  const context = ready instanceof AttemptEnded ? null : ready.context;
  const of = { trial: planned, server: serverOf(planned.arm, bench.servers), context };
  return makeAttempt(planned, bench, {
    async begin() {
      if (ready instanceof AttemptEnded) throw ready;
      return beginLoad(
        ready,
        { trial: planned, server: of.server, known, settled: readyForNext.resolve },
        bench,
      );
    },
    withTimeout: (steps) =>
      awaitBrowser(steps, loadLimitMs(planned, bench.timeoutS), 'the load', bench),
    endedBy: (error) => browserFailure(error, bench),
    onReadyForNext: readyForNext.resolve,
    emptyEvidence: EMPTY_LOAD,
    write: (seen) => writeLoad(seen, of, bench),
    checks: (seen, written) => checksOf(seen, written, of, bench),
    result: (seen, { written, judgement }) =>
      resultOf(seen, { written, judgement, prepareMs }, of, bench),
  });
}

type SettledLoad = PageVisit & Pick<ObservedLoad, 'breaks' | 'trace'> & { loadMs: number };

/** Applies the path, makes an earlier load if the visit has one, and returns the steps of the load. */
async function beginLoad(
  { context, page: watching }: Ready,
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
  const step = startStopwatch();
  const condition = { ...planned.network, seed: planned.networkSeed };
  const options = optionsOf(planned, bench);
  const begins = {
    captures: capturesPackets(bench.choices, planned),
    tcpInfoMs: tcpInfoMs(bench.choices, server),
    ...interventionsOf(server.stack.settings),
  };
  const names = servedNames(server, visit);
  const isSecond = hasEarlierLoad(visit);
  const before = withoutDisturbances(condition);
  await path.apply(isSecond ? withoutUdpTreatment(before) : condition, begins);
  if (names) await path.names.serve(names);
  let at = context;
  let earlier: ObservedLoad['earlier'] = null;
  let returnProtocols: ObservedLoad['returnProtocols'] = [];
  if (isSecond) {
    const hosts = bench.manifest ? hostsOf(bench.manifest) : [];
    const made = await context.loadEarlier({
      ...options,
      hosts,
      kind: visit,
      // With a seed other than the measured load's, so with other losses.
      applyMeasuredNetwork: () => path.apply({ ...before, seed: before.seed + 1 }, begins),
    });
    const stepsMs = { ...NO_STEPS, earlierLoad: step() };
    // Resets the counts. Throws first if the name server is gone, which explains other failures.
    if (names) await path.names.serve(names);
    if ('code' in made) {
      throw new AttemptEnded(failed(made), { startedAt: new Date(), stepsMs });
    }
    ({ at, record: earlier, returnProtocols } = made);
    // Resets the counts, and the losses to the block's seed.
    await path.apply(condition, { ...begins, keepsConnections: visit === 'reload' });
  }
  const keepsBodies = !known.has(bodiesKeyOf(planned));
  const page = watching ?? (await at.watch({ ...options, keepsBodies }));
  const restoreSpeed = (await page.slow?.(slowdownOf(planned))) ?? (() => {});
  const { event } = condition;
  const endFilm = await startFilm(planned, page);
  const earlierLoadMs = step();
  return {
    watch: () =>
      startMachineWatch({
        serverPid: server.pid,
        otherServerPids: server.http2Pids,
        clientPid: context.browserPid,
      }),
    async act(watch: MachineWatch): Promise<SettledLoad> {
      let loadMs = 0;
      const onLoaded = () => {
        loadMs = step();
        watch.loaded();
      };
      const visiting =
        event && page.loadUntilComplete
          ? page.loadUntilComplete(event.atMs, onLoaded)
          : loadAndSettle(page, () => {
              onLoaded();
              // A film ends before the next load is prepared.
              if (!planned.filmed) paintedQuietly(page).then((isQuiet) => isQuiet && settled());
            });
      const visited = await visiting.finally(restoreSpeed);
      // A busy machine draws the last picture late.
      if (planned.filmed) await page.waitForPaint();
      return { ...visited, loadMs, trace: await endFilm() };
    },
    count: async ({ failure, loadMs }: SettledLoad) => ({
      earlier,
      returnProtocols,
      names: names && (await path.names.queries()),
      ...(isLive(planned.network)
        ? PATH_NOT_COUNTED
        : await countPath(path, {
            samples: () => linkSamples(planned, bench),
            keyLog: () => keyLogFor(visit, context),
          })),
      stepsMs: { earlierLoad: earlierLoadMs, load: loadMs, settle: step() },
      otherBytes: failure ? [] : await otherBytes(planned, page, known, bench),
    }),
  };
}

/** Resolves at the next paint with whether the page is quiet, or at once if it is not. */
async function paintedQuietly(page: WatchedPage): Promise<boolean> {
  const isQuiet = await page.isQuiet();
  if (isQuiet) await page.waitForPaint();
  return isQuiet;
}

/** Compares bodies once for each arm and kind of visit, because a comparison takes long. */
async function otherBytes(
  trial: Trial,
  page: WatchedPage,
  known: OtherBytes,
  { manifest, siteFolder }: BrowserBench,
): Promise<readonly string[]> {
  const key = bodiesKeyOf(trial);
  const found = known.get(key);
  if (found) return found;
  const responses = page.responses();
  if (responses === null) return [];
  const different = await otherBytesIn(responses, manifest?.resources ?? [], siteFolder);
  known.set(key, different);
  return different;
}

function bodiesKeyOf(trial: Trial): string {
  return `${trial.arm} ${visitOf(trial)}`;
}

async function loadAndSettle(
  page: WatchedPage,
  onLoaded: () => void,
): Promise<PageVisit & { breaks: null }> {
  const failure = await page.load();
  onLoaded();
  return { ...(await page.settle(failure)), breaks: null };
}

/** Names for the name server; null: the browser's command line maps all names. */
function servedNames(
  { stack: { protocol }, origins }: ReadyServer,
  visit: VisitKind,
): Parameters<Bench['path']['names']['serve']>[0] | null {
  if (!usesNameServer({ protocol, origins })) return null;
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

/** The key log, needed to read early data; undefined for visits without tickets. */
async function keyLogFor(
  visit: VisitKind,
  { keyLogFile }: PageContext,
): Promise<string | undefined> {
  return hasEarlierLoad(visit) ? (await readKeyLog(keyLogFile))?.toString() : undefined;
}

/** Time limit of a load in a responsive browser: the limits of all steps, and some seconds. */
function loadLimitMs(trial: Trial, timeoutS: number): number {
  const oneLoadMs = timeoutS * 1000 + LIMITS.quietLimitMs;
  const visit = visitOf(trial);
  // Firefox returns to a site over QUIC at least once.
  const returns = hasEarlierLoad(visit) ? Math.max(1, returnVisits(visit)) : 0;
  const earlierMs = returns * (oneLoadMs + LIMITS.closeConnectionsMs);
  const loads = hasEarlierLoad(visit) ? 2 : 1;
  const reloads = trial.network.event ? LIMITS.mostReloads : 0;
  return earlierMs + (loads + reloads) * oneLoadMs + LIMITS.browserAnswerMs;
}

const NO_STEPS = { earlierLoad: 0, load: 0, settle: 0 };

const EMPTY_LOAD: ObservedLoad = {
  ...NOT_OBSERVED,
  record: null,
  failure: null,
  timings: null,
  breaks: null,
  trace: null,
  earlier: null,
  returnProtocols: [],
  names: null,
  stepsMs: NO_STEPS,
  otherBytes: [],
};

/** Whether to fix chance and date in the page; generated pages use neither. */
function isDeterministic(
  manifest: SiteManifest | null,
  { deterministicPages }: RunChoices,
): boolean {
  return (
    deterministicPages === 'all' ||
    (deterministicPages === 'recorded' && manifest?.kind !== 'generated')
  );
}
