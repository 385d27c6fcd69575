import os from 'node:os';
import { netemAvailable } from '../../../network/netem/backend.ts';
import type { Check, Finding } from '../check.ts';
import { tryInNamespaces, untold } from '../network-agent.ts';

/** The kernel's own emulation of networks. */
export const netem: Check = {
  name: 'netem',
  async run() {
    const tried = await tryInNamespaces(['client'], netemAvailable);
    return 'refused' in tried ? untold() : judgeNetem(tried.value === true, os.release());
  },
};

export function judgeNetem(available: boolean, kernel: string): Finding {
  if (available) return { status: 'ok', found: `in this kernel (${kernel}): used by default` };
  return {
    status: 'note',
    found: `not in this kernel (${kernel}): the user-space link is used, which is as exact where it has priority`,
    remedy:
      'Nothing has to be done. To use netem: as root, modprobe sch_netem (on Ubuntu after apt-get install linux-modules-extra-$(uname -r))',
  };
}
