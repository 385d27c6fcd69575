import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { navigatedUrl } from '../../../../cache/importers/navigation.ts';
import { exampleExchange } from '../example-recording.ts';

const html: [string, string][] = [['Content-Type', 'text/html; charset=utf-8']];
const requestHeaders: [string, string][] = [['Referer', 'https://www.a.test/']];
const PAGE = exampleExchange('https://www.a.test/', { headers: html });
const FRAME = exampleExchange('https://www.a.test/frame', { headers: html, requestHeaders });
const moved = (from: string, to: string) =>
  exampleExchange(from, { status: 301, headers: [['location', to]] });

test('picks the HTML that no other entry requested as the page, in any order', () => {
  assert.equal(navigatedUrl([FRAME, PAGE]), 'https://www.a.test/');
});

test('begins a navigation with the first redirect to the page', () => {
  const exchanges = [
    PAGE,
    moved('http://a.test/', 'https://a.test/'),
    moved('https://a.test/', 'https://www.a.test'),
    moved('https://b.test/', '/c'),
  ];
  assert.equal(navigatedUrl(exchanges), 'https://a.test/');
});

test('prefers what the browser calls a document to other HTML', () => {
  const prerendered = exampleExchange('https://b.test/', { headers: html });
  assert.equal(navigatedUrl([prerendered, { ...PAGE, type: 'document' }]), 'https://www.a.test/');
});

test('ends a redirect loop', () => {
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

test('does not pick HTML in a frame or requested by a page, in any position', () => {
  const embedded = exampleExchange('https://ads.test/', { headers: html });
  const framing = { ...PAGE, body: Buffer.from("<p><iframe width=1 src='//ads.test/'></iframe>") };
  assert.equal(navigatedUrl([embedded, framing]), 'https://www.a.test/');
  const packed = {
    ...PAGE,
    headers: [...html, ['content-encoding', 'gzip'] as [string, string]],
    body: gzipSync('<frame name=a src=https://ads.test/#x>'),
  };
  assert.equal(navigatedUrl([embedded, packed]), 'https://www.a.test/');
  // Cross-origin referrers contain only the page's host.
  const article = exampleExchange('https://www.a.test/article', { headers: html });
  const advert = exampleExchange('https://ads.test/', { headers: html, requestHeaders });
  assert.equal(navigatedUrl([advert, article]), 'https://www.a.test/article');
});

test('picks the first of several unrequested pages that another entry refers to', () => {
  const alone = exampleExchange('https://b.test/', { headers: html });
  const script = exampleExchange('https://cdn.test/a.js', { requestHeaders });
  assert.equal(navigatedUrl([alone, script, PAGE]), 'https://www.a.test/');
  assert.equal(navigatedUrl([alone, PAGE]), 'https://b.test/');
});

test('accepts a page that was reached from a search engine', () => {
  const found: [string, string][] = [['Referer', 'https://search.test/?q=a']];
  const page = exampleExchange('https://www.a.test/x', { headers: html, requestHeaders: found });
  assert.equal(navigatedUrl([FRAME, { ...page, type: 'document' }]), 'https://www.a.test/x');
});

test('ends a loop of frames', () => {
  const framing = (url: string, frame: string) =>
    exampleExchange(url, { headers: html, body: Buffer.from(`<iframe src="${frame}">`) });
  const circle = [framing('https://a.test/', '//b.test/'), framing('https://b.test/', '//a.test/')];
  assert.notEqual(navigatedUrl(circle), null);
});

test('returns nothing without a page', () => {
  assert.equal(navigatedUrl([{ ...FRAME, type: 'iframe' }]), null);
  assert.equal(navigatedUrl([{ ...PAGE, method: 'POST' }]), null);
});
