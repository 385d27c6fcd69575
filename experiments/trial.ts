import { startHeartbeat, type TimeKept } from '../ground/host/heartbeat.ts';
import type { ConnectionsSeen } from '../ground/records/connection.ts';
import type { LinkSample } from '../ground/records/link-sample.ts';
import type { MachineUse } from '../ground/records/machine-use.ts';
import type { PathCounts } from '../ground/records/network.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import { NetworkError } from '../ground/system/errors.ts';
import { monotonicMs } from '../ground/system/node-clock.ts';
import type { LoadBeginning } from '../network/agent.ts';
import type { Problem } from './checks.ts';
import type { Bench } from './measuring.ts';
import { capturesPackets } from './packets.ts';

/*
 * The steps that every attempt has, in their order: applyPath(), observe(), counted(), writePackets(), and the experiment's own checks
 * with the common ones, by judgedBy().
 */

/** Makes the path behave as a trial's condition asks, and counts from zero. */
export function applyPath(
  trial: Trial,
  { path, choices }: { path: Pick<Bench['path'], 'apply'>; choices: RunChoices },
  options: Partial<LoadBeginning> = {},
): Promise<void> {
  const captures = capturesPackets(choices, trial);
  return path.apply({ ...trial.network, seed: trial.networkSeed }, { captures, ...options });
}

/** What an attempt did, and what the machine did meanwhile. */
export interface Observed<Acted, Machine> {
  acted: Acted;
  machine: Machine;
  time: TimeKept;
  /** When it ended, by the machine's monotonic clock. */
  endedMs: number;
}

/** Watches machine and clocks while an attempt acts. */
export async function observe<Acted, Watch extends { end(): unknown }>(
  watch: () => Watch,
  act: (watch: Watch) => Promise<Acted>,
): Promise<Observed<Acted, ReturnType<Watch['end']>>> {
  const watching = watch();
  const heartbeat = startHeartbeat();
  let acted: Acted;
  let time: TimeKept;
  try {
    acted = await act(watching);
  } finally {
    time = heartbeat.end();
  }
  const endedMs = monotonicMs();
  return { acted, time, endedMs, machine: watching.end() as ReturnType<Watch['end']> };
}

/** What an attempt brought onto its path. */
export interface Counted {
  path: PathCounts;
  /** null: not sampled, or the backend has no samples. */
  link: readonly LinkSample[] | null;
  connections: ConnectionsSeen;
}

/** Of the live web, whose paths are not observed. */
export const NOT_COUNTED = { path: null, link: null, connections: null };

/** Counts what went over the path since it was applied. */
export async function counted(
  path: Pick<Bench['path'], 'count' | 'connections'>,
  {
    samples,
    keyLog,
  }: {
    samples?: () => Promise<Counted['link']>;
    /** With it, whether early data was accepted can be read. */
    keyLog?: () => string | undefined | Promise<string | undefined>;
  } = {},
): Promise<Counted> {
  return {
    path: await path.count(),
    link: (await samples?.()) ?? null,
    connections: await path.connections(await keyLog?.()),
  };
}

type Seen = Omit<Observed<unknown, MachineUse>, 'acted'> & Counted;

/** What was seen of an attempt that may have ended before it was observed and counted. */
export type Evidence = { [Part in keyof Seen]: Seen[Part] | null };

/** Of an attempt that never acted. */
export const NOT_OBSERVED = {
  machine: null,
  time: null,
  endedMs: null,
  ...NOT_COUNTED,
} satisfies Evidence;

/** Why an attempt broke: the path, or else the program that makes it. Only an interruption is thrown. */
export function clientFailure(error: Error, { signal }: Pick<Bench, 'signal'>): Problem {
  signal?.throwIfAborted();
  const code = error instanceof NetworkError ? 'network-failed' : 'client-failed';
  return { code, message: error.message };
}
