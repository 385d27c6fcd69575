import { cpSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../ground/system/folders.mjs';
import type { Step } from '../../../setup/step.mjs';
import { temporaryFolder } from '../../temporary-folder.ts';

const COPIED = [
  'package.json',
  'setup',
  'ground/system',
  'ground/browser-kind.ts',
  'clients/firefox/version.ts',
];

/** A folder that set-up accepts as the project: with its own steps, and nothing else in it. */
export function projectCopy(scope: { after(remove: () => void): void }) {
  const folder = temporaryFolder(scope);
  for (const copied of COPIED) {
    cpSync(path.join(projectFolder, copied), path.join(folder, copied), { recursive: true });
  }
  return {
    folder,
    async step(name: string): Promise<Step> {
      const module = await import(pathToFileURL(path.join(folder, 'setup', `${name}.ts`)).href);
      return module[name];
    },
  };
}
