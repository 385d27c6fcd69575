import type { Slice } from '../experiments/planning.ts';
import { DEFAULT_CONGESTION_CONTROL } from '../ground/records/congestion-control.ts';
import { isLiveRun, type NetworkCondition } from '../ground/records/network.ts';
import { isOverTcp } from '../ground/records/protocol.ts';
import type { PlanRecord, UnpinnedChoices } from '../ground/records/run.ts';
import { assertInKernel } from '../network/kernel-congestion-control.ts';
import type { PathOptions } from '../network/path.ts';

/** A run's choices of its path, for all conditions. */
export function pathChoices(
  { planning }: Pick<Slice, 'planning'>,
  choices: UnpinnedChoices,
  networks: readonly NetworkCondition[],
): Pick<
  PathOptions,
  | 'congestionControl'
  | 'initcwnd'
  | 'mtuBytes'
  | 'offloads'
  | 'receiveBufferBytes'
  | 'receiveWindowBytes'
> {
  return {
    congestionControl: choices.congestionControl ?? DEFAULT_CONGESTION_CONTROL,
    initcwnd: choices.initialWindowSegments,
    mtuBytes: Math.max(choices.mtuBytes, ...networks.flatMap(({ mtuBytes }) => mtuBytes ?? [])),
    offloads: choices.offloads,
    // Conditions with their own buffer replace the kernel's default.
    receiveBufferBytes: networks.some(({ receiveBuffer }) => receiveBuffer !== undefined)
      ? null
      : choices.receiveBufferBytes,
    receiveWindowBytes: planning?.receiveWindowBytes?.(choices) ?? null,
  };
}

/** @throws UsageError when this kernel's TCP does not support the plan */
export function assertMakesPath(record: PlanRecord): void {
  if (isLiveRun(record)) return;
  const { choices, arms } = record;
  const ofArms = arms.flatMap(({ protocol, settings, under = {} }) =>
    isOverTcp(protocol)
      ? [settings, ...Object.values(under)].flatMap((each) => each?.congestionControl ?? [])
      : [],
  );
  // The path begins with the common setting, even when each arm has its own.
  const ofAll = choices.congestionControl ?? DEFAULT_CONGESTION_CONTROL;
  for (const each of new Set([ofAll, ...ofArms])) assertInKernel(each);
}
