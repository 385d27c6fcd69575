import type { Table } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { ownChoices } from '../../ground/records/own-choices.ts';
import type { SessionReport, VideoDetails } from './records.ts';
import { VIDEO_CHOICES } from './records.ts';
import { connectionOf, type Stream, streamOf } from './stream.ts';

/** Names that R. Panda's QUIC program and its TCP original print. */
const PROGRAMS = { quic: 'YOUTUBE_QUIC.0', tcp: 'YOUTUBE.3' } as const;

/** Error codes of these programs for success and failure; further codes are specific to them. */
const ERROR_CODES = { ok: 600, failed: 666 } as const;

const FORMATS = new Map<string, string>(
  Object.entries({
    'video/mp4': 'mp4dash',
    'video/webm': 'webmdash',
  }),
);

const HTTP_VERSIONS = new Map<string, string>(
  Object.entries({
    h3: 'HTTP/3',
    h2: 'HTTP/2',
    'http/1.1': 'HTTP/1.1',
  }),
);

type Field = string | number | null;

/**
 * Output format of the programs of R. Panda's study of 2019 (RohitPanda/Quic-Test; for TCP,
 * S. Ahsan's sabyahsan/Youtube-test): a line for each stall, `youtubeevent12`, before the line of
 * its session. Times are in microseconds, rates in bytes per second, the rate of both streams
 * together in whole bytes per microsecond. Fields that the benchmark does not measure are empty.
 */
export const pandaTable: Table = {
  file: 'videos.panda.txt',
  text: (run, attempts) =>
    attempts
      .filter(({ warmup }) => !warmup)
      .flatMap((attempt) => {
        const details = attempt.details as VideoDetails | null;
        const session = sessionLine(
          attempt,
          details,
          ownChoices(run, VIDEO_CHOICES)?.bufferMs ?? null,
        );
        return [...(details ? stallLines(attempt, details) : []), `${textOf(session)};`];
      })
      .map((line) => `${line}\n`)
      .join(''),
};

function sessionLine(
  attempt: Observation,
  details: VideoDetails | null,
  bufferMs: number | null,
): Field[] {
  const { metrics } = attempt;
  const requests = details?.requests ?? [];
  const [picture, sound] = [streamOf(requests, 'video'), streamOf(requests, 'audio')];
  const both = streamOf(requests, 'video', 'audio');
  const quic = (picture?.protocol ?? attempt.protocol) === 'h3';
  const isOk = attempt.outcome === 'ok';
  const downloadUs = both && us(both.endMs - both.requestedMs);
  const meanStallMs = metrics.stalls ? (metrics.stalledMs ?? 0) / metrics.stalls : metrics.stalls;
  return [
    PROGRAMS[quic ? 'quic' : 'tcp'],
    startedS(attempt),
    isOk ? 'OK' : 'FAIL',
    attempt.subject,
    FORMATS.get(picture?.mime ?? '') ?? 'unknown',
    downloadUs,
    metrics.stalls ?? null,
    us(meanStallMs),
    us(metrics.stalledMs),
    us(both && Math.min((picture ?? both).contentMs, (sound ?? both).contentMs)),
    us(metrics.prebufferingMs),
    both && downloadUs && Math.round(both.bytes / downloadUs),
    'VIDEO',
    ...streamFields(attempt, picture, quic),
    'AUDIO',
    ...streamFields(attempt, sound, quic),
    us(requests.find(({ kind }) => kind === 'manifest')?.connectMs),
    us(metrics.startupDelayMs),
    bufferMs === null ? null : Math.round(bufferMs / 1000),
    ERROR_CODES[isOk ? 'ok' : 'failed'],
  ];
}

/** Fields of one stream. Only YouTube has the first field, only QUIC the versions. */
function streamFields(attempt: Observation, stream: Stream | null, quic: boolean): Field[] {
  const connection = stream && connectionOf(attempt, stream.host);
  const versions = [
    connection?.quicVersion ?? null,
    HTTP_VERSIONS.get(stream?.protocol ?? '') ?? null,
  ];
  return [
    null,
    stream && Math.round((stream.bytes * 1000) / stream.underWayMs),
    stream?.bytes ?? null,
    us(stream?.underWayMs),
    stream?.host ?? null,
    connection?.ip ?? null,
    us(stream?.connectMs),
    stream && Math.round((stream.bitrateKbps * 1000) / 8),
    ...(quic ? versions : []),
  ];
}

/** Stalls of the element's report, without one that lasts to the end: his programs print none. */
function stallLines(attempt: Observation, { reports }: VideoDetails): string[] {
  const { startupMs, stalls } = reports.find(({ by }) => by === 'element') as SessionReport;
  let stalledMs = 0;
  return stalls.flatMap(({ atMs, durationMs, ended }) => {
    const mediaMs = atMs - (startupMs ?? 0) - stalledMs;
    stalledMs += durationMs;
    const endedS = Math.floor((Date.parse(attempt.startedAt) + atMs + durationMs) / 1000);
    const fields = [
      'youtubeevent12',
      endedS,
      startedS(attempt),
      Math.round(mediaMs),
      durationMs.toFixed(3),
    ];
    return ended ? [textOf(fields)] : [];
  });
}

function startedS({ startedAt }: Pick<Observation, 'startedAt'>): number {
  return Math.floor(Date.parse(startedAt) / 1000);
}

function us(ms: number | null | undefined): number | null {
  return ms == null ? null : Math.round(ms * 1000);
}

function textOf(fields: readonly Field[]): string {
  return fields.map((field) => field ?? '').join(';');
}
