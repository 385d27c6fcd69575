import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurns } from '../../../runner/turns.ts';

/** Does something of three parts: getting ready, the turn, putting away. */
async function threeParts(
  name: string,
  turn: Parameters<Parameters<typeof inTurns>[1]>[1],
  log: string[],
) {
  log.push(`${name} ready`);
  await turn.begins;
  log.push(`${name} begins`);
  await sleep(5);
  log.push(`${name} ends`);
  turn.ended();
  await sleep(5);
  log.push(`${name} away`);
}

test('the next gets ready while the one before is put away, and begins after it', async () => {
  const log: string[] = [];
  await inTurns(['a', 'b', 'c'], (name, turn) => threeParts(name, turn, log));
  assert.deepEqual(log, [
    ...['a ready', 'a begins', 'a ends'],
    ...['b ready', 'a away', 'b begins', 'b ends'],
    ...['c ready', 'b away', 'c begins', 'c ends', 'c away'],
  ]);
});

test('a failure within a turn ends it all, and nothing more is begun', async () => {
  const log: string[] = [];
  const failing = inTurns(['a', 'b', 'c'], async (name, turn) => {
    await threeParts(name, turn, log);
    if (name === 'a') throw new Error('a failed while it was put away');
  });
  await assert.rejects(failing, /a failed/);
  // What had been begun came to its end before the failure was told.
  assert.equal(log.at(-1), 'b away');
  assert.ok(!log.includes('c ready'));
});

test('a failure before a turn begins does not leave the others waiting', async () => {
  const log: string[] = [];
  const failing = inTurns(['a', 'b'], async (name, turn) => {
    if (name === 'a') throw new Error('a did not start');
    await threeParts(name, turn, log);
  });
  await assert.rejects(failing, /a did not start/);
  assert.deepEqual(log, []);
});

test('nothing to do is done at once', async () => {
  await inTurns([], () => assert.fail('there is nothing'));
});
