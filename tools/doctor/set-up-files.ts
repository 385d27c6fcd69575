import { existsSync } from 'node:fs';
import path from 'node:path';
import { python } from '../../ground/runtimes/python.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';

/** The remedy for everything that set-up installs. */
export const SET_UP = 'Run: npm run setup';

/** A program that came with the npm packages. */
export function packagedProgram(name: string): string {
  return path.join(projectFolder, 'node_modules', '.bin', name);
}

/** The project's Python, or else the system's: enough to find out what the network can do. */
export function anyPython(): string {
  const { program } = python;
  return existsSync(program) ? program : 'python3';
}
