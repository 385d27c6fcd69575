import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { hasApt, installWithApt } from './apt.mjs';
import { SetupError } from './error.mjs';

// What makes the path between browser and servers, and the package of Debian and Ubuntu that brings it.
const PROGRAMS = {
  ip: 'iproute2',
  tc: 'iproute2',
  ss: 'iproute2',
  nsenter: 'util-linux',
  sysctl: 'procps',
};

/** The programs that make and read the network path. */
export const network = {
  name: 'network',
  title: 'looking for the network tools',
  isDone: () => missing().length === 0,
  run() {
    const packages = [...new Set(missing().map((name) => PROGRAMS[name]))];
    const trouble = hasApt ? installWithApt(packages) : 'apt can be used by root alone';
    if (missing().length > 0) {
      throw new SetupError(
        `Missing: ${missing().join(', ')}. On Debian and Ubuntu: apt-get install ${packages.join(' ')}\n${trouble ?? ''}`,
      );
    }
  },
};

function missing() {
  return Object.keys(PROGRAMS).filter((name) => !isInstalled(name));
}

function isInstalled(name) {
  // An ordinary user's PATH often leaves out the folders where Debian puts these.
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
