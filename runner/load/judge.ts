import { attemptOf } from '../../records/attempt.ts';
import type { LoadPhasesMs } from '../../records/load-phases.ts';
import { RECORD_FORMAT_VERSION, type TimingsMs } from '../../records/page-load.ts';
import { buildHar } from '../har/build.ts';
import type { Har } from '../har/har.ts';
import { lastByteMs } from '../har/last-byte.ts';
import { mainDocumentOf } from '../har/main-document.ts';
import { phasesOf as loadPhasesOf } from '../har/phases.ts';
import { replayedOf } from '../har/replayed.ts';
import { withoutSecrets } from '../har/secrets.ts';
import { trafficOf } from '../har/traffic.ts';
import { type Judgement, judge as judgeLoad } from '../judging/judge.ts';
import { disturbance } from '../quiet/rule.ts';
import { stopwatch } from '../stopwatch.ts';
import type { Measured, Prepared, TrialContext, UnnumberedLoad } from './load.ts';

/** Writes the HAR of a load, judges it, and makes its record. */
export async function judge(
  prepared: Prepared,
  measured: Measured,
  context: TrialContext,
): Promise<UnnumberedLoad> {
  const { trial, server, place, prepareMs } = prepared;
  const step = stopwatch();
  const har = await harOf(prepared, measured, context);
  const written = 'message' in har ? NOT_WRITTEN : har;
  const judgement = judgementOf(prepared, measured, har, context);
  const { connections, machine, path, startedAt, stepsMs } = measured;
  const { measuredRttMs, pathLate } = context.measuredPath(trial);
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    id: trial.id,
    site: trial.site,
    stack: trial.stack,
    protocol: server.stack.protocol,
    network: {
      ...trial.network,
      backend: context.path.backend,
      measuredRttMs,
    },
    repetition: trial.repetition,
    block: trial.block,
    warmup: trial.warmup,
    visit: trial.visit,
    browser: 'code' in place ? null : place.about,
    ...judgement,
    timingsMs: timingsOf(measured, written.har),
    phasesMs: phasesOf(measured, written.har),
    traffic: written.har && trafficOf(written.har),
    replay: written.har && replayedOf(written.har, context.manifest.resources),
    connections,
    machine,
    disturbed: disturbedOf(measured, context, pathLate),
    harnessMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    path,
    har: written.file,
    startedAt: startedAt.toISOString(),
    attempt: attemptOf(trial.id),
    sitting: context.sitting,
  };
}

const NOT_WRITTEN = { har: null, file: null };

/** The HAR on the disk, or why there is none. */
async function harOf(
  { trial }: Prepared,
  { events }: Measured,
  { manifest, choices, versions, results }: TrialContext,
): Promise<{ har: Har; file: string } | { message: string }> {
  const visitText = trial.visit === 'cold' ? '' : `, ${trial.visit} visit`;
  try {
    const har = buildHar(events, {
      site: trial.site,
      stack: trial.stack,
      url: manifest.url,
      comment: `${trial.site} by ${trial.stack}, network ${trial.network.name}${visitText}, ${trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`}; the page was ${manifest.source}`,
      browserVersion: versions.chromium ?? '',
      creatorVersion: versions['quic-vs-https'] ?? '',
    });
    const kept = choices.keepSecrets ? har : withoutSecrets(har);
    return { har, file: await results.writeHar(trial.id, kept) };
  } catch (error) {
    return { message: `No HAR could be written: ${(error as Error).message}` };
  }
}

function judgementOf(
  { trial, server }: Prepared,
  { failure, connections, machine, time, path }: Measured,
  har: Awaited<ReturnType<typeof harOf>>,
  { manifest, choices }: TrialContext,
): Judgement {
  if (failure) return { outcome: 'failed', code: failure.code, message: failure.message };
  if ('message' in har) return { outcome: 'failed', code: 'har-failed', message: har.message };
  if (path === null) throw new Error('a load that ended well and was never counted');
  return judgeLoad(
    { har: har.har, path, connections, machine, time },
    {
      ...{ manifest, protocol: server.stack.protocol, choices },
      visit: trial.visit,
      network: trial.network,
      origins: server.origins,
    },
  );
}

function disturbedOf(
  { machine }: Measured,
  { quietRule }: TrialContext,
  pathLate: string | null,
): string | null {
  const found = [machine && disturbance(machine, quietRule), pathLate].filter(Boolean);
  return found.length === 0 ? null : found.join(' ');
}

function phasesOf({ timings }: Measured, har: Har | null): LoadPhasesMs | null {
  const pageLoadMs = timings?.loadEventEndMs ?? null;
  return har && pageLoadMs !== null ? loadPhasesOf(har, pageLoadMs) : null;
}

function timingsOf({ timings }: Measured, har: Har | null): TimingsMs {
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
