import { existsSync, readFileSync } from 'node:fs';
import { complain } from '../ground/system/printed.mjs';
import { run } from './command.mjs';

/** Whether packages can be installed here: a system with apt, and root. */
export const hasApt = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;

/** The system's ID in os-release, for example debian or ubuntu. */
export function systemId(): string {
  if (!existsSync('/etc/os-release')) return '';
  return /^ID="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
}

/** Installs packages through apt; returns apt's message if it failed, else null. */
export async function installWithApt(packages: readonly string[]): Promise<string | null> {
  complain(`set-up: installing ${packages.join(', ')} through apt ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const updated = await run('apt-get', ['update', '-qq'], { env });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  let installed = await run('apt-get', [...LOCK_TIMEOUT, ...install], { env });
  if (installed.output.includes('dpkg --configure -a')) {
    // An installation was killed; apt refuses everything until that is done.
    await run('dpkg', ['--configure', '-a'], { env });
    installed = await run('apt-get', [...LOCK_TIMEOUT, ...install], { env });
  }
  return installed.ok ? null : `${updated.output}\n${installed.output}`;
}

/** Time to wait for another installation on this machine, in seconds. */
const LOCK_TIMEOUT = ['-o', 'DPkg::Lock::Timeout=300'];
