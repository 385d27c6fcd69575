import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Protocol } from '../../../../../ground/records/protocol.ts';
import { NOTHING_ADDED } from '../../../../../network/conditions.ts';
import { bindChecks, judgeAttempt } from '../../../../checks.ts';
import { LIVE_CHECKS } from '../../../checks/index.ts';
import type { LiveExpected, LiveObserved } from '../../../checks/live.ts';
import { type MadeUpRequest, madeUpHar } from '../made-up-live.ts';

const QUIC_HOSTS = ['www.test:443', 'cdn.test:443'];

function judgeLive(observed: LiveObserved, expected: LiveExpected) {
  return judgeAttempt(bindChecks(LIVE_CHECKS, observed, expected), observed, expected);
}

/** Code of a load; null: it is ok. */
function codeOf(requests: readonly MadeUpRequest[], protocol: Protocol = 'h3') {
  return judgeLive(
    { har: madeUpHar(requests), time: { clocksApartMs: 0, longestStallMs: 0 }, path: null },
    { protocol, quicHosts: QUIC_HOSTS, network: NOTHING_ADDED },
  ).code;
}

const DOCUMENT: MadeUpRequest = { url: 'https://www.test/', type: 'document', connectMs: 20 };

test('accepts a load by HTTP/3 with TCP for hosts without it', () => {
  const requests = [
    DOCUMENT,
    { url: 'https://cdn.test/a' },
    { url: 'https://ads.test/b', version: 'h2' },
    { url: 'https://late.test/c', version: 'h3' },
    { url: 'https://gone.test/d', status: 0, error: 'net::ERR_FAILED', version: 'unknown' },
  ];
  assert.equal(codeOf(requests), null);
});

test('rejects a load by HTTP/3 with a response over TCP from a host with forced QUIC', () => {
  assert.equal(codeOf([DOCUMENT, { url: 'https://cdn.test/a', version: 'h2' }]), 'wrong-protocol');
});

test('rejects only a load by HTTP/3 for a broken request at a host with forced QUIC', () => {
  const broken = { status: 0, version: 'unknown', error: 'net::ERR_QUIC_PROTOCOL_ERROR' };
  const requests = [DOCUMENT, { url: 'https://cdn.test/a', ...broken }];
  assert.equal(codeOf(requests), 'request-failed');
  assert.equal(
    codeOf([DOCUMENT, { url: 'https://cdn.test/a', error: 'net::ERR_FAILED' }]),
    'request-failed',
  );
  assert.equal(codeOf([DOCUMENT, { url: 'https://ads.test/a', ...broken }]), null);
  assert.equal(codeOf([DOCUMENT, { url: 'https://cdn.test/favicon.ico', ...broken }]), null);
  const byH2 = requests.map((each) => ({ version: 'h2', ...each }));
  assert.equal(codeOf(byH2, 'h2'), null);
});

test('does not count aborted, forbidden or endless requests of a page as broken', () => {
  for (const error of [
    'net::ERR_ABORTED',
    'net::ERR_BLOCKED_BY_ORB',
    'no response when the capture ended',
    'net::ERR_FAILED (MissingAllowOriginHeader)',
  ]) {
    assert.equal(codeOf([DOCUMENT, { url: 'https://cdn.test/a', status: 0, error }]), null, error);
  }
});

test('rejects a load by HTTP/2 with any response by HTTP/3, and accepts HTTP/1.1 of another host', () => {
  const document = { ...DOCUMENT, version: 'h2' };
  const old = { url: 'https://old.test/a', version: 'http/1.1' };
  assert.equal(codeOf([document, old], 'h2'), null);
  assert.equal(codeOf([document, { url: 'https://cdn.test/a' }], 'h2'), 'wrong-protocol');
});

test('rejects a document by another version than the compared one', () => {
  assert.equal(codeOf([{ ...DOCUMENT, version: 'http/1.1' }], 'h2'), 'wrong-protocol');
  assert.equal(codeOf([{ ...DOCUMENT, version: 'http/1.1' }], 'http/1.1'), null);
});

test('rejects an error page, a cached response and a connection from before on a first visit', () => {
  assert.equal(codeOf([{ ...DOCUMENT, status: 503 }]), 'wrong-status');
  assert.equal(codeOf([DOCUMENT, { url: 'https://cdn.test/a', fromCache: 'disk' }]), 'from-cache');
  assert.equal(codeOf([{ ...DOCUMENT, connectMs: -1 }]), 'connection-kept');
});

test('reports problems of the machine first', () => {
  const har = madeUpHar([{ ...DOCUMENT, status: 503 }]);
  const time = { clocksApartMs: 0, longestStallMs: 1500 };
  const { code } = judgeLive(
    { har, time, path: null },
    { protocol: 'h3', quicHosts: [], network: NOTHING_ADDED },
  );
  assert.equal(code, 'machine-stalled');
});
