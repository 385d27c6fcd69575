import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('without such a page there is none', () => {
  assert.equal(navigatedUrl([FRAME]), null);
  assert.equal(navigatedUrl([{ ...PAGE, method: 'POST' }]), null);
});
