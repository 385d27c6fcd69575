import { blockKey, cellKey, subjectConditionKey } from '../../ground/records/cell.ts';
import { countedAttempt, countedLoads } from '../../ground/records/counted-loads.ts';
import { variantOf } from '../../ground/records/factors.ts';
import { isOwnNetwork } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord, Trial } from '../../ground/records/run.ts';
import { type Machine, machineOfLoad, sittingOfLoad } from './machines.ts';

/** One planned block: every stack once, over the same network, one after the other. */
export interface Block {
  subject: string;
  network: string;
  variant: string;
  block: number;
  /** Its loads, of any outcome. */
  made: readonly Observation[];
  /** Ok load of each stack, all of the counted attempt. Loads of two attempts, or machines, are never combined. */
  loads: ReadonlyMap<string, Observation>;
  /** Loads that failed by their own server or page: values slower than any other, not gaps. */
  failed: ReadonlyMap<string, Observation>;
  /** Whether every load planned in the block is ok. */
  whole: boolean;
  /** Machine of these loads; null: no loads, or not known. */
  machine: string | null;
  /** Part of the plan, measured apart from the rest; empty: the run was not made in parts. */
  sitting: string;
  /** Whether loads would count, but were made on several machines: they are never compared. */
  onSeveralMachines: boolean;
  /** Whether one of these loads was made while the machine was not quiet. */
  disturbed: boolean;
}

/** Machines of a run that are known when its blocks are formed. */
type KnownMachines = readonly Pick<Machine, 'machine' | 'invocations' | 'sittings'>[];

/**
 * The blocks of a run by site and condition (`subjectConditionKey`), in the order of the plan. A load counts when it is in
 * the `loads` or the `failed` of its block, and in no other case.
 */
export function blocksOf(
  { trials }: Pick<RunRecord, 'trials'>,
  observations: readonly Observation[],
  machines: KnownMachines = [],
): Map<string, Block[]> {
  const machineOf = machineOfLoad(machines);
  const sittingOf = sittingOfLoad(machines);
  const madeOf = byBlock(observations);
  const planned = byBlock(trials);
  const isOffered = offeredBy(observations);
  const blocks = [...planned].flatMap(([key, trialsOfBlock]) => {
    const [first] = trialsOfBlock;
    if (!first) return [];
    const made = madeOf.get(key) ?? [];
    const arms = trialsOfBlock.map(({ arm }) => arm);
    const {
      ok: loads,
      failed,
      onSeveralMachines,
    } = countedLoads(arms, made.filter(isOffered), machineOf);
    const [one] = [...loads.values(), ...failed.values()];
    const { subject, network, factors, block } = first;
    return [
      {
        subject,
        network: network.name,
        variant: variantOf(factors),
        block,
        made,
        loads,
        failed,
        whole: arms.every((arm) => loads.has(arm)),
        machine: one ? machineOf(one) : null,
        sitting: one ? sittingOf(one) : '',
        onSeveralMachines,
        disturbed: [...loads.values(), ...failed.values()].some((load) => load.disturbed !== null),
      },
    ];
  });
  return Map.groupBy(blocks, ({ subject, network, variant }) =>
    subjectConditionKey({ subject, network: { name: network }, variant }),
  );
}

/**
 * Whether the other side offers what an attempt needs. An existing host may not: if no attempt of a cell ended, none
 * measures the host.
 */
function offeredBy(observations: readonly Observation[]): (attempt: Observation) => boolean {
  const isOfBench = ({ network }: Observation) => isOwnNetwork(network);
  const ok = new Set(
    observations.flatMap((each) =>
      each.outcome === 'ok' && !isOfBench(each) ? [cellKey(each)] : [],
    ),
  );
  return (attempt) => isOfBench(attempt) || ok.has(cellKey(attempt));
}

/** Trials or loads by their blocks, without warm-ups. */
function byBlock<Each extends Trial | Observation>(all: readonly Each[]): Map<string, Each[]> {
  return Map.groupBy(
    all.filter(({ warmup }) => !warmup),
    blockKey,
  );
}

export function countedIn(blocks: readonly Block[]): Observation[] {
  return blocks.flatMap(({ loads }) => [...loads.values()]);
}

export function countedLoadIds(
  run: Pick<RunRecord, 'trials'>,
  observations: readonly Observation[],
  machines: KnownMachines = [],
): Set<string> {
  const blocks = [...blocksOf(run, observations, machines).values()].flat();
  return new Set(countedIn(blocks).map(({ id }) => id));
}

/** The loads of a run, without those of repeated attempts. */
interface SplitAttempts {
  /** One attempt at each block, and all warm-ups: the basis of all numbers. */
  counted: readonly Observation[];
  /** Further attempts at the same blocks. */
  superseded: readonly Observation[];
}

/** Chooses one attempt at each block: a block that was begun on one worker and again on another one counts once. */
export function splitAttempts(
  { trials }: Pick<RunRecord, 'trials'>,
  observations: readonly Observation[],
): SplitAttempts {
  const repeatedBlocks = new Set(
    observations.filter(({ attempt, warmup }) => attempt > 1 && !warmup).map(blockKey),
  );
  if (repeatedBlocks.size === 0) return { counted: observations, superseded: [] };
  const isAgain = (load: Observation) => !load.warmup && repeatedBlocks.has(blockKey(load));
  const planned = byBlock(trials);
  const counted = new Set(
    [...Map.groupBy(observations.filter(isAgain), blockKey)].flatMap(([key, made]) => {
      const arms = (planned.get(key) ?? []).map(({ arm }) => arm);
      return countedAttempt(arms, made);
    }),
  );
  const isSuperseded = (load: Observation) => isAgain(load) && !counted.has(load);
  return {
    counted: observations.filter((load) => !isSuperseded(load)),
    superseded: observations.filter(isSuperseded),
  };
}
