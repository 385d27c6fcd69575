import { testModel } from '../../../../test/unit/reports/real-session.ts';
import { dashjs } from '../../player.ts';

// Sessions of Chromium and dash.js 5.2.1, over paths made here.
testModel(dashjs, [
  {
    about: 'dash.js over a link of 130 kbit/s, less than its lowest quality levels',
    watchedMs: 25001,
    durationMs: 20000,
    arrivals: {
      video: [2621, 5520, 8724, 12103, 15252, 19797, 22183, null],
      audio: [5679, 8814, 11915, 14625, 17768, 19609, 23715, null],
    },
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
    arrivals: {
      video: [212, 760, 2805, 4850, 9354, 9900, 11947, 13988],
      audio: [209, 254, 1291, 3336, 9353, 9398, 10438, 12509],
    },
    element: { startupMs: 233, stalls: [[8198, 1103, true]] },
  },
]);
