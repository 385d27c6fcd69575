import { USUAL_CONGESTION_CONTROL } from '../ground/records/congestion-control.ts';
import type { AskedNetwork } from '../ground/records/network.ts';
import type { RunChoices } from '../ground/records/run.ts';
import type { PathOptions } from '../network/path.ts';

/** What a run has chosen of its path, for all of its conditions. */
export function pathChoices(
  choices: Omit<RunChoices, 'pinned'>,
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
    receiveWindowBytes: choices.transfers?.receiveWindowBytes ?? null,
  };
}
