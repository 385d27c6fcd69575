import type { PlayerName } from '../../../records.ts';

/** A session that was watched: what came when, and what the element told of it. */
export interface RealSession {
  about: string;
  player: PlayerName;
  watchedMs: number;
  durationMs: number;
  /** Segments of 2 s, their places in the video, and when they had come; null: not while it was watched. */
  arrivals: readonly (readonly [kind: 'video' | 'audio', fromMs: number, endMs: number | null])[];
  element: {
    startupMs: number;
    stalls: readonly (readonly [atMs: number, durationMs: number, ended: boolean])[];
  };
}

/** Of Chromium, dash.js 5.2.1 and Shaka Player 5.2.12, over paths made here. */
export const REAL_SESSIONS: readonly RealSession[] = [
  {
    about: 'dash.js over a link of 130 kbit/s, less than its lowest rungs',
    player: 'dashjs',
    watchedMs: 25001,
    durationMs: 20000,
    arrivals: [
      ['video', 0, 2621],
      ['audio', 0, 5679],
      ['video', 2000, 5520],
      ['video', 4000, 8724],
      ['audio', 2000, 8814],
      ['video', 6000, 12103],
      ['audio', 4000, 11915],
      ['audio', 6000, 14625],
      ['video', 8000, 15252],
      ['audio', 8000, 17768],
      ['video', 10000, 19797],
      ['audio', 10000, 19609],
      ['video', 12000, 22183],
      ['audio', 12000, 23715],
      ['video', 14000, null],
      ['audio', 14000, null],
    ],
    element: {
      startupMs: 5688,
      stalls: [
        [7712, 1089, true],
        [10841, 1060, true],
        [13992, 629, true],
        [16661, 2940, true],
        [23659, 1342, false],
      ],
    },
  },
  {
    about: 'Shaka Player over the same link, which skips 0.1 s of a stall',
    player: 'shaka',
    watchedMs: 25001,
    durationMs: 20000,
    arrivals: [
      ['audio', 0, 2105],
      ['video', 0, 3895],
      ['video', 2000, 6001],
      ['audio', 2000, 7124],
      ['audio', 4000, 9171],
      ['video', 4000, 10376],
      ['video', 6000, 13632],
      ['audio', 6000, 13724],
      ['audio', 8000, 15678],
      ['video', 8000, 16951],
      ['video', 10000, 19998],
      ['audio', 10000, 20137],
      ['audio', 12000, 21540],
      ['video', 12000, 23492],
      ['video', 14000, null],
      ['audio', 14000, null],
    ],
    element: {
      startupMs: 3915,
      stalls: [
        [5877, 1224, true],
        [11180, 2521, true],
        [17741, 3447, true],
      ],
    },
  },
  {
    about: 'dash.js with 2 s of buffer when the path was cut for 3 s',
    player: 'dashjs',
    watchedMs: 14001,
    durationMs: 60000,
    arrivals: [
      ['video', 0, 212],
      ['audio', 0, 209],
      ['audio', 2000, 254],
      ['video', 2000, 760],
      ['audio', 4000, 1291],
      ['video', 4000, 2805],
      ['audio', 6000, 3336],
      ['video', 6000, 4850],
      ['audio', 8000, 9353],
      ['video', 8000, 9354],
      ['audio', 10000, 9398],
      ['video', 10000, 9900],
      ['audio', 12000, 10438],
      ['video', 12000, 11947],
      ['audio', 14000, 12509],
      ['video', 14000, 13988],
    ],
    element: { startupMs: 233, stalls: [[8198, 1103, true]] },
  },
  {
    about: 'Shaka Player at the same cut',
    player: 'shaka',
    watchedMs: 14001,
    durationMs: 60000,
    arrivals: [
      ['audio', 0, 164],
      ['video', 0, 190],
      ['video', 2000, 753],
      ['audio', 2000, 1224],
      ['audio', 4000, 2263],
      ['video', 4000, 2295],
      ['audio', 6000, 4311],
      ['video', 6000, 4346],
      ['audio', 8000, 8526],
      ['video', 8000, 8557],
      ['audio', 10000, 9064],
      ['video', 10000, 9097],
      ['audio', 12000, 11108],
      ['video', 12000, 11145],
      ['audio', 14000, 12655],
      ['video', 14000, 12698],
    ],
    element: { startupMs: 213, stalls: [[8169, 331, true]] },
  },
  {
    about: 'Shaka Player whose buffer outlasts the cut',
    player: 'shaka',
    watchedMs: 14001,
    durationMs: 60000,
    arrivals: [
      ['audio', 0, 181],
      ['video', 0, 202],
      ['video', 2000, 750],
      ['audio', 2000, 1243],
      ['audio', 4000, 2283],
      ['video', 4000, 2291],
      ['audio', 6000, 4324],
      ['video', 6000, 4330],
      ['audio', 8000, 8134],
      ['video', 8000, 8136],
      ['audio', 10000, 8684],
      ['video', 10000, 8686],
      ['audio', 12000, 10735],
      ['video', 12000, 10736],
      ['audio', 14000, 12774],
      ['video', 14000, 12775],
    ],
    element: { startupMs: 215, stalls: [] },
  },
];
