import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { reportByElement } from '../../../reports/element.ts';
import { moves, watchedSession } from '../watched-session.ts';

/** Values of the element, in whole ms. */
function reportOf(session: Parameters<typeof watchedSession>[0]) {
  const watched = watchedSession(session);
  const { startupMs, stalls } = reportByElement({
    ...watched,
    playerRequests: [],
    durationMs: 60_000,
  });
  return {
    startupMs: startupMs && Math.round(startupMs),
    stalls: stalls.map(({ atMs, durationMs, ended }) => [
      Math.round(atMs),
      Math.round(durationMs),
      ended,
    ]),
  };
}

test('begins playback when the playhead moves, not when the element reports it', () => {
  const { startupMs } = reportOf({ moves: moves(1040), events: [[700, 'playing']] });
  assert.equal(startupMs, 1040);
});

test('does not begin playback without a moving playhead, though the element reports it', () => {
  assert.deepEqual(reportOf({ events: [[700, 'playing']] }), { startupMs: null, stalls: [] });
});

test('does not begin playback in a session that ended before the first sample', () => {
  assert.deepEqual(reportOf({ watchedMs: 0 }), { startupMs: null, stalls: [] });
});

test('measures a stall while the playhead stands and the element waits', () => {
  const { startupMs, stalls } = reportOf({
    moves: moves(500, 3030, 4270),
    events: [
      [3030, 'waiting'],
      [4270, 'playing'],
    ],
  });
  assert.equal(startupMs, 500);
  assert.deepEqual(stalls, [[3030, 1240, true]]);
});

test('measures a stall shorter than the sampling interval at its own length', () => {
  const { stalls } = reportOf({
    moves: moves(500, 3005, 3095),
    events: [[3005, 'waiting']],
  });
  assertEach(stalls, ([, durationMs]) => durationMs, [90]);
});

test('detects a stall of a player that stops the playhead by its rate, though the element does not report waiting', () => {
  const session = { moves: moves(500, 3050, 4050) };
  assert.deepEqual(reportOf({ ...session, bufferedUntilMs: 2800 }).stalls, [[3050, 1000, true]]);
  assert.deepEqual(reportOf({ ...session, bufferedUntilMs: 9000 }).stalls, [], 'there was data');
});

test('leaves a stall open that is in progress at the end', () => {
  const { stalls } = reportOf({
    moves: moves(500, 8000),
    events: [[8000, 'waiting']],
  });
  assert.deepEqual(stalls, [[8000, 2000, false]]);
});

test('counts neither the end of the video nor a pause as a stall', () => {
  for (const event of ['ended', 'pause', 'error'] as const) {
    const { stalls } = reportOf({
      moves: moves(500, 8000),
      events: [[8000, event]],
      bufferedUntilMs: 7500,
    });
    assert.deepEqual(stalls, [], event);
  }
});

test('does not count a skipped gap as played', () => {
  const watched = watchedSession({ moves: moves(1000) });
  for (const tick of watched.ticks) if (tick.atMs > 400) tick.mediaMs += 60;
  watched.element.push({ atMs: 400, event: 'seeking', mediaMs: 60 });
  const { startupMs } = reportByElement({ ...watched, playerRequests: [], durationMs: 60_000 });
  assert.ok(startupMs && Math.abs(startupMs - 1000) < 1, `began at ${startupMs}`);
});
