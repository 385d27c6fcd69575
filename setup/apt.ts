import { existsSync, readFileSync } from 'node:fs';
import { run } from './command.mjs';

/** Whether packages can be installed here: a system with apt, and root. */
export const hasApt = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;

/** The system's ID in os-release, for example debian or ubuntu. */
export function systemId(): string {
  if (!existsSync('/etc/os-release')) return '';
  return /^ID="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
}

/** Installs packages through apt; gives what apt said when it could not, or null. */
export function installWithApt(packages: readonly string[]): string | null {
  console.error(`set-up: installing ${packages.join(', ')} through apt ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const updated = run('apt-get', ['update', '-qq'], { env });
  const installed = run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    { env },
  );
  return installed.ok ? null : `${updated.output}\n${installed.output}`;
}
