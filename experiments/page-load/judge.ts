import { readFile } from 'node:fs/promises';
import { buildHar } from '../../clients/chromium/har/build.ts';
import type { Har } from '../../clients/chromium/har/har.ts';
import { lastByteMs } from '../../clients/chromium/har/last-byte.ts';
import { mainDocumentOf } from '../../clients/chromium/har/main-document.ts';
import { phasesOf as loadPhasesOf } from '../../clients/chromium/har/phases.ts';
import { replayedOf } from '../../clients/chromium/har/replayed.ts';
import { withoutSecrets } from '../../clients/chromium/har/secrets.ts';
import { countsOf, trafficOf } from '../../clients/chromium/har/traffic.ts';
import type { LoadPhasesMs } from '../../clients/chromium/records.ts';
import { linkTable } from '../../records/link-file.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import type { Attempt } from '../measuring.ts';
import { NO_PACKETS, type PacketsWritten, writePackets } from '../packets.ts';
import { trialText } from '../trial-text.ts';
import type { Judgement } from './checks/check.ts';
import { judge as judgeLoad } from './checks/judge.ts';
import { requestSetSha256 } from './checks/requests.ts';
import type { PageLoadDetails } from './details.ts';
import { pageLoad } from './experiment.ts';
import type { LoadContext, Measured, Prepared } from './load.ts';
import { visitOf } from './measure-load.ts';
import { writeTcpInfo } from './tcp-info.ts';

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
  const link = await linkOf(prepared, measured, context);
  const written = await harOf(prepared, measured, context);
  const { blamed, ...judgement } = judgementOf(
    prepared,
    measured,
    { har: written, packets },
    context,
  );
  const { har, file } = 'message' in written ? { har: null, file: null } : written;
  const { connections, machine, path, startedAt, stepsMs } = measured;
  const details: PageLoadDetails = {
    phasesMs: phasesOf(measured, har),
    traffic: har && trafficOf(har),
    replay: har && replayedOf(har, context.manifest.resources),
    requestSetSha256: har && requestSetSha256(har),
    ...(blamed === undefined ? {} : { blamed }),
  };
  return {
    ...judgement,
    client: 'code' in place ? null : place.about,
    metrics: metricsOf(measured, har),
    connections,
    machine,
    path,
    details,
    files: { ...(file === null ? {} : { har: file }), ...link, ...packets.files, ...tcpInfo },
    stepsMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    startedAt,
  };
}

/** The HAR on the disk, or why there is none. */
async function harOf(
  { trial }: Prepared,
  { events }: Measured,
  { manifest, choices, versions, results }: LoadContext,
): Promise<{ har: Har; file: string } | { message: string }> {
  try {
    const har = buildHar(events, {
      site: trial.subject,
      stack: trial.arm,
      url: manifest.url,
      comment: `${trialText(trial, pageLoad)}; the page was ${manifest.source}`,
      browserVersion: versions.chromium ?? '',
      creatorVersion: versions['quic-vs-https'] ?? '',
    });
    const kept = choices.keepSecrets ? har : withoutSecrets(har);
    return { har, file: await results.writeHar(trial.id, kept) };
  } catch (error) {
    return { message: `No HAR could be written: ${(error as Error).message}` };
  }
}

async function packetsOf(
  { trial, place }: Prepared,
  context: LoadContext,
): Promise<PacketsWritten> {
  // Nothing went over the path, and nothing was begun on it.
  if ('code' in place) return NO_PACKETS;
  const { keyLogFile, keyLogFromByte } = place;
  const readKeyLog = async () => {
    const written = await readFile(keyLogFile).catch(() => Buffer.alloc(0));
    return written.toString('latin1', keyLogFromByte);
  };
  return writePackets(trial, pageLoad, readKeyLog, context);
}

async function tcpInfoOf(
  { trial, server, place }: Prepared,
  context: LoadContext,
): Promise<Attempt['files']> {
  return 'code' in place ? {} : writeTcpInfo(trial, server, context);
}

/** What could not be written of the link the user is told, and the load counts all the same. */
async function linkOf(
  { trial }: Prepared,
  { link }: Measured,
  { results, warn, signal }: LoadContext,
): Promise<Attempt['files']> {
  if (link === null) return {};
  try {
    return { link: await results.writeLink(trial.id, linkTable(link)) };
  } catch (error) {
    signal?.throwIfAborted();
    const what = trialText(trial, pageLoad);
    warn(`What the link carried of ${what} could not be written: ${(error as Error).message}`);
    return {};
  }
}

/** What was written of a load. */
interface Written {
  har: Awaited<ReturnType<typeof harOf>>;
  packets: PacketsWritten;
}

function judgementOf(
  { trial, server }: Prepared,
  { failure, connections, machine, time, path }: Measured,
  { har, packets }: Written,
  { manifest, choices }: LoadContext,
): Judgement {
  if (failure) return { outcome: 'failed', code: failure.code, message: failure.message };
  if ('message' in har) return { outcome: 'failed', code: 'har-failed', message: har.message };
  if (packets.message !== null) {
    return { outcome: 'failed', code: 'packets-failed', message: packets.message };
  }
  if (path === null) throw new Error('a load that ended well and was never counted');
  return judgeLoad(
    { har: har.har, path, connections, machine, time },
    {
      manifest,
      protocol: server.stack.protocol,
      choices,
      visit: visitOf(trial),
      network: trial.network,
      origins: server.origins,
    },
  );
}

function phasesOf({ timings }: Measured, har: Har | null): LoadPhasesMs | null {
  const pageLoadMs = timings?.loadEventEndMs ?? null;
  return har && pageLoadMs !== null ? loadPhasesOf(har, pageLoadMs) : null;
}

/** Every metric of metrics.ts by its name. */
function metricsOf({ timings }: Measured, har: Har | null): Attempt['metrics'] {
  const document = har && mainDocumentOf(har);
  const counts = har && countsOf(har);
  return {
    pageLoadMs: timings?.loadEventEndMs ?? null,
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
