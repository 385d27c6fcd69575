import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { machineFile } from '../machine.ts';
import { projectFolder } from '../stacks.ts';

/** The remedy for whatever set-up brings. */
export const SET_UP = 'Run: npm run setup';

/** What set-up wrote about this machine; empty where it has not run. */
export function foundBySetUp(file = machineFile): { chromium?: string; python?: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** A program that came with the npm packages. */
export function packagedProgram(name: string): string {
  return path.join(projectFolder, 'node_modules', '.bin', name);
}

/** The project's Python, or else the system's: enough to find out what the network can do. */
export function anyPython(): string {
  const { python } = foundBySetUp();
  const own = path.join(projectFolder, '.venv', 'bin', 'python');
  return [python, own].find((file) => file !== undefined && existsSync(file)) ?? 'python3';
}
