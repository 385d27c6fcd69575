import path from 'node:path';
import { hasApt, installWithApt } from './apt.ts';
import { isProgram } from './command.mjs';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';

/** A system program, and its package on Debian and Ubuntu. */
export interface SystemProgram {
  program: string;
  from: string;
}

/** Installs system programs through apt, or reports how to. */
export function systemPrograms(title: string, programs: readonly SystemProgram[]): Step {
  const missing = () => programs.filter(({ program }) => !isInstalled(program));
  return {
    title,
    isDone: () => missing().length === 0,
    async run() {
      const packages = [...new Set(missing().map(({ from }) => from))];
      const trouble = hasApt ? await installWithApt(packages) : 'apt can be used by root alone';
      const still = missing().map(({ program }) => program);
      if (still.length > 0) {
        throw new SetupError(
          `Missing: ${still.join(', ')}. On Debian and Ubuntu: apt-get install ${packages.join(' ')}\n${trouble ?? ''}`,
        );
      }
    },
  };
}

/** Whether a program of the system is there. */
export function isInstalled(name: string): boolean {
  // An ordinary user's PATH often lacks these folders of Debian.
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders.some((folder) => isProgram(path.join(folder, name)));
}
