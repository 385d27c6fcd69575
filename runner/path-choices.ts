import type { Slice } from '../experiments/planning.ts';
import { USUAL_CONGESTION_CONTROL } from '../ground/records/congestion-control.ts';
import type { AskedNetwork } from '../ground/records/network.ts';
import type { UnpinnedChoices } from '../ground/records/run.ts';
import type { PathOptions } from '../network/path.ts';

/** What a run has chosen of its path, for all of its conditions. */
export function pathChoices(
  { planning }: Pick<Slice, 'planning'>,
  choices: UnpinnedChoices,
  networks: readonly AskedNetwork[],
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
    congestionControl: choices.congestionControl ?? USUAL_CONGESTION_CONTROL,
    initcwnd: choices.initialWindowSegments,
    mtuBytes: Math.max(choices.mtuBytes, ...networks.flatMap(({ mtuBytes }) => mtuBytes ?? [])),
    offloads: choices.offloads,
    // Conditions that have their own change what the kernel begins with.
    receiveBufferBytes: networks.some(({ receiveBuffer }) => receiveBuffer !== undefined)
      ? null
      : choices.receiveBufferBytes,
    receiveWindowBytes: planning?.receiveWindowBytes?.(choices) ?? null,
  };
}
