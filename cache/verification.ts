import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DamagedSiteError, readManifest } from './manifest.ts';

/**
 * All problems of a site on the disk, including the hashes of bodies; empty: no problem. Problems of the
 * manifest itself, missing bodies and bodies of another size are returned alone.
 */
export async function problemsOfSite(siteFolder: string): Promise<string[]> {
  let manifest: Awaited<ReturnType<typeof readManifest>>;
  try {
    manifest = await readManifest(siteFolder);
  } catch (error) {
    if (!(error instanceof DamagedSiteError)) throw error;
    return [error.message];
  }
  const problems: string[] = [];
  if (manifest.site !== path.basename(siteFolder)) {
    problems.push(`${siteFolder}: the manifest says that the site is called ${manifest.site}`);
  }
  const known = new Set<string>();
  for (const { body, sha256, url } of manifest.resources) {
    if (body === null) continue;
    known.add(path.basename(body));
    const file = path.join(siteFolder, body);
    const found = await sha256Of(file);
    if (found !== sha256) {
      problems.push(`${file} (body of ${url}) has SHA-256 ${found}, the manifest says ${sha256}`);
    }
  }
  for (const name of await readdir(path.join(siteFolder, 'bodies')).catch(() => [])) {
    if (!known.has(name))
      problems.push(`${path.join(siteFolder, 'bodies', name)} is not a body of any resource`);
  }
  return problems;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
