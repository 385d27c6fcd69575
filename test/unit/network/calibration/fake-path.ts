import path from 'node:path';
import type { PathAgent } from '../../../../network/agent.ts';
import type { Path } from '../../../../network/path.ts';

const FAKE = path.join(import.meta.dirname, 'fake-probe.mjs');

/**
 * A path whose namespaces contain the fake prober: in one mode after the other, one for each
 * measurement, and then in the last.
 */
export function fakePath(...modes: [string, ...string[]]): Path {
  const left = [...modes];
  let mode = modes[0];
  const enter = (namespace: string) => {
    if (namespace === 'client') mode = left.shift() ?? mode;
    return [process.execPath, FAKE, mode, namespace];
  };
  return {
    backend: 'userspace',
    mtuBytes: 1500,
    longestPacketBytes: 1500,
    isSeeded: true,
    agent: { enter, realtime: 'eevdf' } as unknown as PathAgent,
    apply: async () => {},
    count: () => Promise.reject(),
    samples: () => Promise.reject(),
    connections: () => Promise.reject(new Error('a fake path has no connections')),
    answeredRandoms: () => Promise.reject(new Error('a fake path has no connections')),
    writeCapture: () => Promise.reject(new Error('a fake path has no packets')),
    names: {
      serve: () => Promise.reject(new Error('a fake path has no names')),
      queries: () => Promise.reject(new Error('a fake path has no names')),
    },
    setTcp: () => Promise.reject(new Error('a fake path has no ends')),
    writeTcpInfo: () => Promise.reject(new Error('a fake path has no connections')),
  };
}
