import assert from 'node:assert/strict';
import { test } from 'node:test';
import { both, reportFor, testModel } from '../../../../test/unit/reports/real-session.ts';
import { shaka } from '../../player.ts';

// Sessions of Chromium and Shaka Player 5.2.12, over paths made here.
testModel(shaka, [
  {
    about: 'Shaka Player over the same link, which skips 0.1 s of a stall',
    watchedMs: 25001,
    durationMs: 20000,
    arrivals: {
      video: [3895, 6001, 10376, 13632, 16951, 19998, 23492, null],
      audio: [2105, 7124, 9171, 13724, 15678, 20137, 21540, null],
    },
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
    about: 'Shaka Player at the same cut',
    watchedMs: 14001,
    durationMs: 60000,
    arrivals: {
      video: [190, 753, 2295, 4346, 8557, 9097, 11145, 12698],
      audio: [164, 1224, 2263, 4311, 8526, 9064, 11108, 12655],
    },
    element: { startupMs: 213, stalls: [[8169, 331, true]] },
  },
  {
    about: 'Shaka Player whose buffer outlasts the cut',
    watchedMs: 14001,
    durationMs: 60000,
    arrivals: {
      video: [202, 750, 2291, 4330, 8136, 8686, 10736, 12775],
      audio: [181, 1243, 2283, 4324, 8134, 8684, 10735, 12774],
    },
    element: { startupMs: 215, stalls: [] },
  },
]);

test('skips in Shaka Player when the browser waits although there is data', () => {
  const ends = [1000, 4000, 7000, 10_000, 13_000];
  const [waiting, skipping] = [reportFor(both(...ends)), reportFor(both(...ends), shaka.name)];
  assert.equal(waiting.stalls[3]?.ended, false);
  assert.equal(skipping.stalls[3]?.ended, true);
  assert.equal(Math.round((skipping.stalls[3]?.durationMs ?? 0) / 100) / 10, 2);
});
