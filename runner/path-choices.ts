import type { PathOptions } from '../network/path.ts';
import { USUAL_CONGESTION_CONTROL } from '../records/congestion-control.ts';
import type { RunChoices } from '../records/run.ts';

/** What a run has chosen of its path. */
export function pathChoices(
  choices: Omit<RunChoices, 'pinned'>,
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
    mtuBytes: choices.mtuBytes,
    offloads: choices.offloads,
    receiveBufferBytes: choices.receiveBufferBytes,
    receiveWindowBytes: choices.transfers?.receiveWindowBytes ?? null,
  };
}
