import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playerRequestsOf } from '../../../player-requests.ts';
import { reportByModel } from '../../../reports/model.ts';
import { MANIFEST_URL, presentation, segment, watchedSession } from '../watched-session.ts';
import { both, reportFor } from './real-session.ts';

test('begins playback when both picture and sound have arrived', () => {
  const { startupMs } = reportFor([
    ['low', 0, 900],
    ['tone', 0, 2000],
  ]);
  assert.equal(startupMs, 2015);
});

test('never begins a video with sound only', () => {
  assert.deepEqual(
    reportFor([
      ['low', 2000, 500],
      ['tone', 0, 800],
    ]),
    { startupMs: null, stalls: [] },
  );
});

test('never begins a session without data', () => {
  assert.deepEqual(reportFor([]), { startupMs: null, stalls: [] });
});

test('stops the playhead when the sound is at its end, and continues when more has arrived', () => {
  const { startupMs, stalls } = reportFor(both(1000, 5000), undefined, 6000);
  assert.equal(startupMs, 1015);
  assert.deepEqual(stalls, [{ atMs: 3015, durationMs: 2000, ended: true }]);
});

test('plays sound on for 3 s without a picture, and no longer', () => {
  const sound = [0, 2000, 4000, 6000, 8000].map((fromMs) => ['tone', fromMs, 500] as const);
  const late = (endMs: number) => reportFor([['low', 0, 500], ...sound, ['low', 2000, endMs]]);
  assert.deepEqual(late(3000).stalls[0]?.atMs, 515 + 4000 + 3000, 'the next gap is the first stop');
  const never = reportFor([['low', 0, 500], ...sound]);
  assert.deepEqual(never.stalls, [{ atMs: 5515, durationMs: 54_485, ended: false }]);
});

test('ignores a picture that arrives when the playhead has passed it', () => {
  const sound = [0, 2000, 4000, 6000, 8000].map((fromMs) => ['tone', fromMs, 500] as const);
  const { stalls } = reportFor([
    ['low', 0, 500],
    ...sound,
    ['low', 2000, 5000],
    ['low', 4000, 7000],
  ]);
  assert.equal(stalls[0]?.atMs, 5515);
  assert.equal(stalls[0]?.durationMs, 7000 + 15 - 5515);
});

test('requires twice as much sound after each stall, as Chromium does, until a segment is not enough', () => {
  const ends = [1000, 4000, 7000, 10_000, 13_000, 16_000];
  const { stalls } = reportFor(both(...ends));
  const lengths = stalls.map(({ durationMs }) => Math.round(durationMs / 100) / 10);
  assert.deepEqual(lengths.slice(0, 3), [1, 1, 1]);
  assert.equal(lengths[3], 4, 'of the fourth, two segments are waited for');
});

test('does not count the end of the video as a stall', () => {
  const ends = Array.from({ length: 10 }, (_, index) => 1000 + index);
  assert.deepEqual(reportFor(both(...ends)).stalls, []);
});

test('does not count a failed segment as arrived', () => {
  const failed = { ...segment('low', 0, 900), failed: 'net::ERR_CONNECTION_RESET' };
  const watched = watchedSession({ requests: [failed, segment('tone', 0, 900)] });
  const playerRequests = playerRequestsOf(watched, presentation(), MANIFEST_URL);
  assert.equal(reportByModel({ ...watched, playerRequests, durationMs: 20_000 }).startupMs, null);
});
