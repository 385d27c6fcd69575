import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withChromium } from '../../chromium.ts';

/** A program in place of a browser that never answers; its last argument distinguishes it. */
const MARK = `deaf-${process.pid}`;
const DEAF = [process.execPath, '-e', 'setInterval(() => {}, 1_000)', '--', MARK];

function deafOnes(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(MARK);
    } catch {
      return false; // No process, or none any more.
    }
  });
}

test('kills a browser that never answers as soon as the wait is cancelled', {
  timeout: 20_000,
}, async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  setTimeout(() => {
    assert.equal(deafOnes().length, 1);
    controller.abort(reason);
  }, 500);
  const started = withChromium(DEAF, 100, () => assert.fail('it answered'), controller.signal);
  await assert.rejects(started, reason);
  while (deafOnes().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('starts no browser after the wait is cancelled', async () => {
  const reason = new Error('enough');
  const started = withChromium(
    DEAF,
    100,
    () => assert.fail('it answered'),
    AbortSignal.abort(reason),
  );
  await assert.rejects(started, reason);
  assert.deepEqual(deafOnes(), []);
});
