import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readManifest } from '../../../../cache/manifest.ts';
import { problemsOfSite } from '../../../../cache/verification.ts';
import { testPattern } from '../../../../cache/videos.ts';
import { TEST_PATTERN } from '../../options.ts';

test('has quality levels of the rates in its manifest', async () => {
  const folder = await testPattern(TEST_PATTERN, { say: () => {} });
  assert.deepEqual(await problemsOfSite(folder), []);
  const { video, resources, source } = await readManifest(folder);
  assert.match(source, /ffmpeg \d/);
  assert.equal(video?.durationMs, 60_000);
  const representations = video?.representations ?? [];
  assert.ok(representations.filter(({ kind }) => kind === 'video').length >= 4);
  assert.equal(representations.filter(({ kind }) => kind === 'audio').length, 1);
  for (const { id, kbps, segments } of representations) {
    assert.equal(segments.length, 30);
    const rates = await Promise.all(
      segments.map(async ({ url, durationMs }) => {
        const { body } = resources.find((resource) => resource.url === url) ?? {};
        return ((await stat(path.join(folder, body ?? ''))).size * 8) / durationMs;
      }),
    );
    const [least, most] = [Math.min(...rates) / kbps, Math.max(...rates) / kbps];
    assert.ok(0.9 < least && most < 1.1, `rung ${id}: from ${least} to ${most} of ${kbps} kbit/s`);
  }
});
