import type { Film } from '../../clients/chromium/film/record.ts';
import type { Har } from '../../clients/har/har.ts';
import { largestPaintOf } from '../../clients/har/largest-paint.ts';
import { finishTimesMs, lastByteMs } from '../../clients/har/last-byte.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import { phasesOf as loadPhasesOf, waitingBeyondMs } from '../../clients/har/phases.ts';
import type { LoadPhasesMs, VersionsRecord } from '../../clients/har/records.ts';
import { replayRecordOf } from '../../clients/har/replayed.ts';
import { countsOf, trafficOf } from '../../clients/har/traffic.ts';
import { findProtocolSwitch, versionsOf, withProtocolSwitch } from '../../clients/har/versions.ts';
import type { BreakCounts, PageContext, PageRecord } from '../../clients/page-context.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import type { Trial } from '../../ground/records/run.ts';
import { type BrowserFiles, describeLoad, writeBrowserFiles } from '../browser-files.ts';
import {
  type BoundCheck,
  bindChecks,
  type CommonObserved,
  type Judgement,
  type Problem,
} from '../checks.ts';
import type { BrowserBench } from '../in-browser.ts';
import type { Attempt, ReadyServer } from '../measuring.ts';
import { CHECKS, LIVE_CHECKS } from './checks/index.ts';
import { requestSetSha256 } from './checks/requests.ts';
import { MOST_FINISH_TIMES, type PageLoadDetails } from './details.ts';
import { exchangeLog } from './exchanges.ts';
import { pageLoad } from './experiment.ts';
import { filmMetricsOf, writeFilm } from './film.ts';
import { liveDetailsOf } from './live-details.ts';
import type { ObservedLoad } from './load.ts';
import { UNRECORDED_REMEDY, unrecordedRequests, unrecordedText } from './unrecorded.ts';

interface Load {
  trial: Trial;
  server: ReadyServer;
  /** null: the context could not be opened. */
  context: PageContext | null;
}

export function visitOf({ factors }: Pick<Trial, 'factors'>): VisitKind {
  return (factors.visit ?? 'cold') as VisitKind;
}

interface WrittenLoad extends BrowserFiles {
  /** Versions of HTTP of the load before the measured one; null: no such load, or unknown. */
  earlier: VersionsRecord | null;
  /** null: not filmed, or the film could not be made. */
  film: Film | null;
  /** Why a filmed load has no film; null: it has one, or is not filmed. */
  filmProblem: Problem | null;
}

export async function writeLoad(
  seen: ObservedLoad,
  load: Load,
  bench: BrowserBench,
): Promise<WrittenLoad> {
  const makeHar = () => withProtocolSwitch(buildLoadHar(seen.record, load, bench));
  const of = { ...load, experiment: pageLoad, link: seen.link, makeHar };
  const written = await writeBrowserFiles(of, bench);
  const { film, file, problem } = await writeFilm(seen, load.trial, bench);
  return {
    ...written,
    files: { ...written.files, ...(file !== null && { film: file }) },
    earlier: earlierOf(seen, load, bench),
    film,
    filmProblem: problem,
  };
}

