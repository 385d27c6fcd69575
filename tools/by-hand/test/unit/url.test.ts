import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { writeFixtureSite } from '../../../../test/e2e/site-fixture.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { readUrl, siteOfUrl } from '../../url.ts';

function assertRefused(read: () => unknown, message: RegExp): void {
  assert.throws(read, { name: 'UsageError', message });
}

test('reads a URL with or without https://, and drops its fragment', () => {
  assert.equal(readUrl('www.example.org').href, 'https://www.example.org/');
  assert.equal(readUrl('HTTPS://A.test:8443/b?c#d').href, 'https://a.test:8443/b?c');
  assert.equal(readUrl('[::1]:8443/a').href, 'https://[::1]:8443/a');
});

test('rejects what is no URL, or not for TLS, and does not repeat credentials', () => {
  assertRefused(() => readUrl('http://a.test'), /only https:\/\/ is supported/);
  assertRefused(() => readUrl('ftp://a.test'), /is a URL of ftp:/);
  assertRefused(() => readUrl('@hosts.txt'), /one URL at a time/);
  assertRefused(() => readUrl('https://'), /names no host/);
  assertRefused(() => readUrl('a b'), /white space/);
  assertRefused(
    () => readUrl('https://user:secret@a.test'),
    /^(?!.*secret).*--header 'Authorization/,
  );
});

test('finds the site of a URL by its host, or by the URL among several', async () => {
  await withTemporaryFolder(async (sites) => {
    const write = (site: string, ...urls: string[]) =>
      writeFixtureSite(
        path.join(sites, site),
        urls.map((url) => ({ url, body: 'x' })),
      );
    await write(
      'one',
      'https://a.test/',
      'https://shared.test/one.js',
      'https://shared.test/all.js',
    );
    await write('two', 'https://b.test:8443/', 'https://shared.test/all.js');
    const siteOf = (url: string, named: string | null = null) =>
      siteOfUrl(new URL(url), named, sites);
    assert.equal(siteOf('https://a.test/missing'), 'one');
    assert.equal(siteOf('https://b.test:8443/'), 'two');
    assert.equal(siteOf('https://shared.test/one.js'), 'one');
    assert.equal(siteOf('https://shared.test/all.js', 'two'), 'two');
    assertRefused(
      () => siteOf('https://shared.test/all.js'),
      /^2 sites have https:\/\/shared\.test\/all\.js: one, two\. Choose one with --site SITE\.$/,
    );
    assertRefused(() => siteOf('https://b.test/'), /^No site of the cache has the host b\.test\./);
    assertRefused(
      () => siteOf('https://a.test/', 'two'),
      /^The site two does not have the host a\.test\./,
    );
    assertRefused(() => siteOf('https://a.test/', 'three'), /^Unknown site three\./);
  });
});
