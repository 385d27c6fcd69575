import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { reportByElement } from '../../../reports/element.ts';
import { moves, watchedSession } from '../watched-session.ts';

/** What the element tells, in whole ms. */
function told(session: Parameters<typeof watchedSession>[0]) {
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

test('playing begins when the playhead moves, not when the element says that it plays', () => {
  const { startupMs } = told({ moves: moves(1040), events: [[700, 'playing']] });
  assert.equal(startupMs, 1040);
});

test('a video whose playhead never moves has not begun, though the element says that it plays', () => {
  assert.deepEqual(told({ events: [[700, 'playing']] }), { startupMs: null, stalls: [] });
});

test('a session that ended before anything was seen has not begun', () => {
  assert.deepEqual(told({ watchedMs: 0 }), { startupMs: null, stalls: [] });
});

test('a stall is as long as the playhead stands while the element waits', () => {
  const { startupMs, stalls } = told({
    moves: moves(500, 3030, 4270),
    events: [
      [3030, 'waiting'],
      [4270, 'playing'],
    ],
  });
  assert.equal(startupMs, 500);
  assert.deepEqual(stalls, [[3030, 1240, true]]);
});

test('a stall shorter than the time between two looks is told as long as it was', () => {
  const { stalls } = told({
    moves: moves(500, 3005, 3095),
    events: [[3005, 'waiting']],
  });
  assertEach(stalls, ([, durationMs]) => durationMs, [90]);
});

test('a stall of a player that stops the playhead by its rate is seen though the element does not say that it waits', () => {
  const session = { moves: moves(500, 3050, 4050) };
  assert.deepEqual(told({ ...session, bufferedUntilMs: 2800 }).stalls, [[3050, 1000, true]]);
  assert.deepEqual(told({ ...session, bufferedUntilMs: 9000 }).stalls, [], 'there was data');
});

test('a stall that is under way when watching ends has not ended', () => {
  const { stalls } = told({
    moves: moves(500, 8000),
    events: [[8000, 'waiting']],
  });
  assert.deepEqual(stalls, [[8000, 2000, false]]);
});

test('neither the end of the video nor a pause is a stall', () => {
  for (const event of ['ended', 'pause', 'error'] as const) {
    const { stalls } = told({
      moves: moves(500, 8000),
      events: [[8000, event]],
      bufferedUntilMs: 7500,
    });
    assert.deepEqual(stalls, [], event);
  }
});

test('a playhead that is moved over a gap has not played it', () => {
  const watched = watchedSession({ moves: moves(1000) });
  for (const tick of watched.ticks) if (tick.atMs > 400) tick.mediaMs += 60;
  watched.element.push({ atMs: 400, event: 'seeking', mediaMs: 60 });
  const { startupMs } = reportByElement({ ...watched, playerRequests: [], durationMs: 60_000 });
  assert.ok(startupMs && Math.abs(startupMs - 1000) < 1, `began at ${startupMs}`);
});
