import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { type BidiEvent, sessionOver } from '../../bidi.ts';

/** A session, and its other side. */
function madeSession() {
  const requests = new PassThrough();
  const answers = new PassThrough();
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  const end = () => resolve(0);
  const relay = { ended, stop: async () => end() };
  const answer = (message: object) => answers.write(`${JSON.stringify(message)}\n`);
  return { session: sessionOver(requests, answers, relay), requests, answers, answer, relay, end };
}

test('matches answers with their requests, in any order', async () => {
  const { session, requests, answer } = madeSession();
  const [first, second] = [session.send('a', { of: 1 }), session.send('b')];
  assert.deepEqual(
    requests
      .read()
      .toString()
      .trim()
      .split('\n')
      .map(JSON.parse as (text: string) => object),
    [
      { id: 1, method: 'a', params: { of: 1 } },
      { id: 2, method: 'b', params: {} },
    ],
  );
  answer({ type: 'error', id: 2, error: 'no such frame', message: 'it was closed' });
  answer({ type: 'success', id: 1, result: 'done' });
  assert.equal(await first, 'done');
  await assert.rejects(second, /no such frame: it was closed/);
});

test('passes events to listeners until they are removed', async () => {
  const { session, answer } = madeSession();
  const seen: BidiEvent[] = [];
  const stop = session.listen((event) => seen.push(event));
  const event = { type: 'event', method: 'browsingContext.load', params: {} };
  answer(event);
  const before = session.send('a');
  answer({ type: 'success', id: 1, result: null });
  await before;
  stop();
  answer(event);
  const after = session.send('b');
  answer({ type: 'success', id: 2, result: null });
  await after;
  assert.equal(seen.length, 1);
});

test('pending and later commands fail when Firefox has ended', async () => {
  const { session, end } = madeSession();
  const pending = session.send('a');
  end();
  await assert.rejects(pending, /Firefox has ended/);
  await assert.rejects(session.send('b'), /Firefox has ended/);
});

test('an unreadable message stops the relay, and later commands fail with that reason', async () => {
  const { session, answers, relay } = madeSession();
  const pending = session.send('a');
  answers.write('not JSON\n');
  const reason = /cannot be read: .*not JSON/;
  await assert.rejects(pending, reason);
  await relay.ended;
  await assert.rejects(session.send('b'), reason);
  assert.match(await session.ended, reason);
});
