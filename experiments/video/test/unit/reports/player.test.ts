import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportByPlayer } from '../../../reports/player.ts';
import { watchedSession } from '../watched-session.ts';

function reportOf(said: Parameters<typeof watchedSession>[0]['said']) {
  return reportByPlayer({ ...watchedSession({ said }), playerRequests: [], durationMs: 60_000 });
}

test('has no stall for a player without data before playback', () => {
  const { startupMs, stalls } = reportOf([
    [100, 'buffering'],
    [900, 'buffered'],
    [950, 'started'],
  ]);
  assert.equal(startupMs, 950);
  assert.deepEqual(stalls, []);
});

test('measures a stall while a player reports that it is short of data', () => {
  const { stalls } = reportOf([
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

test("ignores the player's reports after the end of the video", () => {
  const { stalls } = reportOf([
    [950, 'started'],
    [8000, 'ended'],
    [8001, 'buffering'],
  ]);
  assert.deepEqual(stalls, []);
});

test('has no stall for a player that never reports playback', () => {
  assert.deepEqual(reportOf([[100, 'buffering']]), { startupMs: null, stalls: [] });
});
