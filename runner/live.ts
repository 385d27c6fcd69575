import { LIVE_PATH } from '../network/live-path.ts';
import { endsNotRead } from '../records/unread-ends.ts';
import type { Surroundings } from './surroundings.ts';

/** Hosts that are there already, over the machine's own network: nothing is made, started or measured. */
export const LIVE_SURROUNDINGS: Surroundings = {
  withPath: (_, use) => use(LIVE_PATH),
  readEnds: async () =>
    endsNotRead(
      "not read: hosts are asked over the machine's own network",
      new Date().toISOString(),
    ),
  calibrate: async () => ({ udpRttMs: null, late: null }),
  withServers: async (_, { stacks }, use) =>
    use(
      stacks.map((stack) => ({
        stack,
        origins: {},
        details: {},
        pid: null,
        spkiPins: [],
        follow: () => () => {},
        assertAlive: () => {},
      })),
      new Map(),
    ),
};
