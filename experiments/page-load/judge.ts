import { DIALOG_OPENED } from '../../clients/chromium/dialogs.ts';
import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import type { Har } from '../../clients/chromium/har/har.ts';
import { finishTimesMs, lastByteMs } from '../../clients/chromium/har/last-byte.ts';
import { mainDocumentOf } from '../../clients/chromium/har/main-document.ts';
import { phasesOf as loadPhasesOf } from '../../clients/chromium/har/phases.ts';
import { replayedOf } from '../../clients/chromium/har/replayed.ts';
import { countsOf, trafficOf } from '../../clients/chromium/har/traffic.ts';
import { changeOverOf, versionsOf, withChangeOver } from '../../clients/chromium/har/versions.ts';
import type { LoadPhasesMs, VersionsRecord } from '../../clients/chromium/records.ts';
import type { Breaks } from '../../clients/chromium/until-complete.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { type BrowserFiles, harOf, writeBrowserFiles } from '../browser-files.ts';
import { failed, type Judgement } from '../checks.ts';
import type { Attempt } from '../measuring.ts';
import { judgeLive, judge as judgeLoad } from './checks/judge.ts';
import { requestSetSha256 } from './checks/requests.ts';
import { MOST_FINISH_TIMES, type PageLoadDetails } from './details.ts';
import { exchangeLog } from './exchanges.ts';
import { pageLoad } from './experiment.ts';
import { liveDetailsOf } from './live-details.ts';
import type { LoadContext, Measured, Prepared } from './load.ts';
import { visitOf } from './measure-load.ts';

/** Writes the HAR and the packets of a load, judges it, and takes its numbers. */
export async function judge(
  prepared: Prepared,
  measured: Measured,
  context: LoadContext,
): Promise<Attempt> {
  const { place, prepareMs } = prepared;
  const step = stopwatch();
  const written = await writeBrowserFiles(
    {
      trial: prepared.trial,
      server: prepared.server,
      place: 'code' in place ? null : place,
      experiment: pageLoad,
      link: measured.link,
      makeHar: () => withChangeOver(harMadeOf(measured.events, prepared, context)),
    },
    context,
  );
  const { har, files } = written;
  const earlier = earlierOf(prepared, measured, context);
  const { blamed, ...judgement } = judgementOf(
    prepared,
    measured,
    { ...written, earlier },
    context,
  );
  const { backBy, connections, machine, path, startedAt, stepsMs } = measured;
  const resources = context.manifest?.resources ?? null;
  const details: PageLoadDetails = {
    phasesMs: phasesOf(measured, har),
    traffic: har && trafficOf(har),
    replay: har && resources && replayedOf(har, resources),
    requestSetSha256: har && requestSetSha256(har),
    // Nothing compares the hosts of a live page.
    ...(har && resources && exchangesIn(har, prepared, context)),
    versions: har && versionsOf(har),
    earlier,
    ...(backBy.length === 0 ? {} : { backBy: backBy.map((each) => [...each]) }),
    changedOver: har && changedOverIn(har),
    names: namesOf(measured),
    finishMs: har && resources && finishTimesMs(har, resources.slice(0, MOST_FINISH_TIMES)),
    ...(measured.breaks && { breaks: breaksOf(measured.breaks) }),
    ...dialogsIn(measured.events),
    ...(blamed === undefined ? {} : { blamed }),
    ...(har && prepared.server.live && { live: liveDetailsOf(har, prepared.server.live) }),
  };
  return {
    ...judgement,
    client: 'code' in place ? null : place.about,
    metrics: metricsOf(measured, har, context),
    connections,
    machine,
    path,
    details,
    files,
    stepsMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    startedAt,
  };
}

/** By the results that records go to: what an earlier invocation wrote is written again. */
const exchangeLogs = new WeakMap<LoadContext['results'], ReturnType<typeof exchangeLog>>();

function exchangesIn(har: Har, { trial }: Prepared, { results }: LoadContext) {
  const log = exchangeLogs.get(results) ?? exchangeLog();
  exchangeLogs.set(results, log);
  return log.fieldsOf(har, trial);
}

