import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harFileOf } from '../../../../report/sections/har-file.ts';
import { type StackWaterfall, waterfallMarkup } from '../../../../report/sections/waterfall.ts';
import { waterfallLoad } from '../../../../report/sections/waterfall-load.ts';
import { assertEach } from '../../assert-each.ts';
import { type MadeUpRequest, madeUpHar } from './made-up-har.ts';

function waterfallOf(
  label: string,
  requests: readonly MadeUpRequest[],
  pageLoadMs = 500,
): StackWaterfall {
  const load = waterfallLoad(harFileOf(madeUpHar(requests, pageLoadMs)), {
    pageLoadMs,
    domContentLoadedMs: 300,
    firstContentfulPaintMs: 200,
    largestContentfulPaintMs: 200,
  });
  return { arm: { label, place: 0 }, har: `har/${label}.har`, load };
}

const DOCUMENT = { url: 'https://a.test/', startMs: 0, connect: 60, wait: 30, receive: 10 };

function manyRequests(count: number): MadeUpRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `https://${index === 0 ? '' : 'host3.'}a.test/assets/picture-${index}.png`,
    startMs: 4 * index,
    queued: 3,
    blocked: 2,
    wait: 30 + index,
    receive: 5 + (index % 7),
    ...(index % 10 === 0 && { connect: 31 }),
  }));
}

const textOf = (waterfalls: readonly StackWaterfall[], mostRows?: number) =>
  waterfallMarkup('a.test, 30ms', waterfalls, mostRows).text;

const drawingsOf = (text: string) => [...text.matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => svg);

test('has a drawing for each stack with a name, its HAR, and a table of the same requests', () => {
  const requests = [DOCUMENT, { url: 'https://a.test/b.js', startMs: 120, wait: 30, receive: 20 }];
  const text = textOf([waterfallOf('one', requests), waterfallOf('two', requests)]);
  const drawings = drawingsOf(text);
  assert.equal(drawings.length, 2);
  for (const drawing of drawings) {
    assert.match(drawing, /role="img" aria-label="Waterfall of the median load of a\.test, 30ms/);
    assert.match(drawing, /<title>200 h3 1\.0 kB, 120 to 170 ms<\/title>/);
  }
  const regions = [...text.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, name]) => name);
  assert.equal(new Set(regions).size, 4);
  assert.match(text, /href="har\/one\.har"/);
  assert.equal(text.match(/<table class="requests">/g)?.length, 2);
  assert.equal(text.match(/<th scope="row">\/b\.js<\/th>/g)?.length, 2);
});

test('puts the same moment at the same position in all drawings of a site under a condition', () => {
  const placeOfDocument = (text: string, index: number) =>
    /class="connect" d="M(\d+) \d+h(\d+)/.exec(drawingsOf(text)[index] ?? '')?.slice(1);
  const text = textOf([waterfallOf('fast', [DOCUMENT], 400), waterfallOf('slow', [DOCUMENT], 900)]);
  assert.deepEqual(placeOfDocument(text, 0), placeOfDocument(text, 1));
  const alone = textOf([waterfallOf('fast', [DOCUMENT], 400)]);
  assert.notDeepEqual(placeOfDocument(alone, 0), placeOfDocument(text, 0));
});

