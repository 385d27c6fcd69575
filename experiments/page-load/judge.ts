import { buildHar } from '../../clients/chromium/har/build.ts';
import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import type { Har } from '../../clients/chromium/har/har.ts';
import { finishTimesMs, lastByteMs } from '../../clients/chromium/har/last-byte.ts';
import { mainDocumentOf } from '../../clients/chromium/har/main-document.ts';
import { phasesOf as loadPhasesOf } from '../../clients/chromium/har/phases.ts';
import { replayedOf } from '../../clients/chromium/har/replayed.ts';
import { withoutSecrets } from '../../clients/chromium/har/secrets.ts';
import { countsOf, trafficOf } from '../../clients/chromium/har/traffic.ts';
import { changeOverOf, versionsOf, withChangeOver } from '../../clients/chromium/har/versions.ts';
import type { LoadPhasesMs, VersionsRecord } from '../../clients/chromium/records.ts';
import type { Breaks } from '../../clients/chromium/until-complete.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import type { Judgement } from '../checks.ts';
import { keysSince } from '../in-browser.ts';
import { writeLink } from '../link.ts';
import type { Attempt } from '../measuring.ts';
import { NO_PACKETS, type PacketsWritten, writePackets } from '../packets.ts';
import { writeTcpInfo } from '../tcp-info.ts';
import { trialText } from '../trial-text.ts';
import { judgeLive, judge as judgeLoad } from './checks/judge.ts';
import { requestSetSha256 } from './checks/requests.ts';
import { MOST_FINISH_TIMES, type PageLoadDetails } from './details.ts';
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
  const packets = await packetsOf(prepared, context);
  const tcpInfo = await tcpInfoOf(prepared, context);
  const link = await writeLink(prepared.trial, pageLoad, measured.link, context);
  const written = await harOf(prepared, measured, context);
  const earlier = earlierOf(prepared, measured, context);
  const { blamed, ...judgement } = judgementOf(
    prepared,
    measured,
    { har: written, packets, earlier },
    context,
  );
  const { har, file } = 'message' in written ? { har: null, file: null } : written;
  const { backBy, connections, machine, path, startedAt, stepsMs } = measured;
  const resources = context.manifest?.resources ?? null;
  const details: PageLoadDetails = {
    phasesMs: phasesOf(measured, har),
    traffic: har && trafficOf(har),
    replay: har && resources && replayedOf(har, resources),
    requestSetSha256: har && requestSetSha256(har),
    versions: har && versionsOf(har),
    earlier,
    ...(backBy.length === 0 ? {} : { backBy: backBy.map((each) => [...each]) }),
    changedOver: har && changedOverIn(har),
    names: namesOf(measured),
    finishMs: har && resources && finishTimesMs(har, resources.slice(0, MOST_FINISH_TIMES)),
    ...(measured.breaks && { breaks: breaksOf(measured.breaks) }),
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
    files: { ...(file === null ? {} : { har: file }), ...link, ...packets.files, ...tcpInfo },
    stepsMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    startedAt,
  };
}

function breaksOf({ completeMs: _, ...breaks }: Breaks): PageLoadDetails['breaks'] {
  return breaks;
}

/** The HAR on the disk, or why there is none. */
async function harOf(
  prepared: Prepared,
  { events }: Measured,
  context: LoadContext,
): Promise<{ har: Har; file: string } | { message: string }> {
  const { choices, results } = context;
  const { trial } = prepared;
  try {
    const har = withChangeOver(harMadeOf(events, prepared, context));
    const kept = choices.keepSecrets ? har : withoutSecrets(har);
    return { har, file: await results.writeHar(trial.id, kept) };
  } catch (error) {
    return { message: `No HAR could be written: ${(error as Error).message}` };
  }
}

function harMadeOf(
  events: readonly CdpEvent[],
  { trial }: Prepared,
  { url, manifest, versions }: LoadContext,
): Har {
  return buildHar(events, {
    site: trial.subject,
    stack: trial.arm,
    url,
    comment: `${trialText(trial, pageLoad)}; the page was ${manifest?.source ?? `loaded live from ${url}`}`,
    browserVersion: versions.chromium ?? '',
    creatorVersion: versions['quic-vs-https'] ?? '',
  });
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

async function packetsOf(
  { trial, place }: Prepared,
  context: LoadContext,
): Promise<PacketsWritten> {
  // Nothing went over the path, and nothing was begun on it.
  if ('code' in place) return NO_PACKETS;
  return writePackets(trial, pageLoad, () => keysSince(place), context);
}

async function tcpInfoOf(
  { trial, server, place }: Prepared,
  context: LoadContext,
): Promise<Attempt['files']> {
  return 'code' in place ? {} : writeTcpInfo(trial, pageLoad, server, context);
}

/** What was written of a load. */
interface Written {
  har: Awaited<ReturnType<typeof harOf>>;
  packets: PacketsWritten;
  earlier: VersionsRecord | null;
}

function judgementOf(
  { trial, server }: Prepared,
  measured: Measured,
  { har, packets, earlier }: Written,
  { manifest, choices }: LoadContext,
): Judgement {
  const { backBy, failure, connections, machine, time, path } = measured;
  if (failure) return { outcome: 'failed', code: failure.code, message: failure.message };
  if ('message' in har) return { outcome: 'failed', code: 'har-failed', message: har.message };
  if (packets.message !== null) {
    return { outcome: 'failed', code: 'packets-failed', message: packets.message };
  }
  const { protocol } = server.stack;
  if (manifest === null) {
    return judgeLive({ har: har.har, time }, { protocol, quicHosts: server.live?.quicHosts ?? [] });
  }
  if (path === null) throw new Error('a load that ended well and was never counted');
  return judgeLoad(
    {
      har: har.har,
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
