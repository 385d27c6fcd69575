import { chmod, copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile, readManifest } from '../cache/manifest.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../ground/system/temporary-folder.ts';

/** Programs of the run can reach files, and other users cannot list them. */
const FOLDER_MODE = 0o711;

/**
 * A site for a server with `--think recorded`, whose responses all come later.
 * @param thinks whether the recorded think times apply too
 */
export async function makeDelayedSite(
  siteFolder: string,
  { delayMs, thinks }: { delayMs: number; thinks: boolean },
): Promise<TemporaryFolder> {
  const manifest = await readManifest(siteFolder);
  const later = <Response extends { waitMs?: number }>(response: Response): Response => ({
    ...response,
    waitMs: (thinks ? (response.waitMs ?? 0) : 0) + delayMs,
  });
  const resources = manifest.resources.map((each) => ({
    ...later(each),
    ...(each.bounces && { bounces: each.bounces.map(later) }),
  }));
  const made = await makeTemporaryFolder('site');
  try {
    await mkdir(path.join(made.folder, 'bodies'));
    for (const part of ['.', 'bodies']) await chmod(path.join(made.folder, part), FOLDER_MODE);
    for (const body of new Set(manifest.resources.flatMap((each) => each.body ?? []))) {
      const [from, to] = [path.join(siteFolder, body), path.join(made.folder, body)];
      // Another file system, or another user's file, cannot be linked.
      await link(from, to).catch(() => copyFile(from, to));
    }
    const file = manifestFile(made.folder);
    await writeFile(file, JSON.stringify({ ...manifest, resources }));
    // The umask may have removed permissions.
    await chmod(file, 0o644);
    return made;
  } catch (error) {
    await made.remove();
    throw error;
  }
}