test('shares a label between marks at the same moment, and never overlaps labels', () => {
  const [drawing = ''] = drawingsOf(textOf([waterfallOf('one', [DOCUMENT])]));
  const labels = [...drawing.matchAll(/<text class="mark" x="(\d+)"[^>]*>([^<]*)</g)];
  assertEach(labels, ([, , label]) => label, ['FCP, LCP 200', 'DCL 300', 'load 500']);
  assert.equal(drawing.match(/<path class="mark /g)?.length, 4);
});

test('folds requests beyond the row limit, and reports it', () => {
  const text = textOf([waterfallOf('one', manyRequests(50))], 20);
  assert.match(text, /31 shorter requests, together/);
  assert.match(text, /The 31 requests that took least time share the last row/);
  assert.equal(drawingsOf(text)[0]?.match(/<title>/g)?.length, 19);
  assert.doesNotMatch(textOf([waterfallOf('one', manyRequests(50))]), /shorter/);
});

test('takes about 17 kB for a waterfall of a hundred requests', () => {
  const [drawing = ''] = drawingsOf(textOf([waterfallOf('one', manyRequests(100), 800)]));
  assert.ok(drawing.length < 20_000, `${drawing.length} bytes`);
});

test('reports what is cut off at the right, and draws nothing beyond the edge', () => {
  const late = { url: 'https://a.test/late', startMs: 520, wait: 9000 };
  const text = textOf([waterfallOf('one', [DOCUMENT, late])]);
  assert.match(text, /go on beyond the end of the axis/);
  for (const [, from, width] of text.matchAll(/M(\d+) \d+h(\d+)v/g)) {
    assert.ok(Number(from) + Number(width) <= 1_040);
  }
  assert.doesNotMatch(textOf([waterfallOf('one', [DOCUMENT])]), /beyond the end/);
});

test('shows a reason for a stack without a load, and a sentence without a figure if none has one', () => {
  const missing: StackWaterfall = {
    arm: { label: 'two', place: 1 },
    har: null,
    load: { missing: 'none of its loads counts' },
  };
  const text = textOf([waterfallOf('one', [DOCUMENT]), missing]);
  assert.match(text, /two<\/bdi>: no waterfall, because none of its loads counts\./);
  assert.equal(drawingsOf(text).length, 1);
  assert.match(textOf([missing]), /No waterfalls: two: none of its loads counts\./);
  assert.doesNotMatch(textOf([missing]), /<figure/);
});

test('escapes addresses, and makes no style attribute, which the policy of the page would reject', () => {
  const odd = { url: 'https://<b>"&.test/\u202E<script>', startMs: 50, wait: 5 };
  const text = textOf([waterfallOf('one', [DOCUMENT, odd])]);
  assert.doesNotMatch(text, /<b>|<script|style=|\u202E/);
  assert.match(text, /&lt;script&gt;/);
});

test('marks a request without a response instead of a protocol and a size', () => {
  const lost = { url: 'https://a.test/x', startMs: 50, blocked: 9, status: 0, protocol: 'unknown' };
  const text = textOf([waterfallOf('one', [DOCUMENT, lost])]);
  assert.match(text, /<title>no response, 50 to 59 ms<\/title>/);
  assert.match(
    text,
    /<th scope="row">\/x<\/th><td><strong>none<\/strong><\/td><td>–<\/td><td>–<\/td>/,
  );
});

test('marks error responses, in words too', () => {
  const url = 'https://a.test/logo.svg';
  const text = textOf([waterfallOf('one', [DOCUMENT, { url, startMs: 50, wait: 9, status: 404 }])]);
  assert.match(
    text,
    /<g class="error"><title>404 h3 [^<]*<\/title>.*?<text[^>]*>404: \/logo\.svg<\/text>/,
  );
  assert.equal(text.match(/class="error"/g)?.length, 1);
});

test('puts the same request in the same row in each waterfall of a page', () => {
  const request = (name: string, startMs: number) => ({
    url: `https://a.test/${name}`,
    startMs,
    wait: 9,
  });
  const text = textOf([
    waterfallOf('one', [DOCUMENT, request('a', 10), request('b', 20), request('b', 30)]),
    waterfallOf('two', [
      DOCUMENT,
      request('b', 10),
      request('new', 15),
      request('b', 20),
      request('a', 30),
    ]),
  ]);
  const rows = drawingsOf(text).map((drawing) =>
    [...drawing.matchAll(/<text y="\d+">([^<]*)/g)].map(([, name]) => name),
  );
  assert.deepEqual(rows, [
    ['/', '/a', '/b', '/b'],
    ['/', '/a', '/b', '/new', '/b'],
  ]);
});
