import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserHungError, loadLimitMs, newPatience } from '../../../../runner/browser/patience.ts';

test('patience ends when the time given is over, and says for what it was', async () => {
  const { signal, allow } = newPatience();
  allow(20, 'its start');
  await sleep(60);
  assert.ok(signal.reason instanceof BrowserHungError);
  assert.match(signal.reason.message, /Chromium hung: it had 0 s for its start/);
});

test('time given anew takes the place of the time before, and at rest none goes by', async () => {
  const { signal, allow, rest } = newPatience();
  allow(20, 'its start');
  allow(10_000, 'the load');
  await sleep(60);
  assert.equal(signal.aborted, false);
  allow(20, 'its start');
  rest();
  await sleep(60);
  assert.equal(signal.aborted, false);
});

test('a load may take its own time-out, twice where there are two loads, and some seconds', () => {
  assert.ok(loadLimitMs('cold', 30) > 30_000);
  for (const kind of ['repeat', 'resumed', 'reload'] as const) {
    assert.ok(loadLimitMs(kind, 30) > 60_000, kind);
    assert.ok(loadLimitMs(kind, 30) < 120_000, kind);
  }
});

test('patience ends with the signal that it was made with, and holds on to it no longer than needed', () => {
  const reason = new Error('enough');
  const outer = new AbortController();
  const [here, gone] = [newPatience(outer.signal), newPatience(outer.signal)];
  gone.end();
  outer.abort(reason);
  assert.equal(here.signal.reason, reason);
  assert.equal(gone.signal.aborted, false);
  assert.equal(newPatience(outer.signal).signal.reason, reason);
});
