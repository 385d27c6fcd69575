import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectServerEvents } from '../../server-events.ts';

/** A server that prints on command, and a listener to its events. */
function listening() {
  const listeners = new Set<(line: string) => void>();
  const teller = collectServerEvents({
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
  return { teller, print, listeners };
}

const beganAt = (events: readonly { atMs: number }[] | null) => events?.at(-1)?.atMs;

test('keeps an event that arrives before it is requested, per connection', async () => {
  const { teller, print } = listening();
  for (const ms of [100, 200, 300]) {
    print(ms + 5);
    assert.equal(beganAt(await teller.eventsSince(ms, { limitMs: 1000 })), ms + 5);
  }
});

test('waits for a later event, and skips earlier connections', async () => {
  const { teller, print } = listening();
  print(90);
  const told = teller.eventsSince(100, { limitMs: 1000 });
  print(95);
  print(105);
  assert.equal(beganAt(await told), 105);
});

test('returns null if no event arrives in time, and stops listening once closed', async () => {
  const { teller, print, listeners } = listening();
  print(90);
  assert.equal(await teller.eventsSince(100, { limitMs: 5 }), null);
  teller.close();
  assert.equal(listeners.size, 0);
});
