import assert from 'node:assert/strict';
import { test } from 'node:test';
import { both, testModel, told } from '../../../../test/unit/told/real-session.ts';
import { shaka } from '../../player.ts';

// Sessions of Chromium and Shaka Player 5.2.12, over paths made here.
testModel(shaka, [
  {
    about: 'Shaka Player over the same link, which skips 0.1 s of a stall',
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
    about: 'Shaka Player at the same cut',
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
]);

test('Shaka Player skips on when the browser waits although there is data', () => {
  const ends = [1000, 4000, 7000, 10_000, 13_000];
  const [waiting, skipping] = [told(both(...ends)), told(both(...ends), shaka.name)];
  assert.equal(waiting.stalls[3]?.ended, false);
  assert.equal(skipping.stalls[3]?.ended, true);
  assert.equal(Math.round((skipping.stalls[3]?.durationMs ?? 0) / 100) / 10, 2);
});