/** The fields of a load's record that are not common to all experiments. */
export function resultOf(
  seen: ObservedLoad,
  {
    written: { har, earlier, film, step },
    judgement: { blamed },
    prepareMs,
  }: { written: WrittenLoad; judgement: Judgement; prepareMs: number },
  load: Load,
  bench: BrowserBench,
) {
  const resources = bench.manifest?.resources ?? null;
  const { returnProtocols } = seen;
  const details: PageLoadDetails = {
    phasesMs: phasesOf(seen, har),
    waitingBeyondMs: waitingBeyondOf(seen, har, load),
    traffic: har && trafficOf(har),
    replay: har && resources && replayRecordOf(har, resources),
    requestSetSha256: har && requestSetSha256(har),
    // Exchanges of live pages are not compared, and those of filmed loads are not read.
    ...(har && resources && !load.trial.filmed && exchangesIn(har, load, bench)),
    versions: har && versionsOf(har),
    earlier,
    ...(returnProtocols.length === 0
      ? {}
      : { returnProtocols: returnProtocols.map((each) => [...each]) }),
    changedOver: har && changedOverIn(har),
    names: namesOf(seen),
    finishMs: har && resources && finishTimesMs(har, resources.slice(0, MOST_FINISH_TIMES)),
    largestPaint: largestPaintIn(seen, har),
    ...(seen.breaks && { breaks: breaksOf(seen.breaks) }),
    ...dialogsIn(seen.record),
    ...(blamed === undefined ? {} : { blamed }),
    ...(har && load.server.live && { live: liveDetailsOf(har, load.server.live) }),
  };
  warnOfUnrecorded(details, load, bench);
  return {
    client: load.context?.about ?? null,
    metrics: { ...metricsOf(seen, har, bench), ...(film && filmMetricsOf(film)) },
    details,
    stepsMs: { prepare: prepareMs, ...seen.stepsMs, judge: step() },
  };
}

/** The checks of a completed load: against the plan, or the general checks for a page of the live web. */
export function checksOf(
  seen: CommonObserved & Omit<ObservedLoad, 'time'>,
  { har, earlier, filmProblem }: WrittenLoad,
  load: Load,
  bench: BrowserBench,
): BoundCheck[] {
  const { server } = load;
  const { manifest, choices } = bench;
  const { network } = load.trial;
  const { protocol, quicVersion, settings: { handshake } = {} } = server.stack;
  const { path } = seen;
  if (har === null) throw new Error('a load that ended well and has no HAR');
  if (manifest === null) {
    const quicHosts = server.live?.quicHosts ?? [];
    return bindChecks(LIVE_CHECKS, { ...seen, har }, { protocol, quicHosts, network });
  }
  if (path === null) throw new Error('a load that ended well and was never counted');
  const loadedMs = seen.record?.loadedMs ?? null;
  const checks = bindChecks(
    CHECKS,
    { ...seen, path, har, earlier, loadedMs, names: namesOf(seen) },
    {
      manifest,
      protocol,
      ...(quicVersion && { quicVersion }),
      ...(handshake !== undefined && { handshake }),
      choices,
      visit: visitOf(load.trial),
      keyExchange: server.keyExchange ?? null,
      network,
      origins: server.origins,
      ...(server.http2Hosts && { http2Hosts: server.http2Hosts }),
    },
  );
  return [...checks, () => filmProblem];
}

/** Exchange logs by the invocation's results: each invocation begins a new one. */
const exchangeLogs = new WeakMap<BrowserBench['results'], ReturnType<typeof exchangeLog>>();

function exchangesIn(har: Har, { trial }: Load, { results }: BrowserBench) {
  const log = exchangeLogs.get(results) ?? exchangeLog();
  exchangeLogs.set(results, log);
  return log.fieldsOf(har, trial);
}

/** Pages and stacks whose unrecorded requests were reported, by the invocation's results. */
const warned = new WeakMap<BrowserBench['results'], Set<string>>();

function warnOfUnrecorded(
  details: PageLoadDetails,
  { trial: { subject, arm } }: Load,
  { results, choices, warn }: BrowserBench,
): void {
  const found = unrecordedRequests(details, choices);
  const known = warned.get(results) ?? new Set();
  const key = JSON.stringify([subject, arm]);
  if (!found || known.has(key)) return;
  warned.set(results, known.add(key));
  warn(`${subject} from ${arm}: ${unrecordedText(found)}. ${UNRECORDED_REMEDY}`);
}

function dialogsIn(record: PageRecord | null): Pick<PageLoadDetails, 'dialogs'> {
  const { dialogs = 0 } = record ?? {};
  return dialogs === 0 ? {} : { dialogs };
}

function breaksOf({ completeMs: _, ...breaks }: BreakCounts): PageLoadDetails['breaks'] {
  return breaks;
}

