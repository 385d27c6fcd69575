import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { navigatedUrl } from '../../../../cache/importers/navigation.ts';
import { exampleExchange } from '../example-recording.ts';

const html: [string, string][] = [['Content-Type', 'text/html; charset=utf-8']];
const asked: [string, string][] = [['Referer', 'https://www.a.test/']];
const PAGE = exampleExchange('https://www.a.test/', { headers: html });
const FRAME = exampleExchange('https://www.a.test/frame', { headers: html, requestHeaders: asked });
const moved = (from: string, to: string) =>
  exampleExchange(from, { status: 301, headers: [['location', to]] });

test('the page is the HTML that nothing asked for, in whatever order', () => {
  assert.equal(navigatedUrl([FRAME, PAGE]), 'https://www.a.test/');
});

test('a navigation begins with the first of the redirects to the page', () => {
  const exchanges = [
    PAGE,
    moved('http://a.test/', 'https://a.test/'),
    moved('https://a.test/', 'https://www.a.test'),
    moved('https://b.test/', '/c'),
  ];
  assert.equal(navigatedUrl(exchanges), 'https://a.test/');
});

test('what the browser calls a document counts before other HTML', () => {
  const prerendered = exampleExchange('https://b.test/', { headers: html });
  assert.equal(navigatedUrl([prerendered, { ...PAGE, type: 'document' }]), 'https://www.a.test/');
});

test('redirects in a circle end', () => {
  const circle = [
    PAGE,
    moved('https://b.test/', 'https://www.a.test/'),
    moved('https://c.test/', 'https://b.test/'),
    moved('https://d.test/', 'https://c.test/'),
  ];
  assert.equal(
    navigatedUrl([...circle, moved('https://www.a.test/', 'https://d.test/')]),
    'https://www.a.test/',
  );
});

test('what a page asked for or shows in a frame is not the page, wherever it stands', () => {
  const embedded = exampleExchange('https://ads.test/', { headers: html });
  const framing = { ...PAGE, body: Buffer.from("<p><iframe width=1 src='//ads.test/'></iframe>") };
  assert.equal(navigatedUrl([embedded, framing]), 'https://www.a.test/');
  const packed = {
    ...PAGE,
    headers: [...html, ['content-encoding', 'gzip'] as [string, string]],
    body: gzipSync('<frame name=a src=https://ads.test/#x>'),
  };
  assert.equal(navigatedUrl([embedded, packed]), 'https://www.a.test/');
  // Other hosts are told the page's host alone.
  const article = exampleExchange('https://www.a.test/article', { headers: html });
  const advert = exampleExchange('https://ads.test/', { headers: html, requestHeaders: asked });
  assert.equal(navigatedUrl([advert, article]), 'https://www.a.test/article');
});

test('of several pages that nothing asked for the first is the page that something refers to', () => {
  const alone = exampleExchange('https://b.test/', { headers: html });
  const script = exampleExchange('https://cdn.test/a.js', { requestHeaders: asked });
  assert.equal(navigatedUrl([alone, script, PAGE]), 'https://www.a.test/');
  assert.equal(navigatedUrl([alone, PAGE]), 'https://b.test/');
});

test('a page that was found by a search engine is a page', () => {
  const found: [string, string][] = [['Referer', 'https://search.test/?q=a']];
  const page = exampleExchange('https://www.a.test/x', { headers: html, requestHeaders: found });
  assert.equal(navigatedUrl([FRAME, { ...page, type: 'document' }]), 'https://www.a.test/x');
});

test('frames in a circle end', () => {
  const framing = (url: string, frame: string) =>
    exampleExchange(url, { headers: html, body: Buffer.from(`<iframe src="${frame}">`) });
  const circle = [framing('https://a.test/', '//b.test/'), framing('https://b.test/', '//a.test/')];
  assert.notEqual(navigatedUrl(circle), null);
});

test('without a page there is none', () => {
  assert.equal(navigatedUrl([{ ...FRAME, type: 'iframe' }]), null);
  assert.equal(navigatedUrl([{ ...PAGE, method: 'POST' }]), null);
});
