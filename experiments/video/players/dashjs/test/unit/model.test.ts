import { testModel } from '../../../../test/unit/told/real-session.ts';
import { dashjs } from '../../player.ts';

// Sessions of Chromium and dash.js 5.2.1, over paths made here.
testModel(dashjs, [
  {
    about: 'dash.js over a link of 130 kbit/s, less than its lowest rungs',
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
    about: 'dash.js with 2 s of buffer when the path was cut for 3 s',
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
]);
