import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { mainDocumentOf } from '../../../../har/main-document.ts';
import { countsOf, trafficOf } from '../../../../har/traffic.ts';
import { buildHar } from '../../../har/build.ts';
import type { CdpEvent } from '../../../har/events.ts';
import { ABOUT, entryOf } from './load.ts';

// Chromium 156 loading a page (a redirect, gzip, cookies, an image, an image of a missing host)
// from servers on 127.0.1.1: node:quic of Bun, node:http2, node:https.
const RECORDED = [
  { file: 'h1.json', protocol: 'http/1.1', tlsVersion: 'TLS 1.3' },
  { file: 'h2.json', protocol: 'h2', tlsVersion: 'TLS 1.3' },
  { file: 'h3.json', protocol: 'h3', tlsVersion: 'QUIC' },
];

const URLS = [
  'https://a.test/',
  'https://a.test/home',
  'https://a.test/dot.png',
  'https://nowhere.test/gone.png',
];

for (const { file, protocol, tlsVersion } of RECORDED) {
  const events: CdpEvent[] = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'recorded', file), 'utf8'),
  );
  const har = buildHar(events, { ...ABOUT, url: 'https://a.test/' });

  test(`has the four requests of the recorded ${protocol} load, each as it came`, () => {
    assert.deepEqual(har.log.entries.map(({ request }) => request.url).toSorted(), URLS.toSorted());
    assert.deepEqual(
      URLS.map((url) => entryOf(har, url)).map(({ request, response, _resourceType }) => [
        request.url,
        response.status,
        response.httpVersion,
        _resourceType,
        response.cookies.map(({ name }) => name),
      ]),
      [
        ['https://a.test/', 302, protocol, 'document', ['step']],
        ['https://a.test/home', 200, protocol, 'document', ['a', 'b']],
        ['https://a.test/dot.png', 200, protocol, 'image', []],
        ['https://nowhere.test/gone.png', 0, 'unknown', 'image', []],
      ],
    );
    const gone = entryOf(har, 'https://nowhere.test/gone.png');
    assert.equal(gone.response._error, 'net::ERR_NAME_NOT_RESOLVED');
  });

  test(`sends cookies on in the recorded ${protocol} load and repeats no header name`, () => {
    assert.deepEqual(
      URLS.slice(0, 3).map((url) => entryOf(har, url).request.cookies.map(({ name }) => name)),
      [[], ['step'], ['step', 'a', 'b']],
    );
    for (const { request } of har.log.entries) {
      const names = request.headers.map(({ name }) => name.toLowerCase());
      assert.equal(new Set(names).size, names.length);
    }
  });

  test(`has consistent sizes and times in the recorded ${protocol} load`, () => {
    const main = mainDocumentOf(har);
    const length = main?.entry.response.headers.find(
      ({ name }) => name.toLowerCase() === 'content-length',
    );
    assert.equal(main?.entry.response.bodySize, Number(length?.value));
    assert.ok(main.entry.response._transferSize > main.entry.response.bodySize);
    assert.ok(main.entry.response.content.size > main.entry.response.bodySize);
    assert.ok(main.connectMs !== null && main.connectMs > 0);
    for (const { time, timings } of har.log.entries) {
      const { blocked, dns, connect, send, wait, receive } = timings;
      const phases = [blocked, dns, connect, send, wait, receive];
      const sum = phases.reduce((total, phase) => total + Math.max(0, phase), 0);
      assert.ok(Math.abs(time - sum) < 0.001, `${time} is not ${sum}`);
      assert.ok(timings.ssl <= timings.connect);
    }
  });

  test(`counts the recorded ${protocol} load`, () => {
    const traffic = trafficOf(har);
    const counts = countsOf(har);
    assert.equal(counts.requests, 4);
    assert.equal(traffic.responses200, 2);
    assert.equal(traffic.failedRequests, 1);
    assert.deepEqual(traffic.protocols, { [protocol]: 3 });
    assert.equal(traffic.tlsVersion, tlsVersion);
    const bodies = har.log.entries.reduce((sum, { response }) => sum + response.bodySize, 0);
    const headers = counts.wireBytes - bodies;
    assert.ok(headers > 50 && headers < 1000, `${headers} bytes of headers`);
  });
}
