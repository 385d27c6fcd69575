import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf, targetOf } from '../../../../clients/http3-probe.ts';
import type { FirstVisit } from '../../../../runner/live/first-visit.ts';
import { firstVisitSentences, livePageSentences } from '../../../../runner/live/sentences.ts';
import { createPauses, reasonToSkip } from '../../../../runner/live/test-bed.ts';

const VISIT: FirstVisit = {
  failure: null,
  url: 'https://www.test/',
  version: 'h2',
  hosts: new Map([
    ['www.test:443', { requests: 3, bytes: 3000 }],
    ['ads.test:443', { requests: 1, bytes: 500 }],
  ]),
  quicHosts: ['www.test:443'],
  withoutQuic: { 'ads.test:443': 'no answer' },
};

const PLAIN: FirstVisit = {
  ...VISIT,
  quicHosts: [],
  withoutQuic: { 'www.test:443': 'no answer', 'ads.test:443': 'no answer' },
};

test('skips a page by a version of HTTP that its host lacks, independently of other hosts', () => {
  assert.equal(reasonToSkip({ protocol: 'h3' }, VISIT), null);
  assert.equal(reasonToSkip({ protocol: 'h2' }, PLAIN), null);
  assert.deepEqual(reasonToSkip({ protocol: 'h3' }, PLAIN)?.code, 'no-h3');
  assert.match(reasonToSkip({ protocol: 'h3' }, PLAIN)?.message ?? '', /www\.test:443 .*no answer/);
  const old = { ...PLAIN, version: 'http/1.1' };
  assert.equal(reasonToSkip({ protocol: 'h2' }, old)?.code, 'no-h2');
  assert.equal(reasonToSkip({ protocol: 'http/1.1' }, old), null);
});

test('decides by the host to which a page redirects', () => {
  const moved = {
    ...PLAIN,
    url: 'https://new.test/',
    withoutQuic: { 'www.test:443': 'no answer' },
  };
  assert.equal(reasonToSkip({ protocol: 'h3' }, moved), null);
});

test('pauses between the end and the start of loads from one host, and not between hosts', async () => {
  let nowMs = 0;
  const { signal } = new AbortController();
  const pauses = createPauses(60, () => nowMs);
  const waits = async (host: string) => {
    const startMs = performance.now();
    await pauses.rest([host], signal);
    return performance.now() - startMs >= 25;
  };
  assert.equal(await waits('a'), false);
  // The load of a ends at 10.
  nowMs = 10;
  assert.equal(await waits('b'), false);
  nowMs = 40;
  // 30 of 60 ms are over.
  assert.equal(await waits('a'), true);
  nowMs = 200;
  assert.equal(await waits('b'), false);
});

test('pauses for the target host of a redirect too', async () => {
  const { signal } = new AbortController();
  const pauses = createPauses(60, () => 0);
  await pauses.rest(['old'], signal);
  pauses.ledTo('www');
  const startMs = performance.now();
  await pauses.rest(['www'], signal);
  assert.ok(performance.now() - startMs >= 50);
});

test('ends without waiting for a pause, and does not begin its load', async () => {
  const pauses = createPauses(60_000);
  await pauses.rest(['a'], new AbortController().signal);
  const startMs = performance.now();
  const ended = new Error('ended');
  const stop = new AbortController();
  const resting = pauses.rest(['a'], stop.signal);
  stop.abort(ended);
  await assert.rejects(resting, ended);
  assert.ok(performance.now() - startMs < 10_000);
});

test('fails a page with a wrong name or certificate, and does not request it again by any version of HTTP', () => {
  for (const error of ['ERR_NAME_NOT_RESOLVED', 'ERR_CERT_DATE_INVALID']) {
    const message = `Chromium: net::${error} at https://www.test/`;
    const visit: FirstVisit = { ...VISIT, failure: { code: 'navigation-failed', message } };
    const skipResult = reasonToSkip({ protocol: 'h2' }, visit);
    assert.deepEqual([skipResult?.outcome, skipResult?.code], ['failed', 'navigation-failed']);
    assert.match(skipResult?.message ?? '', new RegExp(error));
  }
  const message = 'Chromium: net::ERR_CONNECTION_RESET at https://www.test/';
  const visit: FirstVisit = { ...VISIT, failure: { code: 'navigation-failed', message } };
  assert.equal(reasonToSkip({ protocol: 'h2' }, visit), null);
});

