import type { PathAgent } from '../../../network/agent.ts';
import type { Check, Finding } from '../check.ts';
import { tryInNamespaces, untold } from '../network-agent.ts';

/** Whether the user-space link gets the processor in time. */
export const priority: Check = {
  name: 'real-time priority',
  async run() {
    const tried = await tryInNamespaces(['client'], (agent) => agent.realtime);
    return 'refused' in tried ? untold() : judgePriority(tried.value);
  },
};

export function judgePriority(realtime: PathAgent['realtime']): Finding {
  switch (realtime) {
    case 'fifo':
      return { status: 'ok', found: 'SCHED_FIFO: the user-space link is exact on a busy machine' };
    case 'eevdf':
      return {
        status: 'note',
        found: 'short time slices: single packets of the user-space link may be some ms late',
        remedy:
          'Run as root, or allow real-time priority to this user (rtprio in /etc/security/limits.conf)',
      };
    case 'none':
      return {
        status: 'note',
        found: 'none: packets of the user-space link may be tens of ms late on a busy machine',
        remedy: 'Run as root, use netem, or a kernel from 6.12 on; keep the machine quiet',
      };
  }
}
