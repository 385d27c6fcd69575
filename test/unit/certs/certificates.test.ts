import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { spkiPin } from '../../../certs/authority.ts';
import { authorityFile, chainBytes, ensureCertificates } from '../../../certs/certificates.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

const HOSTS = ['a.test', 'b.test'];

async function chainOf(folder: string, host: string): Promise<X509Certificate[]> {
  const pem = await readFile(path.join(folder, `${host}.pem`), 'utf8');
  return pem.split(/(?=-----BEGIN)/).map((each) => new X509Certificate(each));
}

test('makes a realistic chain of three RSA certificates, each signed by the next, of 3.5 to 4.2 kB together', () =>
  withTemporaryFolder(async (folder) => {
    const place = await ensureCertificates(HOSTS, { chain: 'realistic', origins: 'own' }, folder);
    const [leaf, issuer, root, ...more] = await chainOf(place, 'a.test');
    assert.ok(leaf && issuer && root && more.length === 0);
    assert.ok(leaf.verify(issuer.publicKey));
    assert.ok(issuer.verify(root.publicKey));
    assert.equal(leaf.publicKey.asymmetricKeyType, 'rsa');
    assert.equal(leaf.checkHost('b.test'), undefined);
    assert.ok(issuer.ca && root.ca && !leaf.ca);
    const bytes = await chainBytes('a.test', place);
    assert.equal(bytes, leaf.raw.length + issuer.raw.length + root.raw.length);
    assert.ok(bytes > 3500 && bytes < 4200, `${bytes} bytes`);
    for (const name of ['a.test.key', 'ISSUER.key']) {
      assert.equal((await stat(path.join(place, name))).mode & 0o077, 0, name);
    }
    const pin = await spkiPin('a.test', place);
    assert.equal(
      await ensureCertificates(HOSTS, { chain: 'realistic', origins: 'own' }, folder),
      place,
    );
    assert.equal(await spkiPin('a.test', place), pin, 'kept');
  }));

test('gives hosts that share a certificate the same one, with exactly their names', () =>
  withTemporaryFolder(async (folder) => {
    const choice = { chain: 'small', origins: 'shared' } as const;
    const place = await ensureCertificates(HOSTS, choice, folder);
    const [leaf] = await chainOf(place, 'a.test');
    assert.equal(leaf?.checkHost('b.test'), 'b.test');
    assert.equal(leaf?.checkHost('c.test'), undefined);
    const read = (name: string) => readFile(path.join(place, name), 'utf8');
    assert.equal(await read('a.test.pem'), await read('b.test.pem'));
    assert.equal(await read('a.test.key'), await read('b.test.key'));
    assert.equal(await ensureCertificates(HOSTS.toReversed(), choice, folder), place);
    assert.notEqual(await ensureCertificates(['a.test'], choice, folder), place);
  }));

test('has a folder for each choice, and keeps the files of each', () =>
  withTemporaryFolder(async (folder) => {
    const places = new Set<string>();
    for (const chain of ['small', 'realistic'] as const) {
      for (const origins of ['own', 'shared'] as const) {
        places.add(await ensureCertificates(HOSTS, { chain, origins }, folder));
      }
    }
    assert.equal(places.size, 4);
    const pins = await Promise.all([...places].map((place) => spkiPin('a.test', place)));
    assert.equal(new Set(pins).size, 4);
  }));

test('accepts any host names, and keeps the files of the authority', () =>
  withTemporaryFolder(async (folder) => {
    for (const chain of ['small', 'realistic'] as const) {
      const names = ['ca', 'issuer', 'authority', 'realistic', 'shared'];
      const place = await ensureCertificates(names, { chain, origins: 'own' }, folder);
      const authority = new X509Certificate(await readFile(authorityFile({ chain }, folder)));
      for (const name of names) {
        const [leaf] = await chainOf(place, name);
        assert.ok(leaf?.checkHost(name), name);
        assert.ok(leaf?.verify(authority.publicKey), name);
      }
    }
  }));

test('renews a certificate for all its hosts if it no longer fits one', () =>
  withTemporaryFolder(async (folder) => {
    const choice = { chain: 'small', origins: 'shared' } as const;
    const place = await ensureCertificates(HOSTS, choice, folder);
    const own = await ensureCertificates(['b.test'], { chain: 'small', origins: 'own' }, folder);
    await writeFile(path.join(place, 'b.test.pem'), await readFile(path.join(own, 'b.test.pem')));
    await ensureCertificates(HOSTS, choice, folder);
    assert.equal(await spkiPin('a.test', place), await spkiPin('b.test', place));
  }));

for (const chain of ['small', 'realistic'] as const) {
  test(`signs leaves by the authority of a ${chain} chain`, () =>
    withTemporaryFolder(async (folder) => {
      const place = await ensureCertificates(HOSTS, { chain, origins: 'own' }, folder);
      const authority = new X509Certificate(await readFile(authorityFile({ chain }, folder)));
      const [leaf] = await chainOf(place, 'a.test');
      assert.ok(leaf?.verify(authority.publicKey));
    }));
}
