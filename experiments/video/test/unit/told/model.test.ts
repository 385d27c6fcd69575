import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedOf } from '../../../asked.ts';
import type { PlayerName } from '../../../records.ts';
import { agreement, isAgreed } from '../../../told/agreement.ts';
import { byModel } from '../../../told/model.ts';
import {
  MANIFEST_URL,
  presentation,
  SEGMENT_MS,
  segment,
  watchedSession,
} from '../watched-session.ts';
import { REAL_SESSIONS, type RealSession } from './real-sessions.ts';

type Arrival = readonly [rung: 'low' | 'tone', fromMs: number, endMs: number];

/** What the model tells when segments had come so. */
function told(arrivals: readonly Arrival[], player: PlayerName = 'dashjs', watchedMs = 60_000) {
  const requests = arrivals.map((arrival) => segment(...arrival));
  const watched = watchedSession({ requests, player, watchedMs });
  const asked = askedOf(watched, presentation(), MANIFEST_URL);
  return byModel({ ...watched, asked, durationMs: 20_000 });
}

/** Picture and sound, segment by segment, at the same moments. */
function both(...endsMs: readonly number[]): Arrival[] {
  return endsMs.flatMap((endMs, index) => [
    ['low', index * SEGMENT_MS, endMs] as const,
    ['tone', index * SEGMENT_MS, endMs] as const,
  ]);
}

function toldOf(real: RealSession) {
  const rungs = { video: 'low', audio: 'tone' } as const;
  const arrivals = real.arrivals.flatMap(([kind, fromMs, endMs]) =>
    endMs === null ? [] : [[rungs[kind], fromMs, endMs] as const],
  );
  const requests = arrivals.map((arrival) => segment(...arrival));
  const watched = watchedSession({ ...real, requests });
  const asked = askedOf(watched, presentation(real.durationMs), MANIFEST_URL);
  return byModel({ ...watched, asked, durationMs: real.durationMs });
}

for (const real of REAL_SESSIONS) {
  test(`the model tells what the element told of ${real.about}`, () => {
    const { startupMs } = real.element;
    const stalls = real.element.stalls.map(([atMs, durationMs, ended]) => ({
      atMs,
      durationMs,
      ended,
    }));
    const told = agreement([
      { by: 'element', startupMs, stalls, meanBitrateKbps: null },
      { by: 'model', ...toldOf(real), meanBitrateKbps: null },
    ]);
    assert.ok(isAgreed(told), JSON.stringify(told));
  });
}

test('playing begins when both picture and sound have come', () => {
  const { startupMs } = told([
    ['low', 0, 900],
    ['tone', 0, 2000],
  ]);
  assert.equal(startupMs, 2015);
});

test('a video of which only the sound comes never begins', () => {
  assert.deepEqual(
    told([
      ['low', 2000, 500],
      ['tone', 0, 800],
    ]),
    { startupMs: null, stalls: [] },
  );
});

test('a session of which nothing came never begins', () => {
  assert.deepEqual(told([]), { startupMs: null, stalls: [] });
});

test('the playhead stops when the sound is at its end, and goes on when more has come', () => {
  const { startupMs, stalls } = told(both(1000, 5000), 'dashjs', 6000);
  assert.equal(startupMs, 1015);
  assert.deepEqual(stalls, [{ atMs: 3015, durationMs: 2000, ended: true }]);
});

test('sound plays on for 3 s without a picture, and no longer', () => {
  const sound = [0, 2000, 4000, 6000, 8000].map((fromMs) => ['tone', fromMs, 500] as const);
  const late = (endMs: number) => told([['low', 0, 500], ...sound, ['low', 2000, endMs]]);
  assert.deepEqual(late(3000).stalls[0]?.atMs, 515 + 4000 + 3000, 'the next gap is the first stop');
  const never = told([['low', 0, 500], ...sound]);
  assert.deepEqual(never.stalls, [{ atMs: 5515, durationMs: 54_485, ended: false }]);
});

test('a picture that comes when the playhead has passed it does not help', () => {
  const sound = [0, 2000, 4000, 6000, 8000].map((fromMs) => ['tone', fromMs, 500] as const);
  const { stalls } = told([['low', 0, 500], ...sound, ['low', 2000, 5000], ['low', 4000, 7000]]);
  assert.equal(stalls[0]?.atMs, 5515);
  assert.equal(stalls[0]?.durationMs, 7000 + 15 - 5515);
});

test('Chromium wants twice as much sound after each stall, until a segment is not enough', () => {
  const ends = [1000, 4000, 7000, 10_000, 13_000, 16_000];
  const { stalls } = told(both(...ends));
  const lengths = stalls.map(({ durationMs }) => Math.round(durationMs / 100) / 10);
  assert.deepEqual(lengths.slice(0, 3), [1, 1, 1]);
  assert.equal(lengths[3], 4, 'of the fourth, two segments are waited for');
});

test('Shaka Player skips on when the browser waits although there is data', () => {
  const ends = [1000, 4000, 7000, 10_000, 13_000];
  const [dashjs, shaka] = [told(both(...ends)), told(both(...ends), 'shaka')];
  assert.equal(dashjs.stalls[3]?.ended, false);
  assert.equal(shaka.stalls[3]?.ended, true);
  assert.equal(Math.round((shaka.stalls[3]?.durationMs ?? 0) / 100) / 10, 2);
});

test('the end of the video is no stall', () => {
  const ends = Array.from({ length: 10 }, (_, index) => 1000 + index);
  assert.deepEqual(told(both(...ends)).stalls, []);
});

test('a segment that failed has not come', () => {
  const failed = { ...segment('low', 0, 900), failed: 'net::ERR_CONNECTION_RESET' };
  const watched = watchedSession({ requests: [failed, segment('tone', 0, 900)] });
  const asked = askedOf(watched, presentation(), MANIFEST_URL);
  assert.equal(byModel({ ...watched, asked, durationMs: 20_000 }).startupMs, null);
});
