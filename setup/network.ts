import path from 'node:path';
import { NETWORK_PROGRAMS } from '../runner/network-programs.ts';
import { hasApt, installWithApt } from './apt.ts';
import { isProgram } from './command.mjs';
import { SetupError, type Step } from './step.mjs';

/** The programs that make and read the network path. */
export const network: Step = {
  title: 'looking for the network tools',
  isDone: () => missing().length === 0,
  run() {
    const packages = [...new Set(missing().map(({ from }) => from))];
    const trouble = hasApt ? installWithApt(packages) : 'apt can be used by root alone';
    const still = missing().map(({ program }) => program);
    if (still.length > 0) {
      throw new SetupError(
        `Missing: ${still.join(', ')}. On Debian and Ubuntu: apt-get install ${packages.join(' ')}\n${trouble ?? ''}`,
      );
    }
  },
};

function missing() {
  return NETWORK_PROGRAMS.filter(({ program }) => !isInstalled(program));
}

/** Whether a program of the system is there. */
export function isInstalled(name: string): boolean {
  // An ordinary user's PATH often leaves out the folders where Debian puts these.
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders.some((folder) => isProgram(path.join(folder, name)));
}
