import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ensureCertificates } from '../../../certs/certificates.ts';
import { spkiPin } from '../../../certs/leaf.ts';
import { removeLeftRunKeys, withRunKeys } from '../../../certs/run-keys.ts';

const CHOICE = { chain: 'small', origins: 'own' } as const;

test('each run has keys of its own, which nobody else may read and which are gone after it', async () => {
  const run = () =>
    withRunKeys(async (folder) => {
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      const place = await ensureCertificates(['a.test'], CHOICE, folder);
      return { folder, pin: await spkiPin('a.test', place) };
    });
  const [first, second] = [await run(), await run()];
  assert.notEqual(first.pin, second.pin);
  assert.ok(!existsSync(first.folder) && !existsSync(second.folder));
});

test('keys are gone after a run that failed', async () => {
  let kept = '';
  const failing = withRunKeys(async (folder) => {
    kept = folder;
    throw new Error('the run');
  });
  await assert.rejects(failing, /the run/);
  assert.ok(kept !== '' && !existsSync(kept));
});

test('keys that a killed run left are removed, and those of a run at work are not', async () => {
  // No process has a number as high as this.
  const left = path.join(os.tmpdir(), 'quic-vs-https-keys-99999999-left');
  await mkdir(left);
  try {
    await withRunKeys(async (folder) => {
      await removeLeftRunKeys();
      assert.ok(!existsSync(left));
      assert.ok(existsSync(folder));
    });
  } finally {
    await rm(left, { recursive: true, force: true });
  }
});
