import { BROWSER_OPTIONS } from '../../ground/options/common.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { renameDetails } from '../../ground/records/older-format.ts';
import type { Slice } from '../planning.ts';
import { VIDEO_METRICS } from './metrics.ts';
import { OPTIONS_OF_VIDEOS } from './options.ts';
import { planning } from './planning.ts';
import { PLAYERS, programOf } from './players/index.ts';
import { VIDEO_CHOICES, videoDetailsSchema } from './records.ts';
import { cautionsOf } from './reports/agreement.ts';

/** Browser options that apply to videos: browsers, kept records and kernel statistics. */
const VIDEO_OPTIONS: readonly string[] = [
  'browser',
  'tcp-info',
  'net-log',
  'hars',
  'compress-hars',
];

/** Plays a video in Chromium with a widely used player. */
export const video: Slice = {
  name: 'video',
  options: OPTIONS_OF_VIDEOS,
  without: [
    ...BROWSER_OPTIONS.filter((name) => !VIDEO_OPTIONS.includes(name)),
    'sites',
    'coalesce',
    'timeout',
  ],
  choices: VIDEO_CHOICES,
  planning,
  command: {
    name: 'video',
    summary:
      'plays a video in Chromium from several server stacks and compares start-up, stalls and bitrate',
    examples: [
      [
        '',
        'start-up, stalls and bitrate over dsl: sessions of 20 s until the question is decided, 10 to 18 minutes',
      ],
      [
        `--player ${PLAYERS.map(({ word }) => word).join()} --network dsl,3g,lossy-wireless --duration 60 --repetitions 10`,
        'every player under three conditions, 60 s each: an hour per player',
      ],
      ['--abr off --bitrate 1000 --down 2000', 'a fixed bitrate over a link of twice the rate'],
      ['--trace link.up --rtt 40', 'a recorded link, to which players adapt'],
    ],
  },
  attempt: ['session', 'sessions'],
  subject: ['video', 'videos'],
  site: ['video', 'videos'],
  // Sessions are long: only one stack for each protocol.
  stacksByDefault: ['lsquic-h3', 'bun-h2'],
  client: 'chromium',
  notInFirefox: "Chromium's DevTools control the players",
  clientNoun: 'browser',
  setUp: {
    about: 'ffmpeg, which generates a video',
    programs: [{ program: 'ffmpeg', from: 'ffmpeg' }],
    files: PLAYERS.map(programOf),
  },
  upgrade: (attempt) => ({
    ...renameDetails(attempt, {
      told: 'reports',
      bitrateUntold: 'bitrateMissing',
      asked: 'requests',
      askedMs: 'requestedMs',
      rung: 'representation',
    }),
    ...(attempt.code === 'wrong-rung' && { code: 'wrong-representation' }),
  }),
  recordFile: 'videos.jsonl',
  codes: {
    failed: {
      'segment-failed':
        'A segment never arrived whole on any try: each response had status 400 or more, or broke off. Segments that the player abandons for another quality level do not count.',
      'never-started': 'No video was played in the whole viewing time.',
      'player-failed': 'The player reported an error.',
      'codec-unsupported': 'Chromium plays no representation of the picture, or of the sound.',
    },
    invalid: {
      'wrong-representation':
        'A player with `--abr off` requested another quality level (`video`).',
    },
  },
  details: videoDetailsSchema,
  factors: {
    player: Object.fromEntries(
      PLAYERS.map(({ name, label }, index) => [
        name,
        index === 0 ? { text: label, phrase: null } : { text: `played by ${label}`, phrase: label },
      ]),
    ),
  },
  question: 'start-up, stalls and bitrate',
  metrics: VIDEO_METRICS,
  differIn: (protocol, other) =>
    protocol === other
      ? null
      : 'The two differ in the protocol, and each server shares the link between picture and sound differently. An adaptive player mistakes this for a change of the network.',
  tables: async () => (await import('./table.ts')).videoTables,
  dialects: {
    panda: {
      help: 'panda: videos.panda.txt, in the output format of the programs of R. Panda’s study of 2019',
      load: async () => (await import('./panda.ts')).pandaTable,
    },
  },
  hasSections: true,
  cautions: cautionsOf,
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
