import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { CDPSession } from 'puppeteer-core';
import { startRecorder } from '../../../../clients/chromium/recorder.ts';

/** A session that answers nothing until it is let, and then everything. */
function fakeSession(children: Readonly<Record<string, unknown>> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  const session = Object.assign(new EventEmitter(), {
    send: () => promise,
    connection: () => ({ session: (id: string) => children[id] ?? null }),
  });
  return {
    session: session as unknown as CDPSession & EventEmitter,
    answer: resolve,
    leave: reject,
  };
}

test('a worker that is held counts as a request under way until it is let go, or gone', async () => {
  const worker = fakeSession();
  const gone = fakeSession();
  const page = fakeSession({ worker: worker.session, gone: gone.session });
  page.answer();
  const recorder = await startRecorder(page.session, null);
  assert.ok(recorder.isQuiet());
  for (const sessionId of ['worker', 'gone']) {
    page.session.emit('Target.attachedToTarget', { sessionId, targetInfo: { type: 'worker' } });
  }
  const quiet = recorder.quiet(1, 60_000).then(() => recorder.isQuiet());
  worker.answer();
  await new Promise(setImmediate);
  assert.ok(!recorder.isQuiet());
  gone.leave(new Error('Target closed'));
  assert.ok(await quiet);
});
