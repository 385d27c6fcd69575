import type { NetworkCondition } from '../../runner/network/conditions.ts';
import type { Path } from '../../runner/network/path.ts';

/** An address of the machine's own loopback for each host: for tests of parts that need no path. */
export function loopbackAddresses(hosts: readonly string[]): Record<string, string> {
  return Object.fromEntries(hosts.map((host, index) => [host, `127.0.1.${index + 1}`]));
}

/** Stands in for a path where browser and servers are on the machine's own loopback. */
export const loopbackPath: Pick<Path, 'agent' | 'apply' | 'backend' | 'count'> = {
  backend: 'userspace',
  agent: { enter: () => [] as string[] } as unknown as Path['agent'],
  async apply(_condition: NetworkCondition) {},
  async count() {
    const none = { packets: 0, bytes: 0, lost: 0, queueDrops: 0 };
    return { toServer: none, toClient: none, maxLatenessMs: null, linkCpuMs: null };
  },
};