test('connects to the address at which a host was found, under any name that browsers accept', () => {
  assert.deepEqual(targetOf('foo-.test:443', { address: '[2001:db8::1]' }), {
    host: 'foo-.test',
    port: 443,
    address: '2001:db8::1',
  });
  assert.deepEqual(targetOf('[::1]:8443', {}), { host: '::1', port: 8443, address: '::1' });
});

test('does not take silence for a refusal', () => {
  assert.match(
    reasonOf({ code: 'timeout', reason: 'Got nothing.' }),
    /nothing: .* or UDP is blocked/,
  );
  assert.equal(reasonOf({ code: 'ECONNREFUSED', reason: 'Refused.' }), 'Refused');
});

test('announces where requests go, how often, and for how long, before sending any', () => {
  const plan = {
    experiment: 'page-load',
    subjects: [
      { subject: 'a', url: 'https://a.test/' },
      { subject: 'b', url: 'https://b.test/' },
    ],
    arms: [{ label: 'HTTP/3' }, { label: 'HTTP/2' }],
    choices: { livePages: { pauseMs: 3000 } },
  } as unknown as Parameters<typeof livePageSentences>[0];
  const left = ['a', 'b'].flatMap((subject) => Array.from({ length: 40 }, () => ({ subject })));
  const [sentence = '', ...rest] = livePageSentences(plan, left, null);
  assert.deepEqual(rest, []);
  assert.match(sentence, /https:\/\/a\.test\/, https:\/\/b\.test\/ .* 82 loads at most/);
  assert.match(
    sentence,
    /then 80 by HTTP\/3, HTTP\/2 in turn\), .* at least 3 s apart\. That takes up to 11 min/,
  );
  // A resumed run does not repeat its loads, and a budget ends it.
  const [resumed = ''] = livePageSentences(plan, left.slice(0, 3), 600_000);
  assert.match(resumed, /^Loads https:\/\/a\.test\/ from .* 4 loads at most .* up to 10 min/);
  assert.deepEqual(livePageSentences({ ...plan, experiment: 'example' }, left, null), []);
  const [, alone] = livePageSentences({ ...plan, arms: plan.arms.slice(0, 1) }, left, null);
  assert.match(alone ?? '', /HTTP\/3 is compared with nothing/);
});

test('reports the size of a load and which hosts speak HTTP/3 after a first visit', () => {
  const request = { subject: 'www.test', url: 'https://www.test/' };
  assert.deepEqual(firstVisitSentences(request, VISIT), [
    'www.test: a load is 4 requests, 3.5 kB, to 2 hosts: www.test, ads.test. HTTP/3 is spoken by 1 of 2 (3 requests, 3.0 kB). Every load requests ads.test over TCP.',
  ]);
  const [, why] = firstVisitSentences(request, PLAIN);
  assert.match(why ?? '', /www\.test:443 made no connection over HTTP\/3 \(no answer\)/);
  const [moved] = firstVisitSentences({ ...request, url: 'https://old.test/' }, VISIT);
  assert.match(moved ?? '', /redirects to https:\/\/www\.test\/: that host counts/);
});

test('reports a failed first visit with the remedy', () => {
  const failure = {
    code: 'navigation-failed' as const,
    message: 'Chromium: net::ERR_CERT_DATE_INVALID at https://www.test/',
  };
  const request = { subject: 'www.test', url: 'https://www.test/' };
  const [sentence] = firstVisitSentences(request, { ...VISIT, failure });
  assert.match(sentence ?? '', /ERR_CERT_DATE_INVALID.*rejects its certificate/);
});
