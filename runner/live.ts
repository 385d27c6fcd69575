import { LIVE_PATH } from '../network/live-path.ts';
import type { EndManifest } from '../records/fairness.ts';
import { END_PROPERTIES } from '../records/fairness.ts';
import type { Surroundings } from './surroundings.ts';

const NOT_READ = { value: null, from: "not read: hosts are asked over the machine's own network" };

const UNREAD_END = Object.fromEntries(
  END_PROPERTIES.map((name) => [name, NOT_READ]),
) as unknown as EndManifest;

/** Hosts that are there already, over the machine's own network: nothing is made, started or measured. */
export const LIVE_SURROUNDINGS: Surroundings = {
  withPath: (_, use) => use(LIVE_PATH),
  readEnds: async () => ({
    readAt: new Date().toISOString(),
    client: UNREAD_END,
    server: UNREAD_END,
    stacks: {},
    readings: {},
    pairs: [],
  }),
  calibrate: async () => ({ udpRttMs: null, late: null }),
  withServers: async (_, { stacks }, use) =>
    use(
      stacks.map((stack) => ({
        stack,
        origins: {},
        details: {},
        // None of this machine's.
        pid: -1,
        spkiPins: [],
        follow: () => () => {},
        assertAlive: () => {},
      })),
      new Map(),
    ),
};
