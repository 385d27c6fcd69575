import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harLink, pageBase, withBase } from '../../../../kit/page/links.ts';
import { html } from '../../../../kit/page/markup.ts';

test('makes a relative link to a HAR below the run, with every special character encoded', () => {
  assert.equal(harLink('har/0001-a b#?.har').text, '<a href="har/0001-a%20b%23%3F.har">HAR</a>');
});

test('shows a path that leads anywhere else as text, not a link', () => {
  for (const har of [
    'javascript:alert(1)',
    'https://example.org/x.har',
    '/etc/passwd',
    'har/../../x.har',
    'har//x.har',
    'har/..\\x.har',
    '',
  ]) {
    assert.doesNotMatch(harLink(har).text, /<a /, har);
  }
});

test('marks a load without a HAR, and does not fail on a broken character', () => {
  assert.match(harLink(null).text, /none/);
  assert.match(harLink('har/\ud800.har').text, /href="har\/%EF%BF%BD\.har"/);
});

test('links a page elsewhere to the files of the run, and keeps links within the page', () => {
  const base = pageBase('/results/other', '/results/a run"&$&');
  assert.equal(base, '../a%20run%22%26%24%26/');
  const page = html`<p>${'<a href="har/no-link">'} ${harLink('har/1.har')} <a href="#sites">sites</a></p>`;
  assert.equal(
    withBase(base, page).text,
    `<p>&lt;a href=&quot;har/no-link&quot;&gt; <a href="${base}har/1.har">HAR</a> <a href="#sites">sites</a></p>`,
  );
  assert.equal(withBase('', page), page);
});
