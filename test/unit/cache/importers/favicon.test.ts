import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFavicon } from '../../../../cache/importers/resource.ts';

const isNamedIn = (html: string) => noFavicon('https://a.test/x', html) === null;

test('finds a named icon in every spelling', () => {
  for (const html of [
    '<link rel="icon" href="data:,">',
    '<LINK HREF=/i.ico REL=icon>',
    "<p><link\\n href='/i' rel = 'shortcut icon'>".replace('\\n', '\n'),
    '<link rel="stylesheet" href="a"><link rel="apple-touch-icon icon" href="b">',
  ]) {
    assert.ok(isNamedIn(html), html);
  }
});

test('rejects lookalikes, and gives the empty response to the host of the document', () => {
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

test('searches relations once that are made to be searched for long', () => {
  const link = `<link rel=${' '.repeat(3900)}`;
  assert.ok(!isNamedIn(link.repeat(1000)));
  assert.ok(!isNamedIn('<link '.repeat(2_000_000)));
});

test('searches a page of unclosed links once', () => {
  assert.ok(!isNamedIn('<link '.repeat(200_000)));
  assert.ok(!isNamedIn(`<link ${'rel='.repeat(200_000)}`));
});
