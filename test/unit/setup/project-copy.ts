import { cpSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../runner/stacks.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** A step of set-up. */
export interface Step {
  isDone(): boolean | Promise<boolean>;
  run(): void | Promise<void>;
}

/** A folder that set-up takes for the project: with its own steps, and nothing else in it. */
export function projectCopy(scope: { after(remove: () => void): void }) {
  const folder = temporaryFolder(scope);
  cpSync(path.join(projectFolder, 'setup'), path.join(folder, 'setup'), { recursive: true });
  return {
    folder,
    async step(name: string): Promise<Step> {
      const module = await import(pathToFileURL(path.join(folder, 'setup', `${name}.mjs`)).href);
      return module[name];
    },
  };
}
