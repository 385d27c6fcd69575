import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import validator from 'har-validator';
import { durationOf } from '../../../../har/durations.ts';
import { mainDocumentOf } from '../../../../har/main-document.ts';
import { phasesOf } from '../../../../har/phases.ts';
import { countsOf, trafficOf } from '../../../../har/traffic.ts';
import { buildFirefoxHar, type FirefoxRecord } from '../../../har/build.ts';
import { ABOUT } from './load.ts';

// Firefox 153 loading the page of recorded/record.ts at 20 ms of round-trip time.
const RECORDED = [
  { file: 'h1.json', protocol: 'http/1.1', tlsVersion: 'TLS 1.3', roundTrips: 2 },
  { file: 'h2.json', protocol: 'h2', tlsVersion: 'TLS 1.3', roundTrips: 2 },
  { file: 'h3.json', protocol: 'h3', tlsVersion: 'QUIC', roundTrips: 1 },
];
const RTT_MS = 20;

const MAIN = 'https://www.example.org';
const OTHER = 'https://static.example.org';

for (const { file, protocol, tlsVersion, roundTrips } of RECORDED) {
  const record: FirefoxRecord = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'recorded', file), 'utf8'),
  );
  const har = buildFirefoxHar(record, ABOUT);

  test(`makes valid HAR of the recorded ${protocol} load`, async () => {
    await validator.har(JSON.parse(JSON.stringify(har)));
  });

  test(`has the requests of the recorded ${protocol} load, each as it came`, () => {
    assert.deepEqual(
      har.log.entries
        .map(({ request, response, _resourceType, _fromCache, _initiator }) =>
          [
            request.method,
            request.url,
            response.status,
            response.httpVersion,
            _resourceType,
            _initiator.type,
            ...(_fromCache ? [_fromCache] : []),
            ...(response._error ? [response._error] : []),
          ].join(' '),
        )
        .toSorted(),
      [
        `GET ${MAIN}/ 302 ${protocol} document other`,
        `GET ${MAIN}/dot.svg 200 ${protocol} image parser`,
        `GET ${MAIN}/dot.svg?moved 200 ${protocol} image parser`,
        `GET ${MAIN}/home 200 ${protocol} document other`,
        `GET ${MAIN}/kept 200 ${protocol} fetch script`,
        `GET ${MAIN}/kept 200 ${protocol} fetch script disk`,
        `GET ${MAIN}/style.css?x=1|2 200 ${protocol} stylesheet parser`,
        'GET https://nowhere.example.org/gone.png 0 unknown image parser NS_ERROR_UNKNOWN_HOST',
        `GET ${OTHER}/frame 200 ${protocol} document parser`,
        `GET ${OTHER}/moved.svg 301 ${protocol} image parser`,
        `OPTIONS ${OTHER}/refused 404 ${protocol} preflight preflight`,
        `POST ${MAIN}/json 200 ${protocol} fetch script`,
        `POST ${OTHER}/refused 0 unknown fetch script NS_ERROR_DOM_BAD_URI (CORSDIDNOTSUCCEED)`,
      ].toSorted(),
    );
  });

  test(`has redirects, cookies, bodies and sizes of the recorded ${protocol} load`, () => {
    const main = mainDocumentOf(har);
    assert.ok(main);
    const { request, response } = main.entry;
    assert.deepEqual(
      main.redirects.map((step) => [step.response.redirectURL, step.response.cookies[0]?.name]),
      [['/home', 'step']],
    );
    assert.deepEqual(request.cookies, [{ name: 'step', value: '1' }]);
    assert.deepEqual(
      response.cookies.map(({ name }) => name),
      ['a', 'b'],
    );
    const length = response.headers.find(({ name }) => /^content-length$/i.test(name));
    assert.equal(response.bodySize, Number(length?.value));
    assert.ok(response.content.size > 9000, 'decoded');
    assert.ok(response._transferSize > response.bodySize);
    const json = har.log.entries.find(({ request }) => request.url.endsWith('/json'));
    assert.equal(json?.request.postData?.text, '{"q":"é"}');
    assert.equal(json.request.bodySize, 10);
  });

  test(`has times of the recorded ${protocol} load as its path permits`, () => {
    const { connectMs } = mainDocumentOf(har) ?? {};
    assert.ok(connectMs && connectMs >= roundTrips * RTT_MS, `${connectMs} ms`);
    for (const { time, timings, response, _fromCache } of har.log.entries) {
      assert.equal(time, durationOf(timings));
      assert.ok(timings.ssl <= timings.connect);
      if (response.status > 0 && !_fromCache) assert.ok(timings.wait >= RTT_MS);
    }
    const onLoad = har.log.pages[0]?.pageTimings.onLoad ?? 0;
    const phasesMs = Object.values(phasesOf(har, onLoad) ?? {});
    assert.ok(Math.abs(phasesMs.reduce((sum, ms) => sum + ms, 0) - onLoad) < 1e-6);
    for (const ms of phasesMs) assert.ok(ms > 0);
  });

  test(`counts the recorded ${protocol} load`, () => {
    const traffic = trafficOf(har);
    assert.deepEqual(
      [traffic.tlsVersion, traffic.cipher, traffic.keyExchangeGroup],
      [tlsVersion, 'AES_128_GCM', 'X25519'],
    );
    assert.deepEqual(traffic.protocols, { [protocol]: 10 });
    assert.equal(traffic.failedRequests, 2);
    assert.equal(traffic.fromCache, 1);
    assert.equal(countsOf(har).requests, 12);
    assert.ok(countsOf(har).connections >= 2);
  });
}
