import type { Observation } from '../../../../ground/records/observation.ts';
import {
  type CommonOptions,
  DELAYED,
  type MadeRun,
  madeRun,
} from '../../../../test/unit/made-run.ts';
import { video } from '../../experiment.ts';
import { PLAYERS } from '../../players/index.ts';
import {
  BUFFER_STEP_MS,
  type PlayerRequest,
  SOURCES,
  type Source,
  type Stall,
  type VideoDetails,
} from '../../records.ts';

/** A record of a session. */
export type Session = Observation<VideoDetails>;

/** An arm of a made-up run: its startup time, its segment times, and its stall lengths. */
export interface MadeUpArm {
  arm: string;
  label: string;
  protocol: 'h3' | 'h2';
  /** From the request of the manifest to its end. */
  manifestMs: number;
  segmentMs: number;
  /** Delay of the fourth segment; 0: on time. */
  stalledMs: number;
}

export const ARMS: readonly [MadeUpArm, MadeUpArm] = [
  {
    arm: 'lsquic-h3',
    label: 'lsquic (h3)',
    protocol: 'h3',
    manifestMs: 60,
    segmentMs: 200,
    stalledMs: 0,
  },
  {
    arm: 'bun-h2',
    label: 'Bun (h2)',
    protocol: 'h2',
    manifestMs: 90,
    segmentMs: 400,
    stalledMs: 500,
  },
];

const HOST = 'video.example';
const WATCHED_MS = 20_000;
const SEGMENT_MS = 2000;
const SEGMENTS = 11;
const PICTURE_KBPS = { low: 300, high: 700 };
const SOUND_KBPS = 96;
/** The first segment of the higher quality level, which is the late one if there is one. */
const FOURTH = 3;
/** Lead of each source over the element. */
const SOONER_MS = { element: 0, player: 4, model: 30 } as const satisfies Record<Source, number>;

/**
 * Details of a session that began with the lower quality level, changed once to the higher one, and
 * wasted nothing.
 * @param lateMs shifts everything: the difference between repetitions
 */
export function detailsOf(
  { manifestMs, segmentMs, stalledMs }: Omit<MadeUpArm, 'arm' | 'label' | 'protocol'>,
  player: string = PLAYERS[0].name,
  lateMs = 0,
): VideoDetails {
  const initMs = manifestMs + lateMs;
  const firstMs = initMs + 100;
  const startupMs = firstMs + segmentMs + 50;
  const lowMs = FOURTH * SEGMENT_MS;
  const stalls: Stall[] =
    stalledMs > 0 ? [{ atMs: startupMs + lowMs, durationMs: stalledMs, ended: true }] : [];
  const fourthMs =
    stalledMs > 0 ? startupMs + lowMs + stalledMs - segmentMs : firstMs + FOURTH * segmentMs;
  const segments = Array.from({ length: SEGMENTS }, (_, index) => {
    const requestedMs =
      index < FOURTH
        ? firstMs + index * segmentMs
        : fourthMs + (index - FOURTH) * Math.max(segmentMs, 1500);
    const kbps = index < FOURTH ? PICTURE_KBPS.low : PICTURE_KBPS.high;
    return [
      piece('video', `v${kbps}`, kbps, index, requestedMs, requestedMs + segmentMs),
      piece('audio', 'a', SOUND_KBPS, index, requestedMs, requestedMs + segmentMs / 2),
    ];
  });
  const requests: PlayerRequest[] = [
    {
      ...NOTHING,
      kind: 'manifest',
      url: `https://${HOST}/manifest.mpd`,
      connectMs: manifestMs / 2,
      requestedMs: 0,
      firstByteMs: initMs - 5,
      endMs: initMs,
      bytes: 2000,
    },
    initOf('v300', PICTURE_KBPS.low, initMs),
    initOf('a', SOUND_KBPS, initMs),
    ...segments.flat(),
  ];
  const playedMs = WATCHED_MS - startupMs - stalledMs;
  const meanBitrateKbps =
    (lowMs * PICTURE_KBPS.low + (playedMs - lowMs) * PICTURE_KBPS.high) / playedMs;
  return {
    player: { name: player, version: '5.2.1' },
    watchedMs: WATCHED_MS,
    playedMs,
    reports: SOURCES.map((by) => ({
      by,
      startupMs: startupMs - SOONER_MS[by],
      stalls: stalls.map((stall) => ({ ...stall, atMs: stall.atMs - SOONER_MS[by] })),
      meanBitrateKbps: by === 'element' ? null : meanBitrateKbps,
    })),
    switches: [
      {
        atMs: segments[FOURTH]?.[0]?.requestedMs ?? 0,
        fromKbps: PICTURE_KBPS.low,
        toKbps: PICTURE_KBPS.high,
      },
    ],
    requests,
    bufferStepMs: Array.from({ length: WATCHED_MS / BUFFER_STEP_MS }, (_, step) =>
      bufferedMs((step + 1) * BUFFER_STEP_MS, requests, startupMs, stalls),
    ),
    frames: { shown: Math.round(playedMs / 40) - 2, dropped: 2 },
  };
}

const NOTHING = {
  protocol: null,
  connectMs: null,
  mime: null,
  representation: null,
  kbps: null,
  fromMs: null,
  durationMs: null,
  firstByteMs: null,
  endMs: null,
  failed: null,
} as const;

