import { chmod, cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile, readManifest } from '../../../../cache/manifest.ts';
import { bun } from '../../../../ground/runtimes/bun.ts';
import { shellWord } from '../../../../ground/system/shell-word.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';

/**
 * Writes a server program by the contract of servers/README.md: the project's own Bun server with a delayed document. The delay
 * extends the page load by exactly its time, with any number of resources. It is in the manifest of a copy of the site.
 * @param folder new, readable by the program's user
 * @returns path of the program
 */
export async function writeDelayedServer(
  siteFolder: string,
  folder: string,
  delayMs: number,
): Promise<string> {
  const copy = path.join(folder, 'site');
  await cp(siteFolder, copy, { recursive: true });
  const manifest = await readManifest(copy);
  const resources = manifest.resources.map((resource) => {
    const waitMs = resource.url === manifest.url ? delayMs : 0;
    return { ...resource, waitMs };
  });
  await writeFile(manifestFile(copy), JSON.stringify({ ...manifest, resources }));
  const program = path.join(folder, 'server');
  const server = [bun.program, bunH2.program].map(shellWord).join(' ');
  // The last options override those of the run.
  const lines = [
    '#!/bin/sh',
    'shift 2',
    `exec ${server} "$@" --site ${shellWord(copy)} --think recorded`,
  ];
  await writeFile(program, `${lines.join('\n')}\n`);
  await chmod(program, 0o755);
  await chmod(folder, 0o755);
  return program;
}
