import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../load-failure.ts';
import type { BidiEvent, BidiSession } from '../../bidi.ts';
import { watchTab } from '../../tab.ts';

const NEVER = new Promise<never>(() => {});
const ENDED: Failure = { code: 'browser-failed', message: 'Firefox has ended.' };
const OPTIONS = { url: 'https://a.test/', isReload: false, timeoutS: 1, capture: true };

/** A context whose session answers commands by their name; absent: with nothing. */
function madeContext(
  answers: Record<string, () => Promise<unknown>>,
  { broken = NEVER, facts = {} }: { broken?: Promise<Failure>; facts?: object } = {},
) {
  const sent: { method: string; params: object }[] = [];
  const listeners = new Set<(event: BidiEvent) => void>();
  const session = {
    async send(method: string, params: object) {
      sent.push({ method, params });
      return answers[method]?.() ?? {};
    },
    listen(listener: (event: BidiEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as BidiSession;
  const answerOf = (expression: string) =>
    expression.includes('.take(')
      ? [{ url: OPTIONS.url, ...facts }]
      : { pending: 0, silentMs: 1e9 };
  const privileged = async (expression: string) => answerOf(expression) as never;
  const of = { session, privileged, broken, context: 'tab', userContext: 'own', userContextId: 1 };
  const receive = (method: string, params: object) => {
    for (const listener of listeners) listener({ method, params: { context: 'tab', ...params } });
  };
  return { of, sent, listeners, receive };
}

const KEPT = {
  'session.subscribe': async () => ({ subscription: 'subscription 1' }),
  'network.addDataCollector': async () => ({ collector: 'collector 1' }),
  'script.addPreloadScript': async () => ({ script: 'script 1' }),
};

test('a stopped recording leaves no listener, subscription, collector or script', async () => {
  const { of, sent, listeners } = madeContext(KEPT);
  const page = await watchTab(of, { ...OPTIONS, script: 'run()', keepsBodies: true });
  assert.equal(listeners.size, 1);
  sent.length = 0;
  await page.stop();
  assert.equal(listeners.size, 0);
  assert.deepEqual(sent, [
    { method: 'network.removeDataCollector', params: { collector: 'collector 1' } },
    { method: 'session.unsubscribe', params: { subscriptions: ['subscription 1'] } },
    { method: 'script.removePreloadScript', params: { script: 'script 1' } },
  ]);
});

test('a stopped recording without bodies and script sends nothing', async () => {
  const { of, sent } = madeContext({});
  await (await watchTab(of, { ...OPTIONS, script: null })).stop();
  assert.deepEqual(sent, []);
});

test('reads no body that is large or of unknown size when decoded', async () => {
  const gzip = [['Content-Encoding', 'gzip']];
  for (const [decodedBytes, responseHeaders, isRead] of [
    [1_000_000, gzip, true],
    [20_000_000, gzip, false],
    [0, gzip, false],
    [0, [], true],
  ] as const) {
    const bytes = { bytes: { type: 'string', value: 'body' } };
    const answers = {
      ...KEPT,
      'network.getData': async () => bytes,
      'script.evaluate': someTimings,
    };
    const { of, receive } = madeContext(answers, {
      facts: { encodedBytes: 1_000, decodedBytes, responseHeaders },
    });
    const page = await watchTab(of, { ...OPTIONS, script: null, keepsBodies: true });
    const request = { request: '1', url: OPTIONS.url, method: 'GET' };
    receive('network.responseCompleted', { request, response: { status: 200 } });
    await page.settle(null);
    const [response] = page.responses() ?? [];
    assert.equal((await response?.readBody())?.body, isRead ? 'body' : undefined);
  }
});

async function someTimings() {
  return { type: 'success', result: { value: '{"loadEventEndMs":38}' } };
}

async function noTimings() {
  throw new Error('unknown error: the actor was destroyed');
}

test('a Firefox that ends while a load settles has failed, and does not hang', async () => {
  const answers = { 'script.evaluate': noTimings, 'session.status': noTimings };
  const { of } = madeContext(answers, { broken: Promise.resolve(ENDED) });
  const page = await watchTab(of, { ...OPTIONS, script: null });
  assert.deepEqual((await page.settle(null)).failure, ENDED);
});

test('a page that crashes while a load settles has crashed, though it is reported late', async () => {
  const { of, receive } = madeContext({ 'script.evaluate': noTimings });
  const page = await watchTab(of, { ...OPTIONS, script: null });
  const settled = page.settle(null);
  receive('browsingContext.load', { url: 'https://a.test/next' });
  setTimeout(receive, 300, 'browsingContext.navigationCommitted', { url: 'about:tabcrashed' });
  assert.equal((await settled).failure?.code, 'page-crashed');
});

test('timings of the page that Firefox shows after a crash do not count', async () => {
  const { of, receive } = madeContext({ 'script.evaluate': someTimings });
  const page = await watchTab(of, { ...OPTIONS, script: null });
  const settled = page.settle(null);
  receive('browsingContext.navigationCommitted', { url: 'about:tabcrashed' });
  const { failure, timings: read } = await settled;
  assert.deepEqual([failure?.code, read], ['page-crashed', null]);
});

test('a page without timings in a Firefox that answers is silent', async () => {
  const { of } = madeContext({ 'script.evaluate': noTimings });
  const page = await watchTab(of, { ...OPTIONS, script: null });
  assert.equal((await page.settle(null)).failure?.code, 'timeout');
});
