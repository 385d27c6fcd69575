import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportByPlayer } from '../../../reports/player.ts';
import { watchedSession } from '../watched-session.ts';

function told(said: Parameters<typeof watchedSession>[0]['said']) {
  return reportByPlayer({ ...watchedSession({ said }), playerRequests: [], durationMs: 60_000 });
}

test('a player that was short of data before it began has not stalled', () => {
  const { startupMs, stalls } = told([
    [100, 'buffering'],
    [900, 'buffered'],
    [950, 'started'],
  ]);
  assert.equal(startupMs, 950);
  assert.deepEqual(stalls, []);
});

test('a player stalls from saying that it is short of data until it says that it no longer is', () => {
  const { stalls } = told([
    [950, 'started'],
    [3000, 'buffering'],
    [3400, 'buffering'],
    [4500, 'buffered'],
    [9000, 'buffering'],
  ]);
  assert.deepEqual(stalls, [
    { atMs: 3000, durationMs: 1500, ended: true },
    { atMs: 9000, durationMs: 1000, ended: false },
  ]);
});

test('what a player says after the end of the video is no stall', () => {
  const { stalls } = told([
    [950, 'started'],
    [8000, 'ended'],
    [8001, 'buffering'],
  ]);
  assert.deepEqual(stalls, []);
});

test('a player that never says that it began tells of no stall', () => {
  assert.deepEqual(told([[100, 'buffering']]), { startupMs: null, stalls: [] });
});
