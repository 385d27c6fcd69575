import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { collectEndedSessions } from '../../ended-sessions.ts';

type Session = Parameters<ReturnType<typeof collectEndedSessions>>[0];

let collections = 0;
beforeEach(() => {
  collections = 0;
  const engine = { gc: () => collections++ };
  Object.assign(globalThis, { Bun: engine });
});

/** Opens this number of sessions; the returned function ends them, every second one by an error. */
function openSessions(observe: (session: Session) => void, count: number): () => Promise<void> {
  const closings = Array.from({ length: count }, () => Promise.withResolvers<void>());
  for (const { promise } of closings) observe({ closed: promise } as Session);
  return async () => {
    for (const [index, { resolve, reject }] of closings.entries()) {
      if (index % 2 === 0) resolve();
      else reject(new Error('reset'));
    }
    await Promise.allSettled(closings.map(({ promise }) => promise));
  };
}

test('collects the memory of a thousand ended sessions, once', async () => {
  const observe = collectEndedSessions();
  await openSessions(observe, 999)();
  assert.equal(collections, 0);
  await openSessions(observe, 1)();
  assert.equal(collections, 1);
  await openSessions(observe, 999)();
  assert.equal(collections, 1);
});

test('collects nothing while a session is open', async () => {
  const observe = collectEndedSessions();
  const endLast = openSessions(observe, 1);
  await openSessions(observe, 2000)();
  assert.equal(collections, 0);
  await endLast();
  assert.equal(collections, 1);
});
