import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { CDPSession } from 'puppeteer-core';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { startRecorder } from '../../recorder.ts';

/** A session that answers nothing until released, and then everything. */
function fakeSession(children: Readonly<Record<string, unknown>> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  const session = Object.assign(new EventEmitter(), {
    send: () => promise,
    id: () => 'tab',
    connection: () => ({ session: (id: string) => children[id] ?? null }),
  });
  return {
    session: session as unknown as CDPSession & EventEmitter,
    answer: resolve,
    leave: reject,
  };
}

/** Recording of a page whose browser context is the first of two. */
function recorded({ session }: ReturnType<typeof fakeSession>) {
  return { tab: { session }, root: fakeSession().session, browserContextId: 'first' };
}

test('counts a held worker as a pending request until it is released, or gone', async () => {
  const worker = fakeSession();
  const gone = fakeSession();
  const page = fakeSession({ worker: worker.session, gone: gone.session });
  page.answer();
  const recorder = await startRecorder(recorded(page), null);
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

test('measures network quiet from then on, however long it was before', async (t) => {
  const page = fakeSession();
  page.answer();
  const recorder = await startRecorder(recorded(page), null);
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 60_000);
  const quietAt = recorder.quiet(300, 60_000).then(() => recorder.events.length);
  await new Promise(setImmediate);
  page.session.emit('Network.requestWillBeSent', { requestId: 'late' });
  page.session.emit('Network.loadingFinished', { requestId: 'late' });
  assert.equal(await quietAt, 2);
});

test('records SharedWorkers of its own browser context, until the tab is closed', async () => {
  const workers = { own: fakeSession(), other: fakeSession(), late: fakeSession() };
  const page = fakeSession({
    own: workers.own.session,
    other: workers.other.session,
    late: workers.late.session,
  });
  page.answer();
  const place = recorded(page);
  const recorder = await startRecorder(place, null);
  const start = async (sessionId: keyof typeof workers, browserContextId: string) => {
    const targetInfo = { type: 'shared_worker', browserContextId };
    place.root.emit('Target.attachedToTarget', { sessionId, targetInfo });
    const isHeld = !recorder.isQuiet();
    workers[sessionId].answer();
    await new Promise(setImmediate);
    workers[sessionId].session.emit('Network.requestWillBeSent', { requestId: sessionId });
    return isHeld;
  };
  assert.ok(await start('own', 'first'));
  assert.ok(!recorder.isQuiet());
  workers.own.session.emit('Network.loadingFinished', { requestId: 'own' });
  assert.ok(!(await start('other', 'second')));
  place.root.emit('Target.detachedFromTarget', { sessionId: 'tab' });
  assert.ok(!(await start('late', 'first')));
  assert.ok(recorder.isQuiet());
  assertEach(recorder.events, ({ params }) => params, [{ requestId: 'own' }, { requestId: 'own' }]);
  assert.equal(place.root.listenerCount('Target.attachedToTarget'), 0);
});

test('ends a request when its body has arrived, even without an event', async () => {
  const page = fakeSession();
  page.answer();
  const recorder = await startRecorder(recorded(page), null);
  const answer = (requestId: string, headers: Record<string, string>) => {
    page.session.emit('Network.requestWillBeSent', { requestId });
    page.session.emit('Network.responseReceived', { requestId, response: { headers } });
  };
  const receive = (requestId: string, dataLength: number, encodedDataLength: number) =>
    page.session.emit('Network.dataReceived', { requestId, dataLength, encodedDataLength });
  answer('plain', { 'Content-Length': '11' });
  receive('plain', 5, 0);
  assert.ok(!recorder.isQuiet());
  receive('plain', 6, 0);
  assert.ok(recorder.isQuiet());
  answer('packed', { 'content-length': '11', 'content-encoding': 'gzip' });
  receive('packed', 40, 5);
  assert.ok(!recorder.isQuiet());
  receive('packed', 40, 6);
  assert.ok(recorder.isQuiet());
  answer('empty', { 'content-length': '0' });
  assert.ok(recorder.isQuiet());
  answer('unknown', {});
  receive('unknown', 40, 40);
  assert.ok(!recorder.isQuiet());
});

test('ends a style sheet when it has transformed its document', async () => {
  const page = fakeSession();
  page.answer();
  const recorder = await startRecorder(recorded(page), null);
  for (const [requestId, type] of [
    ['A', 'Document'],
    ['style', 'Stylesheet'],
    ['image', 'Image'],
  ]) {
    page.session.emit('Network.requestWillBeSent', { requestId, loaderId: 'A', type });
  }
  const come = (requestId: string) => {
    page.session.emit('Network.dataReceived', { requestId });
    page.session.emit('Network.loadingFinished', { requestId });
  };
  come('A');
  assert.ok(!recorder.isQuiet());
  come('A');
  assert.ok(!recorder.isQuiet());
  come('image');
  assert.ok(recorder.isQuiet());
});

test('ends pending requests of a document when the page has left it', async () => {
  const page = fakeSession();
  page.answer();
  const recorder = await startRecorder(recorded(page), null);
  const request = (requestId: string, loaderId: string, type = 'Image', frameId = 'main') =>
    page.session.emit('Network.requestWillBeSent', { requestId, loaderId, type, frameId });
  const response = (requestId: string, loaderId: string, frameId = 'main') =>
    page.session.emit('Network.responseReceived', {
      ...{ requestId, loaderId, frameId, type: 'Document' },
      response: { headers: { 'content-length': '0' } },
    });
  request('A', 'A', 'Document');
  response('A', 'A');
  request('image', 'A');
  request('frame', 'frame', 'Document', 'child');
  response('frame', 'frame', 'child');
  assert.ok(!recorder.isQuiet());
  request('B', 'B', 'Document');
  response('B', 'B');
  assert.ok(recorder.isQuiet());
  request('late', 'B');
  assert.ok(!recorder.isQuiet());
});
