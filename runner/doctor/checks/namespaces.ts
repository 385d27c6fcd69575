import { readFileSync } from 'node:fs';
import type { Check, Finding } from '../check.ts';
import { tryInNamespaces } from '../network-agent.ts';
import { programOutput } from '../program-output.ts';

// A user that owns nothing, on every Linux.
const NOBODY = 65534;

/** The rooms that browser and servers stand in. */
export const namespaces: Check = {
  name: 'namespaces',
  async run() {
    const tried = await tryInNamespaces(['client'], (agent) => agent.userNamespace);
    if ('refused' in tried) return { status: 'lack', ...tried.refused };
    if (tried.value) return judgeAsUser();
    return judgeAsRoot(await whyNotWithoutRoot());
  },
};

function judgeAsUser(): Finding {
  return { status: 'ok', found: 'without root, in a user namespace; Chromium keeps its sandbox' };
}

/** @param whyNot why ordinary users of this machine cannot; null: they can */
export function judgeAsRoot(whyNot: string | null): Finding {
  if (whyNot === null)
    return { status: 'ok', found: 'as root; ordinary users could make them too' };
  return { status: 'ok', found: `as root; ordinary users could not: ${whyNot}` };
}

/** Tries as an ordinary user what the path agent would do. */
async function whyNotWithoutRoot(): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const attempt = ['--user', '--map-current-user', '--net', 'true'];
  const tried = await programOutput('unshare', attempt, { uid: NOBODY });
  return tried.ok ? null : obstacle(tried.reason, readSetting);
}

/** The setting that forbids it, when one is known to; else what the system said. */
export function obstacle(reason: string, setting: (name: string) => string | null): string {
  if (setting('user/max_user_namespaces') === '0') return 'user.max_user_namespaces is 0';
  if (setting('kernel/unprivileged_userns_clone') === '0') {
    return 'kernel.unprivileged_userns_clone is 0';
  }
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return "Ubuntu's AppArmor forbids it (kernel.apparmor_restrict_unprivileged_userns is 1)";
  }
  return reason;
}

function readSetting(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}
