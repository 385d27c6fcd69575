import type { CheckGroup } from '../check.ts';
import { bun } from './bun.ts';
import { chromium } from './chromium.ts';
import { cores } from './cores.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { namespaces } from './namespaces.ts';
import { netem } from './netem.ts';
import { networkTools } from './network-tools.ts';
import { node } from './node.ts';
import { pressure } from './pressure.ts';
import { priority } from './priority.ts';
import { python } from './python.ts';
import { setUp } from './set-up.ts';
import { tun } from './tun.ts';
import { udpBuffers } from './udp-buffers.ts';

/** Every check, in the order of the screen. The machine comes first, before the others keep it busy. */
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { title: 'Machine', checks: [cores, load, pressure, memory] },
  { title: 'Programs', checks: [node, bun, python, chromium, setUp] },
  {
    title: 'Network',
    checks: [networkTools, namespaces, netem, tun, priority, udpBuffers],
  },
];
