import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Trial } from '../../ground/records/run.ts';
import {
  type Attempt,
  type Bench,
  clientFrom,
  type Measurer,
  type ReadyServer,
  serverOf,
} from '../measuring.ts';
import { drawnKbps, type ExampleDetails, example } from './experiment.ts';

/** Means of the arms in ms: 80 for the first arm with a server, then 100, 120 ... */
const FIRST_MS = 80;
const STEP_MS = 20;
/** Half-width of the distribution, as a share of the mean. */
const SPREAD = 0.05;

export const measuring: Measurer = {
  open: ({ servers, blockOf }) =>
    clientFrom({ measure: async ({ trial }) => drawn(trial, servers, blockOf) }),
};

/** Measures a trial alone, or together with its block. */
function drawn(trial: Trial, servers: readonly ReadyServer[], blockOf: Bench['blockOf']): Attempt {
  const own = draw(trial, servers);
  if (!example.together) return own;
  const { startedAt } = own;
  const otherTrials = blockOf(trial).filter(({ id }) => id !== trial.id);
  return {
    ...own,
    otherArms: new Map(
      otherTrials.map((each) => [each.arm, { ...draw(each, servers), startedAt }]),
    ),
  };
}

/** The same trial draws the same number; an arm whose server has no hosts fails. */
function draw({ id, arm, networkSeed }: Trial, servers: readonly ReadyServer[]): Attempt {
  const server = serverOf(arm, servers);
  const seed = [...id].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) | 0, networkSeed);
  const drawn = uniformInt(xoroshiro128plus(seed), 0, 1_000_000) / 1_000_000;
  const meanMs = FIRST_MS + STEP_MS * servers.indexOf(server);
  const details: ExampleDetails = { drawn };
  const drawnMs = meanMs * (1 + SPREAD * (2 * drawn - 1));
  const isBroken = Object.keys(server.origins).length === 0;
  return {
    outcome: isBroken ? 'failed' : 'ok',
    code: isBroken ? 'timeout' : null,
    message: isBroken ? 'Nothing could be drawn.' : null,
    metrics: isBroken
      ? { drawnMs: null, drawnKbps: null }
      : { drawnMs, drawnKbps: drawnKbps(drawnMs) },
    client: null,
    path: { toServer: NOTHING, toClient: NOTHING, maxLatenessMs: null, linkCpuMs: null },
    connections: null,
    machine: null,
    files: {},
    stepsMs: {},
    startedAt: new Date(),
    details,
  };
}

const NOTHING = { packets: 0, bytes: 0, lost: 0, queueDrops: 0 };
