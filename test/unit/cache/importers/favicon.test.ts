import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFavicon } from '../../../../cache/importers/resource.ts';

const isNamedIn = (html: string) => noFavicon('https://a.test/x', html) === null;

test('an icon that a page names is found in every way of writing it', () => {
  for (const html of [
    '<link rel="icon" href="data:,">',
    '<LINK HREF=/i.ico REL=icon>',
    "<p><link\\n href='/i' rel = 'shortcut icon'>".replace('\\n', '\n'),
    '<link rel="stylesheet" href="a"><link rel="apple-touch-icon icon" href="b">',
  ]) {
    assert.ok(isNamedIn(html), html);
  }
});

test('what only looks like one is none, and the empty answer belongs to the host of the document', () => {
  for (const html of [
    '',
    '<link rel="stylesheet" href="icon">',
    '<a rel="icon">',
    '<link>rel=icon',
  ]) {
    assert.ok(!isNamedIn(html), html);
  }
  assert.equal(noFavicon('https://a.test/x/y', '')?.url, 'https://a.test/favicon.ico');
});

test('relations that are made to be searched for long are searched once', () => {
  const link = `<link rel=${' '.repeat(3900)}`;
  assert.ok(!isNamedIn(link.repeat(1000)));
  assert.ok(!isNamedIn('<link '.repeat(2_000_000)));
});

test('a page of nothing but links without an end is looked through once', () => {
  assert.ok(!isNamedIn('<link '.repeat(200_000)));
  assert.ok(!isNamedIn(`<link ${'rel='.repeat(200_000)}`));
});
