import { spawnSync } from 'node:child_process';
import { dropRights } from '../../ground/system/unprivileged-user.ts';

/**
 * Whether Chromium can make its sandbox. It refuses to as root; and when its rights are dropped, a program that would get some back for it
 * cannot, so that it needs user namespaces.
 * @param dropped the words before Chromium that drop its rights
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

/** What a user should know who loads a page of others; null: nothing. */
export function sandboxWarning(chromium: string): string | null {
  const dropped = dropRights(chromium);
  if (hasSandbox(dropped)) return null;
  return dropped.length === 0
    ? `Chromium runs as root and so without its sandbox: a hostile page could do to this machine what root can. ${REMEDY}`
    : `Chromium runs without its sandbox, because this kernel allows user namespaces to root alone: a hostile page could do what a user without rights can. ${REMEDY}`;
}

const REMEDY = 'Load only pages that you trust, or load them as an ordinary user.';

/** As Chromium does it: a user namespace with the others in it. */
const ATTEMPT = ['unshare', '--user', '--map-current-user', '--pid', '--net', '--fork', 'true'];

const tried = new Map<string, boolean>();
