import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectServerEvents } from '../../server-events.ts';

/** A server that prints on command, and a listener to its events. */
function listening() {
  const listeners = new Set<(line: string) => void>();
  const collector = collectServerEvents({
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const print = (sessionMs: number) => {
    const events = [
      { event: 'listening', message: null, atMs: 1 },
      { event: 'session', message: null, atMs: sessionMs },
    ];
    for (const listener of listeners) listener(JSON.stringify({ events }));
  };
  return { collector, print, listeners };
}

const beganAt = (events: readonly { atMs: number }[] | null) => events?.at(-1)?.atMs;

test('keeps an event that arrives before it is requested, per connection', async () => {
  const { collector, print } = listening();
  for (const ms of [100, 200, 300]) {
    print(ms + 5);
    assert.equal(beganAt(await collector.eventsSince(ms, { limitMs: 1000 })), ms + 5);
  }
});

test('waits for a later event, and skips earlier connections', async () => {
  const { collector, print } = listening();
  print(90);
  const events = collector.eventsSince(100, { limitMs: 1000 });
  print(95);
  print(105);
  assert.equal(beganAt(await events), 105);
});

test('returns null if no event arrives in time, and stops listening once closed', async () => {
  const { collector, print, listeners } = listening();
  print(90);
  assert.equal(await collector.eventsSince(100, { limitMs: 5 }), null);
  collector.close();
  assert.equal(listeners.size, 0);
});
