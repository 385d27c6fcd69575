import { NO_PACKETS } from '../../../experiments/packets.ts';
import { makeAttempt, type Steps } from '../../../experiments/trial.ts';
import type { MachineUse } from '../../../ground/records/machine-use.ts';
import type { NetworkCondition, PathCounts } from '../../../ground/records/network.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';

const NONE_LOST = { packets: 9, bytes: 999, lost: 0, queueDrops: 0 };

/** Counts of a path with this fate of the packets towards the client. */
export function pathWith(toClient: Partial<PathCounts['toClient']> = {}): PathCounts {
  const counts = { ...NONE_LOST, ...toClient };
  return { toServer: NONE_LOST, toClient: counts, maxLatenessMs: null, linkCpuMs: null };
}

export function trialOf(arm: string, network: NetworkCondition = NOTHING_ADDED): Trial {
  return {
    id: `site.${arm}.1`,
    subject: 'site',
    arm,
    network: { ...network, name: 'planned' },
    networkSeed: 1,
    repetition: 1,
    block: 1,
    warmup: false,
    factors: {},
  };
}

/** Environment of an attempt, and its path's counts. */
interface TrialSteps {
  act?: () => Promise<void> | void;
  path?: PathCounts;
}

/** The steps of an attempt in which only this happens. */
export function stepsWith({
  act,
  path = pathWith(),
}: TrialSteps): Steps<
  { end(): MachineUse },
  object,
  { path: PathCounts; connections: null; stepsMs: Record<string, number> }
> {
  return {
    watch: () => ({ end: () => ({}) as MachineUse }),
    async act() {
      await act?.();
      return {};
    },
    count: async () => ({ path, connections: null, stepsMs: { act: 1 } }),
  };
}

type TrialParts = Parameters<typeof makeAttempt>[2];

/** One attempt of an experiment that is made up for the frame alone. */
export function runTrial(
  network: NetworkCondition,
  { act, path, ...making }: TrialSteps & Partial<Omit<TrialParts, 'nothing'>> = {},
  planned = trialOf('a', network),
  signal?: AbortSignal,
) {
  return makeAttempt(
    planned,
    { signal },
    {
      begin: async () => stepsWith({ act, path }),
      write: async () => NO_PACKETS,
      checks: () => [],
      result: () => ({ metrics: {}, details: { any: true } }),
      ...making,
    },
  );
}