function dialogsIn(events: readonly CdpEvent[]): Pick<PageLoadDetails, 'dialogs'> {
  const dialogs = events.filter(({ method }) => method === DIALOG_OPENED).length;
  return dialogs === 0 ? {} : { dialogs };
}

function breaksOf({ completeMs: _, ...breaks }: Breaks): PageLoadDetails['breaks'] {
  return breaks;
}

function harMadeOf(events: readonly CdpEvent[], { trial }: Prepared, context: LoadContext): Har {
  const { url, manifest } = context;
  const source = `the page was ${manifest?.source ?? `loaded live from ${url}`}`;
  return harOf(events, { trial, experiment: pageLoad, source }, context);
}

/** How the load before the measured one came; null: there was none, or it cannot be told. */
function earlierOf(
  prepared: Prepared,
  { earlierEvents }: Measured,
  context: LoadContext,
): VersionsRecord | null {
  if (earlierEvents === null) return null;
  try {
    return versionsOf(harMadeOf(earlierEvents, prepared, context));
  } catch {
    // Events of which no HAR can be made; the check that needs it says so.
    return null;
  }
}

function changedOverIn(har: Har): PageLoadDetails['changedOver'] {
  const change = changeOverOf(har);
  return change && { url: change.entry.request.url, request: change.request, atMs: change.atMs };
}

function namesOf({ names }: Measured): NonNullable<PageLoadDetails['names']> | null {
  const httpsRecords = names?.filter(({ type }) => type === HTTPS_RECORD) ?? [];
  return (
    names && {
      asked: names.length,
      httpsRecords: httpsRecords.reduce((sum, { records }) => sum + records, 0),
    }
  );
}

/** The number of that type of record (RFC 9460). */
const HTTPS_RECORD = 65;

/** What was written of a load. */
interface Written extends BrowserFiles {
  earlier: VersionsRecord | null;
}

function judgementOf(
  { trial, server }: Prepared,
  measured: Measured,
  { har, failure: unwritten, earlier }: Written,
  { manifest, choices }: LoadContext,
): Judgement {
  const { backBy, failure, connections, machine, time, path, otherBytes } = measured;
  if (failure) return failed(failure);
  if (unwritten) return failed(unwritten);
  if (har === null || time === null)
    throw new Error('a load that ended well and was never watched');
  const { protocol } = server.stack;
  if (manifest === null) {
    const quicHosts = server.live?.quicHosts ?? [];
    return judgeLive({ har, time, path }, { protocol, quicHosts, network: trial.network });
  }
  if (path === null) throw new Error('a load that ended well and was never counted');
  return judgeLoad(
    {
      har,
      otherBytes,
      earlier,
      backBy,
      names: namesOf(measured),
      path,
      loadedMs: loadedMsOf(measured),
      connections,
      machine,
      time,
    },
    {
      manifest,
      protocol,
      choices,
      visit: visitOf(trial),
      keyExchange: server.keyExchange ?? null,
      network: trial.network,
      origins: server.origins,
    },
  );
}

/** Chromium's events have the machine's monotonic clock. */
function loadedMsOf({ events }: Measured): number | null {
  const fired = events.findLast(({ method }) => method === 'Page.loadEventFired');
  return fired ? 1000 * (fired.params as { timestamp: number }).timestamp : null;
}

function phasesOf(measured: Measured, har: Har | null): LoadPhasesMs | null {
  const pageLoadMs = pageLoadMsOf(measured);
  return har && pageLoadMs !== null ? loadPhasesOf(har, pageLoadMs) : null;
}

/** A page that had to be reloaded has no page load time: what its first navigation had come to by then was not the page. */
function pageLoadMsOf({ timings, breaks }: Measured): number | null {
  return breaks !== null && breaks.reloads > 0 ? null : (timings?.loadEventEndMs ?? null);
}

/** Every metric of metrics.ts by its name. */
function metricsOf(
  measured: Measured,
  har: Har | null,
  { hasEvents }: Pick<LoadContext, 'hasEvents'>,
): Attempt['metrics'] {
  const { timings, breaks } = measured;
  const pageLoadMs = pageLoadMsOf(measured);
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
