import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { siteFolder, videosFolder } from '../../../../cache/catalogue.ts';
import { siteOfDash } from '../../../../cache/dash/video-site.ts';
import { readManifest, writeSite } from '../../../../cache/manifest.ts';
import { testPattern } from '../../../../cache/videos.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { TEST_PATTERN } from '../../options.ts';

const PREFIX = 'made-by-test-';

/** Removes the variants of tests that were killed. */
async function removeLeftVariants(): Promise<void> {
  const left = new RegExp(`^${PREFIX}(\\d+)`);
  for (const name of await readdir(videosFolder)) {
    const [, pid] = left.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    await rm(path.join(videosFolder, name), { recursive: true, force: true });
  }
}

/** Passes on the name of a video that is the test pattern with another manifest, and removes it. */
export function withVariant<T>(
  change: (manifest: string) => string,
  use: (video: string) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (temporary) => {
    const pattern = await testPattern(TEST_PATTERN, { say: () => {} });
    await removeLeftVariants();
    const { resources, url } = await readManifest(pattern);
    for (const { url: of, body } of resources) {
      if (body === null) continue;
      const bytes = await readFile(path.join(pattern, body));
      const file = path.join(temporary, path.basename(new URL(of).pathname));
      await writeFile(file, of === url ? change(bytes.toString()) : bytes);
    }
    const manifest = path.join(temporary, path.basename(new URL(url).pathname));
    const site = await siteOfDash(manifest, 'made by a test');
    const name = `${PREFIX}${process.pid}`;
    const folder = siteFolder(name, videosFolder);
    try {
      await writeSite(folder, { ...site.manifest, site: name }, site.bodies);
      return await use(name);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/**
 * Chromium plays sound on for up to 3 s without a picture, so that with sound the playhead would
 * not stand when the picture has run out.
 */
export function withoutSound(manifest: string): string {
  return manifest.replace(/<AdaptationSet id="1" contentType="audio"[\s\S]*?<\/AdaptationSet>/, '');
}
