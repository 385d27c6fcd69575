import { allExperiments } from '../../../experiments/index.ts';
import type { CheckGroup } from '../../../ground/host/check.ts';
import { udpBuffers } from '../../../ground/host/udp-buffers.ts';
import { cores, load, memory, pressure } from './machine.ts';
import { congestionControl, namespaces, netem, networkTools, priority, tun } from './network.ts';
import { chromium, clients, firefox, node, runtimes, setUp, tshark } from './programs.ts';

const ofExperiments = (
  await Promise.all(
    allExperiments().map(async ({ planning }) => (await planning?.programChecks?.()) ?? []),
  )
).flat();

/** Every check, in the order of the screen. The machine comes first, before other checks load it. */
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { title: 'Machine', checks: [cores, load, pressure, memory] },
  {
    title: 'Programs',
    checks: [node, ...runtimes, chromium, firefox, tshark, ...ofExperiments, ...clients, setUp],
  },
  {
    title: 'Network',
    checks: [networkTools, namespaces, netem, tun, priority, congestionControl, udpBuffers],
  },
];