function initOf(representation: string, kbps: number, requestedMs: number): PlayerRequest {
  return {
    ...NOTHING,
    kind: 'init',
    url: `https://${HOST}/${representation}/init.webm`,
    mime: `${representation === 'a' ? 'audio' : 'video'}/webm`,
    representation,
    kbps,
    requestedMs,
    firstByteMs: requestedMs + 90,
    endMs: requestedMs + 95,
    bytes: 700,
  };
}

function piece(
  kind: 'video' | 'audio',
  representation: string,
  kbps: number,
  index: number,
  requestedMs: number,
  endMs: number,
): PlayerRequest {
  return {
    ...NOTHING,
    kind,
    url: `https://${HOST}/${representation}/${index + 1}.webm`,
    representation,
    mime: `${kind}/webm`,
    kbps,
    fromMs: index * SEGMENT_MS,
    durationMs: SEGMENT_MS,
    requestedMs,
    firstByteMs: requestedMs + 40,
    endMs,
    bytes: (kbps * SEGMENT_MS) / 8,
  };
}

/** Picture buffered at a moment: arrived minus played. */
function bufferedMs(
  atMs: number,
  requests: readonly PlayerRequest[],
  startupMs: number,
  stalls: readonly Stall[],
): number {
  const come = requests.filter(
    ({ kind, endMs }) => kind === 'video' && endMs !== null && endMs <= atMs,
  );
  const stalledMs = stalls.reduce(
    (sum, stall) => sum + Math.min(stall.durationMs, Math.max(0, atMs - stall.atMs)),
    0,
  );
  const playedMs = Math.max(0, atMs - startupMs - stalledMs);
  return Math.max(0, come.length * SEGMENT_MS - playedMs);
}

export interface MadeUpOptions extends CommonOptions<VideoDetails> {
  players?: readonly string[];
  arms?: readonly MadeUpArm[];
}

/** A made-up run of videos. */
export function madeUpVideos({
  players = [PLAYERS[0].name],
  arms = ARMS,
  ...options
}: MadeUpOptions = {}): MadeRun<VideoDetails> {
  const made = madeRun<VideoDetails, MadeUpArm>(video, {
    subjects: ['test-pattern'],
    networks: [DELAYED],
    arms,
    repetitions: 7,
    factors: { player: players },
    client: 'chromium',
    analysis: { baseline: arms.at(-1)?.arm ?? '', marginPercent: 5, metric: 'startupDelayMs' },
    idOf: ({ subject, network, factors: { player }, arm, block }) =>
      [subject, network.name, ...(players.length > 1 ? [player] : []), arm, block].join('.'),
    attempt: ({ trial: { id, block }, arm, network, factors, index, armIndex }) => {
      const details = detailsOf(arm, factors.player, (7 * block + 3 * armIndex) % 5);
      for (const each of details.requests) each.protocol = arm.protocol;
      const isQuic = arm.protocol === 'h3';
      return {
        network: { ...network, backend: 'userspace', measuredRttMs: network.rttMs + 0.25 },
        client: { id: `${arm.arm}.1`, attemptsBefore: block, ageMs: 21_000 * block },
        metrics: metricsIn(details),
        connections: {
          opened: [
            {
              host: HOST,
              address: '10.77.0.2:443',
              clientPort: 40_000 + index,
              transport: isQuic ? 'quic' : 'tcp',
              offered: 'full',
              tlsVersion: 'TLS 1.3',
              quicVersion: isQuic ? '1' : null,
              cipher: 'AES_128_GCM',
              handshake: 'full',
              earlyData: 'none',
            },
          ],
          whole: true,
        },
        files: { har: `har/${id}.har` },
        startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, 21 * index)).toISOString(),
        details,
      };
    },
    ...options,
  });
  for (const subject of made.run.subjects)
    Object.assign(subject, { url: `https://${HOST}/manifest.mpd`, kind: 'video' });
  made.run.choices.videos = {
    watchedMs: WATCHED_MS,
    bufferMs: null,
    adapts: true,
    bitrateKbps: null,
  };
  return made;
}

/** Metrics of a session without losses. */
function metricsIn({
  reports,
  requests,
  playedMs,
  switches,
  frames,
}: VideoDetails): Session['metrics'] {
  const [element, , model] = reports;
  const startupDelayMs = element?.startupMs ?? null;
  const stalls = element?.stalls ?? [];
  const stalledMs = stalls.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const segments = requests.filter(({ kind }) => kind === 'video' || kind === 'audio');
  const firstMs = segments[0]?.requestedMs ?? 0;
  const bytes = segments.reduce((sum, each) => sum + each.bytes, 0);
  // The sound arrives together with the picture.
  const busyMs = segments
    .filter(({ kind }) => kind === 'video')
    .reduce((sum, { requestedMs, endMs }) => sum + (endMs ?? requestedMs) - requestedMs, 0);
  return {
    startupDelayMs,
    prebufferingMs: startupDelayMs === null ? null : startupDelayMs - firstMs,
    firstFrameMs: startupDelayMs === null ? null : startupDelayMs + 20,
    playedPercent: (100 * playedMs) / (playedMs + stalledMs),
    meanBitrateKbps: model?.meanBitrateKbps ?? null,
    downloadKbps: (8 * bytes) / busyMs,
    stalls: stalls.length,
    stalledMs,
    rebufferPercent: (100 * stalledMs) / (playedMs + stalledMs),
    switches: switches.length,
    droppedFrames: frames?.dropped ?? null,
    wastedBytes: 0,
  };
}
