import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPages, withoutPassword } from '../../../../ground/options/pages.ts';

test('names pages by host and path, each once, with https:// by default', () => {
  const words = [
    'www.example.org',
    'https://www.example.org/#top',
    'https://www.example.org/a/b.html?c=1',
    'https://www.example.org:8443/',
    'https://[::1]/ä',
    'foo_bar.test/a_b',
  ];
  assert.deepEqual(readPages(words), [
    { name: 'www.example.org', url: 'https://www.example.org/' },
    { name: 'www.example.org-a-b.html', url: 'https://www.example.org/a/b.html?c=1' },
    { name: 'www.example.org-8443', url: 'https://www.example.org:8443/' },
    { name: '1-C3-A4', url: 'https://[::1]/%C3%A4' },
    { name: 'foo_bar.test-a_b', url: 'https://foo_bar.test/a_b' },
  ]);
});

test('numbers pages with equal names', () => {
  const names = readPages(['a.test/?1', 'a.test/?2', 'a.test/?3']).map(({ name }) => name);
  assert.deepEqual(names, ['a.test', 'a.test-2', 'a.test-3']);
});

test('limits a name to the length of a file name', () => {
  const [page] = readPages([`a.test/${'x'.repeat(500)}`]);
  assert.equal(page?.name.length, 80);
});

test('rejects a password without printing it', () => {
  for (const word of [
    'me:secret@a.test',
    'https://me:secret@a.test/',
    'http://me:se@cret@a.test',
  ]) {
    assert.throws(
      () => readPages([word]),
      ({ message }: Error) => !message.includes('cret') && !message.includes('me:'),
      word,
    );
  }
  assert.equal(withoutPassword('https://a.test/@me?b@c'), 'https://a.test/@me?b@c');
  assert.equal(withoutPassword('me:secret@a.test/b'), '…@a.test/b');
});

test('rejects what is no page of https:// with the reason', () => {
  const refused: [string, RegExp][] = [
    ['http://a.test', /need https:\/\//],
    ['ftp://a.test/', /a URL of ftp:/],
    ['https://', /no URL/],
    ['https://a b', /no URL/],
    ['https://a.test,https://b.test', /no URL|in it, which no name has/],
    ['https://me:secret@a.test/', /password/],
    ['@pages.txt', /one by one/],
    ['https://-.test', /which no name has/],
  ];
  for (const [word, why] of refused) {
    assert.throws(() => readPages([word]), { name: 'UsageError', message: why }, word);
  }
});
