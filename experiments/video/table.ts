import type { Table } from '../../ground/experiment.ts';
import { type CsvValue, csvLine } from '../../ground/records/csv-line.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { ownChoices } from '../../ground/records/own-choices.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { events } from './events.ts';
import { SOURCES, type Source, VIDEO_CHOICES, type VideoDetails } from './records.ts';
import { connectionOf, type Stream, streamOf } from './stream.ts';

interface Line {
  run: RunRecord;
  attempt: Observation;
  /** null: the session never began. */
  details: VideoDetails | null;
  picture: Stream | null;
  sound: Stream | null;
  both: Stream | null;
}

type Columns = Readonly<Record<string, (line: Line) => CsvValue>>;

const COLUMNS: Columns = {
  stack: ({ attempt }) => attempt.stack,
  video: ({ attempt }) => attempt.subject,
  player: ({ attempt, details }) => details?.player.name ?? attempt.factors.player ?? null,
  repetition: ({ attempt }) => attempt.repetition,
  block: ({ attempt }) => attempt.block,
  outcome: ({ attempt }) => attempt.outcome,
  code: ({ attempt }) => attempt.code,
  stalls: metric('stalls'),
  startup_delay_ms: metric('startupDelayMs'),
  download_ms: ({ both }) => both?.underWayMs ?? null,
  mean_stall_ms: ({ attempt: { metrics } }) =>
    metrics.stalls && metrics.stalledMs != null ? metrics.stalledMs / metrics.stalls : null,
  total_stall_ms: metric('stalledMs'),
  played_ms: ({ details }) => details?.playedMs ?? null,
  prebuffering_ms: metric('prebufferingMs'),
  rate_kbps: metric('downloadKbps'),
  ...columnsOf('video', ({ picture }) => picture),
  ...columnsOf('audio', ({ sound }) => sound),
  connect_ms: ({ details }) => connectMsOf(details),
  buffer_s: ({ run }) => inSeconds(ownChoices(run, VIDEO_CHOICES)?.bufferMs),
  error: ({ attempt }) => attempt.message,
  rebuffer_ratio: ({ attempt: { metrics } }) =>
    metrics.rebufferPercent == null ? null : metrics.rebufferPercent / 100,
  switches: metric('switches'),
  mean_bitrate_kbps: metric('meanBitrateKbps'),
  time_to_first_frame_ms: metric('firstFrameMs'),
  dropped_frames: metric('droppedFrames'),
  bytes_wasted: metric('wastedBytes'),
  ...Object.assign({}, ...SOURCES.map(columnsOfSource)),
  watched_ms: ({ details }) => details?.watchedMs ?? null,
  shown_frames: ({ details }) => details?.frames?.shown ?? null,
  player_version: ({ details }) => details?.player.version ?? null,
  network: ({ attempt }) => attempt.network.name,
  rtt_added_ms: ({ attempt }) => attempt.network.rttMs,
  down_kbps: ({ attempt }) => attempt.network.downKbps,
  up_kbps: ({ attempt }) => attempt.network.upKbps,
  loss_percent: ({ attempt }) => attempt.network.lossPercent,
  path_rtt_ms: ({ attempt }) => attempt.network.measuredRttMs,
  path_up_packets: ({ attempt }) => attempt.path?.toServer.packets ?? null,
  path_up_bytes: ({ attempt }) => attempt.path?.toServer.bytes ?? null,
  path_down_packets: ({ attempt }) => attempt.path?.toClient.packets ?? null,
  path_down_bytes: ({ attempt }) => attempt.path?.toClient.bytes ?? null,
  connections: ({ attempt }) => attempt.connections?.opened.length ?? null,
  arm: ({ attempt }) => attempt.arm,
  warmup: ({ attempt }) => String(attempt.warmup),
  order: ({ attempt }) => attempt.order,
  id: ({ attempt }) => attempt.id,
};

/** Every session of a run, warm-ups too. */
const videos: Table = {
  file: 'videos.csv',
  text: (run, attempts) =>
    [
      Object.keys(COLUMNS),
      ...attempts.map((attempt) => {
        const details = attempt.details as VideoDetails | null;
        const requests = details?.requests ?? [];
        const line = {
          run,
          attempt,
          details,
          picture: streamOf(requests, 'video'),
          sound: streamOf(requests, 'audio'),
          both: streamOf(requests, 'video', 'audio'),
        };
        return Object.values(COLUMNS).map((valueIn) => valueIn(line));
      }),
    ]
      .map((line) => `${csvLine(line)}\n`)
      .join(''),
};

export const videoTables: readonly Table[] = [videos, events];

function metric(name: string): (line: Line) => CsvValue {
  return ({ attempt }) => attempt.metrics[name] ?? null;
}

/** Columns of the picture or of the sound. */
function columnsOf(name: string, streamIn: (line: Line) => Stream | null): Columns {
  const of =
    (valueIn: (stream: Stream, line: Line) => CsvValue | undefined) =>
    (line: Line): CsvValue => {
      const stream = streamIn(line);
      return (stream && valueIn(stream, line)) ?? null;
    };
  return {
    [`${name}_representations`]: of(({ representations }) => representations.join(' ')),
    [`${name}_rate_kbps`]: of(({ bytes, underWayMs }) => (8 * bytes) / underWayMs),
    [`${name}_bytes`]: of(({ bytes }) => bytes),
    [`${name}_download_ms`]: of(({ underWayMs }) => underWayMs),
    [`${name}_host`]: of(({ host }) => host),
    [`${name}_ip`]: of(({ host }, { attempt }) => connectionOf(attempt, host)?.ip),
    [`${name}_connect_ms`]: of(({ connectMs }) => connectMs),
    [`${name}_bitrate_kbps`]: of(({ bitrateKbps }) => bitrateKbps),
    [`${name}_quic_version`]: of(
      ({ host }, { attempt }) => connectionOf(attempt, host)?.quicVersion,
    ),
    [`${name}_http`]: of(({ protocol }) => protocol),
  };
}

function columnsOfSource(by: Source): Columns {
  const report = ({ details }: Line) => details?.reports.find((each) => each.by === by);
  return {
    [`${by}_startup_ms`]: (line) => report(line)?.startupMs ?? null,
    [`${by}_stalls`]: (line) => report(line)?.stalls.length ?? null,
    [`${by}_stalled_ms`]: (line) => {
      const stalls = report(line)?.stalls;
      return stalls ? stalls.reduce((sum, { durationMs }) => sum + durationMs, 0) : null;
    },
    [`${by}_mean_bitrate_kbps`]: (line) => report(line)?.meanBitrateKbps ?? null,
  };
}

/** Set-up time of the connection that was opened for the manifest; null: unknown. */
function connectMsOf(details: VideoDetails | null): number | null {
  return details?.requests.find(({ kind }) => kind === 'manifest')?.connectMs ?? null;
}

function inSeconds(ms: number | null | undefined): number | null {
  return ms == null ? null : ms / 1000;
}
