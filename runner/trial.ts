import type { SiteManifest } from '../cache/manifest.ts';
import { attemptOf } from '../records/attempt.ts';
import type { LoadPhasesMs } from '../records/load-phases.ts';
import type { QuietRule } from '../records/machine-use.ts';
import { type PageLoad, RECORD_FORMAT_VERSION, type TimingsMs } from '../records/page-load.ts';
import type { RunChoices, Trial } from '../records/run.ts';
import { buildHar } from './har/build.ts';
import type { Har } from './har/har.ts';
import { lastByteMs } from './har/last-byte.ts';
import { mainDocumentOf } from './har/main-document.ts';
import { phasesOf as loadPhasesOf } from './har/phases.ts';
import { replayedOf } from './har/replayed.ts';
import { withoutSecrets } from './har/secrets.ts';
import { trafficOf } from './har/traffic.ts';
import { type Judgement, judge } from './judging/judge.ts';
import type { Path } from './network/path.ts';
import { disturbance } from './quiet/rule.ts';
import type { Results } from './results.ts';
import type { Server } from './servers.ts';
import { stopwatch } from './stopwatch.ts';
import { AT_ONCE, type Turn, type Visited, visitSite } from './watched-visit.ts';

/** What every trial of a run has in common. */
export interface TrialContext {
  chromium: string;
  timeoutS: number;
  choices: RunChoices;
  quietRule: QuietRule;
  versions: Record<string, string>;
  /** Id of the sitting that it is made in. */
  sitting: string;
  results: Pick<Results, 'writeHar'>;
  path: Pick<Path, 'agent' | 'apply' | 'backend' | 'count'>;
  /** By what the machine was late when the path was measured before; null or left out: it was not. */
  pathLate?: string | null;
  signal?: AbortSignal;
}

/** The record of a load that has no row yet: whoever writes it down gives it its number in the order actually run. */
export type UnnumberedLoad = Omit<PageLoad, 'order'>;

/**
 * One planned load, carried out: a browser of its own, the HAR on the disk, and its record. Only an interruption is thrown, and what
 * befalls the path.
 */
export async function runTrial(
  trial: Trial,
  manifest: SiteManifest,
  server: Server,
  measuredRttMs: number | null,
  context: TrialContext,
  turn: Turn = AT_ONCE,
): Promise<UnnumberedLoad> {
  const total = stopwatch();
  const visited = await visitSite(trial, manifest, server, context, turn);
  const step = stopwatch();
  let { failure } = visited;
  let har: Har | null = null;
  let harPath: string | null = null;
  try {
    har = harOf(trial, manifest, visited, context);
    const kept = context.choices.keepSecrets ? har : withoutSecrets(har);
    harPath = await context.results.writeHar(trial.id, kept);
  } catch (error) {
    failure ??= {
      code: 'har-failed',
      message: `No HAR could be written: ${(error as Error).message}`,
    };
  }
  const harMs = step();
  const { protocol } = server.stack;
  const { handshakes, connections, machine, time, path: counts } = visited;
  const judgement: Judgement =
    failure || har === null || counts === null
      ? { outcome: 'failed', code: failure?.code ?? null, message: failure?.message ?? null }
      : judge(
          { har, path: counts, handshakes, connections, machine, time },
          {
            ...{ manifest, protocol, choices: context.choices },
            visit: trial.visit,
            network: trial.network,
            origins: server.origins,
          },
        );
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    id: trial.id,
    site: trial.site,
    stack: trial.stack,
    protocol,
    network: { ...trial.network, backend: context.path.backend, measuredRttMs },
    repetition: trial.repetition,
    block: trial.block,
    warmup: trial.warmup,
    visit: trial.visit,
    ...judgement,
    timingsMs: timingsOf(visited, har),
    phasesMs: phasesOf(visited, har),
    traffic: har && trafficOf(har),
    replay: har && replayedOf(har, manifest.resources),
    handshakes,
    connections,
    machine,
    disturbed: disturbedBy(
      machine && disturbance(machine, context.quietRule),
      context.pathLate ?? null,
    ),
    harnessMs: { ...visited.stepsMs, har: harMs, total: total() },
    path: counts,
    har: harPath,
    startedAt: visited.startedAt.toISOString(),
    attempt: attemptOf(trial.id),
    sitting: context.sitting,
  };
}

/** Sentences in a row; null: there is none. */
function disturbedBy(...sentences: (string | null)[]): string | null {
  return sentences.filter((sentence) => sentence !== null).join(' ') || null;
}

function harOf(trial: Trial, manifest: SiteManifest, visited: Visited, context: TrialContext): Har {
  const visitText = trial.visit === 'cold' ? '' : `, ${trial.visit} visit`;
  return buildHar(visited.events, {
    site: trial.site,
    stack: trial.stack,
    url: manifest.url,
    comment: `${trial.site} by ${trial.stack}, network ${trial.network.name}${visitText}, ${trial.warmup ? 'warm-up' : `repetition ${trial.repetition}`}; the page was ${manifest.source}`,
    browserVersion: context.versions.chromium ?? '',
    creatorVersion: context.versions['quic-vs-https'] ?? '',
  });
}

function phasesOf({ timings }: Visited, har: Har | null): LoadPhasesMs | null {
  const pageLoadMs = timings?.loadEventEndMs ?? null;
  return har && pageLoadMs !== null ? loadPhasesOf(har, pageLoadMs) : null;
}

function timingsOf({ timings }: Visited, har: Har | null): TimingsMs {
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
