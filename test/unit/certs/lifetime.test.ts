import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { LIFETIME_MS, MARGIN_MS, spkiPin } from '../../../certs/authority.ts';
import { ensureCertificates } from '../../../certs/certificates.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const DAY_MS = 24 * 3600 * 1000;
const HOST = 'a.test';

for (const chain of ['small', 'realistic'] as const) {
  const choice = { chain, origins: 'own' } as const;

  test(`ends every certificate of a ${chain} chain within 30 days, and its authority too`, async (t) => {
    const folder = temporaryFolder(t);
    const place = await ensureCertificates([HOST], choice, folder);
    const authority = path.join(place, chain === 'small' ? 'CA.pem' : 'ISSUER.pem');
    const pems = [path.join(place, `${HOST}.pem`), authority].map((file) =>
      readFileSync(file, 'utf8'),
    );
    const certificates = pems.flatMap((pem) => pem.trim().split(/(?=-----BEGIN)/));
    assert.equal(certificates.length, chain === 'small' ? 2 : 5);
    for (const certificate of certificates) {
      const leftMs = Date.parse(new X509Certificate(certificate).validTo) - Date.now();
      assert.ok(leftMs > MARGIN_MS && leftMs <= 30 * DAY_MS, `${leftMs / DAY_MS} days`);
    }
  });

  test(`keeps a ${chain} chain while it is fresh, and renews it with new keys when it is about to end`, async (t) => {
    const folder = temporaryFolder(t);
    const startMs = Date.now();
    const pinAfter = async (ms: number) => {
      t.mock.timers.setTime(startMs + ms);
      return spkiPin(HOST, await ensureCertificates([HOST], choice, folder));
    };
    t.mock.timers.enable({ apis: ['Date'], now: startMs });
    const first = await pinAfter(0);
    assert.equal(await pinAfter(LIFETIME_MS - MARGIN_MS - DAY_MS), first);
    const second = await pinAfter(LIFETIME_MS - MARGIN_MS);
    assert.notEqual(second, first);
    // Long after it had ended.
    assert.notEqual(await pinAfter(365 * DAY_MS), second);
  });
}

test('lets only the owner read keys, certificates and their folders', async (t) => {
  const folder = temporaryFolder(t);
  await chmod(folder, 0o755);
  await mkdir(path.join(folder, 'shared'), { mode: 0o700 });
  for (const chain of ['small', 'realistic'] as const) {
    for (const origins of ['own', 'shared'] as const) {
      await ensureCertificates([HOST], { chain, origins }, folder);
    }
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  assert.ok(entries.filter((entry) => entry.name.endsWith('.key')).length >= 6);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  for (const entry of entries) {
    const { mode } = await stat(path.join(entry.parentPath, entry.name));
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name);
  }
});

test('does not reuse a key that other users could read', async (t) => {
  const folder = temporaryFolder(t);
  const choice = { chain: 'small', origins: 'own' } as const;
  const pin = async () => spkiPin(HOST, await ensureCertificates([HOST], choice, folder));
  const first = await pin();
  await chmod(path.join(folder, `${HOST}.key`), 0o644);
  const second = await pin();
  assert.notEqual(second, first);
  await chmod(path.join(folder, 'CA.key'), 0o640);
  assert.notEqual(await pin(), second);
  assert.equal((await stat(path.join(folder, 'CA.key'))).mode & 0o777, 0o600);
});
