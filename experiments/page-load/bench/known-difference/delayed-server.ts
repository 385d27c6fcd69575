import { chmod, cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile, readManifest } from '../../../../cache/manifest.ts';
import { bun } from '../../../../ground/runtimes/bun.ts';
import { shellWord } from '../../../../ground/system/shell-word.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';

/**
 * Writes a server program that keeps the contract of servers/README.md: the project's own Bun server, whose document waits. The page
 * then takes exactly that much longer, however many resources come after the document. The site is copied, with that wait in its manifest.
 * @param folder new; the program's user has to be able to read it
 * @returns the program
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
  // What the run says of site and waits comes first, so that the last word is this one.
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
