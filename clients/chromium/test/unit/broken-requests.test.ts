import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenRequests, firstRequestS } from '../../broken-requests.ts';
import type { CdpEvent } from '../../har/events.ts';

const sent = (requestId: string, timestamp = 1, type = 'Image'): CdpEvent => ({
  method: 'Network.requestWillBeSent',
  params: { requestId, timestamp, type },
});
const finished = (requestId: string): CdpEvent => ({
  method: 'Network.loadingFinished',
  params: { requestId, timestamp: 3 },
});
const failed = (requestId: string, more: object = {}): CdpEvent => ({
  method: 'Network.loadingFailed',
  params: { requestId, timestamp: 3, canceled: false, errorText: 'net::ERR_FAILED', ...more },
});

const EVENT_S = 2;
const found = (...events: CdpEvent[]) =>
  brokenRequests([sent('document', 1, 'Document'), ...events], EVENT_S);

test('begins a navigation with its document', () => {
  assert.equal(
    firstRequestS([sent('a', 1), sent('b', 2, 'Document'), sent('c', 3, 'Document')]),
    2,
  );
  assert.equal(firstRequestS([]), Number.POSITIVE_INFINITY);
});

test('calls what failed after the event broken, and not what failed before it', () => {
  assert.equal(found(sent('a'), failed('a')).broken, 1);
  assert.equal(found(sent('a'), failed('a', { timestamp: 1.9 })).broken, 0);
});

test('does not call broken what the page aborted or the browser refused', () => {
  for (const why of [
    { canceled: true },
    { blockedReason: 'csp' },
    { errorText: 'net::ERR_NAME_NOT_RESOLVED' },
    { errorText: 'net::ERR_BLOCKED_BY_ORB' },
    { corsErrorStatus: { corsError: 'MissingAllowOriginHeader' } },
  ]) {
    assert.equal(found(sent('a'), failed('a', why)).broken, 0);
  }
});

test('ignores requests of the previous navigation that end in this one', () => {
  const { broken, underWay } = found(failed('earlier'));
  assert.deepEqual([broken, underWay], [0, 1]);
});

test('distinguishes the main document from other documents', () => {
  assert.equal(found(failed('document')).isDocumentBroken, true);
  assert.equal(found(sent('a'), failed('a')).isDocumentBroken, false);
});

test('calls a request without an end in progress', () => {
  const events = [sent('a'), sent('b'), sent('c'), finished('a'), failed('b')];
  assert.equal(found(...events).underWay, 2);
});
