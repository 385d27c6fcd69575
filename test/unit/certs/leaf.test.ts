import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { spkiPin } from '../../../certs/authority.ts';
import { ensureLeaves } from '../../leaves.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('gives a host a small certificate of its own, signed by the authority, and keeps it', async (t) => {
  const folder = temporaryFolder(t);
  await ensureLeaves(['a.test', 'b.test'], folder);
  const read = async (name: string) => new X509Certificate(await readFile(path.join(folder, name)));
  const [authority, leaf] = [await read('CA.pem'), await read('a.test.pem')];
  assert.ok(leaf.verify(authority.publicKey));
  assert.equal(leaf.checkHost('a.test'), 'a.test');
  assert.equal(leaf.checkHost('b.test'), undefined);
  assert.ok(leaf.raw.length < 500, 'QUIC must get it through before the address is validated');
  assert.equal((await stat(path.join(folder, 'a.test.key'))).mode & 0o077, 0);

  const pin = await spkiPin('a.test', folder);
  assert.match(pin, /^[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(pin, await spkiPin('b.test', folder));
  await ensureLeaves(['a.test'], folder);
  assert.equal(await spkiPin('a.test', folder), pin);
});
