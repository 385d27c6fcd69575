import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harLink } from '../../../../kit/page/links.ts';

test('a HAR below the run becomes a relative link with every special character encoded', () => {
  assert.equal(harLink('har/0001-a b#?.har').text, '<a href="har/0001-a%20b%23%3F.har">HAR</a>');
});

test('a path that leads anywhere else is text, not a link', () => {
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

test('a load without a HAR says so, and a broken character does not end the report', () => {
  assert.match(harLink(null).text, /none/);
  assert.match(harLink('har/\ud800.har').text, /href="har\/%EF%BF%BD\.har"/);
});