function buildLoadHar(record: PageRecord | null, { trial }: Load, bench: BrowserBench): Har {
  const { url, manifest } = bench;
  const source = `the page was ${manifest?.source ?? `loaded live from ${url}`}`;
  if (record === null) throw new Error('the load never began');
  return record.makeHar(describeLoad({ trial, experiment: pageLoad, source }, bench));
}

function earlierOf(
  { earlier }: Pick<ObservedLoad, 'earlier'>,
  load: Load,
  bench: BrowserBench,
): VersionsRecord | null {
  if (earlier === null) return null;
  try {
    return versionsOf(buildLoadHar(earlier, load, bench));
  } catch {
    // The check that needs this HAR reports that it is missing.
    return null;
  }
}

function changedOverIn(har: Har): PageLoadDetails['changedOver'] {
  const change = findProtocolSwitch(har);
  return change && { url: change.entry.request.url, request: change.request, atMs: change.atMs };
}

function namesOf({
  names,
}: Pick<ObservedLoad, 'names'>): NonNullable<PageLoadDetails['names']> | null {
  const httpsRecords = names?.filter(({ type }) => type === HTTPS_RECORD) ?? [];
  return (
    names && {
      requested: names.length,
      httpsRecords: httpsRecords.reduce((sum, { records }) => sum + records, 0),
    }
  );
}

/** Type of the DNS record (RFC 9460). */
const HTTPS_RECORD = 65;

/** null for a reloaded page too: its HAR begins with another navigation. */
function largestPaintIn(
  { timings, breaks }: ObservedLoad,
  har: Har | null,
): NonNullable<PageLoadDetails['largestPaint']> | null {
  const { largestPaint = null, largestContentfulPaintMs = null } = timings ?? {};
  if (breaks !== null && breaks.reloads > 0) return null;
  if (har === null || largestPaint === null || largestContentfulPaintMs === null) return null;
  return largestPaintOf(har, largestPaint, largestContentfulPaintMs);
}

function phasesOf(seen: ObservedLoad, har: Har | null): LoadPhasesMs | null {
  const pageLoadMs = pageLoadMsOf(seen);
  return har && pageLoadMs !== null ? loadPhasesOf(har, pageLoadMs) : null;
}

function waitingBeyondOf(seen: ObservedLoad, har: Har | null, { trial, server }: Load) {
  const pageLoadMs = pageLoadMsOf(seen);
  const rttMs = server.live ? null : trial.network.rttMs;
  return har && pageLoadMs !== null ? waitingBeyondMs(har, pageLoadMs, rttMs) : null;
}

/** Page load time; null: failed, or reloaded because the first navigation did not load the whole page. */
function pageLoadMsOf({ timings, breaks }: ObservedLoad): number | null {
  return breaks !== null && breaks.reloads > 0 ? null : (timings?.loadEventEndMs ?? null);
}

function metricsOf(
  seen: ObservedLoad,
  har: Har | null,
  { hasEvents }: Pick<BrowserBench, 'hasEvents'>,
): Attempt['metrics'] {
  const { timings, breaks } = seen;
  const pageLoadMs = pageLoadMsOf(seen);
  const completeMs = breaks ? breaks.completeMs : pageLoadMs;
  const document = har && mainDocumentOf(har);
  const counts = har && countsOf(har);
  return {
    pageLoadMs,
    completeMs: hasEvents ? completeMs : null,
    documentMs: document?.entry.time ?? null,
    firstByteMs: timings?.responseStartMs ?? null,
    connectMs: document?.connectMs ?? null,
    domContentLoadedMs: timings?.domContentLoadedEventEndMs ?? null,
    firstContentfulPaintMs: timings?.firstContentfulPaintMs ?? null,
    largestContentfulPaintMs: timings?.largestContentfulPaintMs ?? null,
    lastByteMs: har && lastByteMs(har),
    wireBytes: counts?.wireBytes ?? null,
    requests: counts?.requests ?? null,
    connections: counts?.connections ?? null,
    connectionsPerOrigin: counts?.connectionsPerOrigin ?? null,
    peakConcurrentRequests: counts?.peakConcurrentRequests ?? null,
  };
}
