import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheUrl, isHostName, urlOfFile } from '../../../../cache/importers/file-url.ts';

test('maps index.html to its folder', () => {
  assert.equal(urlOfFile('a.test', 'index.html'), 'https://a.test/');
  assert.equal(urlOfFile('a.test', 'x/index.html'), 'https://a.test/x/');
  assert.equal(urlOfFile('a.test', 'index.html?q=1'), 'https://a.test/?q=1');
  assert.equal(urlOfFile('a.test', 'my-index.html'), 'https://a.test/my-index.html');
});

test('takes the query in a file name as the query of the URL, an empty one too', () => {
  assert.equal(urlOfFile('a.test', 'all.js?v=3'), 'https://a.test/all.js?v=3');
  assert.equal(urlOfFile('a.test', 'f.eot?'), 'https://a.test/f.eot?');
  assert.equal(urlOfFile('a.test', 'f.css?u=b%2Fc%20d?e'), 'https://a.test/f.css?u=b/c%20d?e');
});

test('keeps commas, and encodes what a URL would misread', () => {
  assert.equal(urlOfFile('a.test', 'm/a.1,b/c.2.css'), 'https://a.test/m/a.1,b/c.2.css');
  assert.equal(urlOfFile('a.test', 'a b#c%41%zz\\é'), 'https://a.test/a%20b%23c%41%25zz%5C%C3%A9');
});

test('maps recorded URLs to https without port and fragment', () => {
  assert.equal(cacheUrl('http://a.test:8080/x?y#z'), 'https://a.test/x?y');
  assert.equal(cacheUrl('ftp://a.test/'), null);
  assert.equal(cacheUrl('/x'), null);
});

test('rejects URLs that no server could answer for, and accepts a relative target', () => {
  for (const url of [
    'https://./',
    'https://a.test./',
    'https://[::1]/',
    'https://a..test/',
    "https://a'b.test/",
    `https://${'a'.repeat(64)}.test/`,
    `https://${'a.'.repeat(127)}test/`,
    // URL.canParse accepts this, and new URL throws.
    `https://www.a.tes${'A'.repeat(20_000)}/`,
    'data:text/html,x',
    'https://',
  ]) {
    assert.equal(cacheUrl(url), null, url.slice(0, 80));
  }
  assert.equal(cacheUrl('https://r3---sn-x_y.a.test/'), 'https://r3---sn-x_y.a.test/');
  assert.equal(cacheUrl('//b.test:8080/y', 'https://a.test/x'), 'https://b.test/y');
  assert.equal(cacheUrl('../y?q', 'https://a.test/x/z/'), 'https://a.test/x/y?q');
});

test('distinguishes folders named like hosts from the rest', () => {
  for (const host of ['www.example.org', 'a.test:8080', 'a.test+8080', '127.0.0.1', 'x_y.a.test']) {
    assert.ok(isHostName(host), host);
  }
  for (const host of ['localhost', 'localhost+9100', 'intranet:8080']) {
    assert.ok(isHostName(host), host);
  }
  for (const other of [
    'assets',
    'assets+2',
    'a:1:2',
    '2015.1',
    'v1.0',
    '.well-known',
    'a..test',
    '',
    '999.1.1.1',
  ]) {
    assert.ok(!isHostName(other), other);
  }
});
