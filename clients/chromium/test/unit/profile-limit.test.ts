import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { withinProfileLimit } from '../../profile-limit.ts';

test('ends a browser that fills its profile, with its page', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'a'));
  const fill = async (signal: AbortSignal) => {
    for (const name of ['a/one', 'two']) {
      writeFileSync(path.join(folder, name), '');
      truncateSync(path.join(folder, name), 600_000);
    }
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  };
  const page = { folder, url: 'https://a.test/' };
  await assert.rejects(withinProfileLimit(page, fill, 1_000_000), {
    name: 'UsageError',
    message: /https:\/\/a\.test\/ fills the disk.*more than 1 MB/,
  });
});

test("leaves other browsers alone, and ends them on the caller's signal", async (t) => {
  const page = { folder: temporaryFolder(t), url: 'https://a.test/' };
  assert.equal(await withinProfileLimit(page, async () => 1, 10), 1);
  const stopped = AbortSignal.abort(new Error('stopped'));
  const use = async (signal: AbortSignal) => signal.throwIfAborted();
  await assert.rejects(withinProfileLimit({ ...page, signal: stopped }, use), /stopped/);
});

test('stops watching a profile once its browser has ended', async (t) => {
  const page = { folder: temporaryFolder(t), url: 'https://a.test/' };
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  // Some end while the profile is read.
  const ends = Array.from({ length: 40 }, (_, index) => 245 + index / 4);
  await Promise.all(ends.map((ms) => withinProfileLimit(page, () => setTimeout(ms))));
  await setTimeout(100);
  assert.ok(timers() <= before);
});
