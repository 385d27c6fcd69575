import { spawnSync } from 'node:child_process';
import { dropRights } from '../../ground/system/unprivileged-user.ts';

/**
 * Whether Chromium can create its sandbox. Chromium refuses as root; with dropped privileges it cannot use a setuid helper, so it
 * needs user namespaces.
 * @param dropped command prefix that drops privileges
 */
export function hasSandbox(dropped: readonly string[]): boolean {
  if (process.getuid?.() !== 0) return true;
  const [program = '', ...args] = dropped;
  if (dropped.length === 0) return false;
  const key = dropped.join(' ');
  const has = tried.get(key) ?? spawnSync(program, [...args, ...ATTEMPT]).status === 0;
  tried.set(key, has);
  return has;
}

/** Warning for a user who loads third-party pages; null: none. */
export function sandboxWarning(chromium: string): string | null {
  const dropped = dropRights(chromium);
  if (hasSandbox(dropped)) return null;
  return dropped.length === 0
    ? `Chromium runs as root and so without its sandbox: a hostile page could gain root on this machine. ${REMEDY}`
    : `Chromium runs without its sandbox, because this kernel allows only root to create user namespaces: a hostile page could gain an unprivileged user's rights. ${REMEDY}`;
}

const REMEDY = 'Load only pages that you trust, or load them as an ordinary user.';

/** Creates the namespaces that Chromium's sandbox uses. */
const ATTEMPT = ['unshare', '--user', '--map-current-user', '--pid', '--net', '--fork', 'true'];

const tried = new Map<string, boolean>();
