import { offersBoth } from '../../ground/records/protocol.ts';
import type { RareSection } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { livePagesOf } from './options.ts';
import { unrecordedLoads } from './unrecorded.ts';

export const livePages: RareSection<RunView> = {
  isShown: ({ run }) => livePagesOf(run) !== null,
  load: async () => (await import('./sections/live.ts')).livePages,
};
export const discovery: RareSection<RunView> = {
  isShown: ({ run }) => run.arms.some(({ protocol }) => offersBoth(protocol)),
  load: async () => (await import('./sections/discovery.ts')).discovery,
};
export const replay: RareSection<RunView> = {
  isShown: ({ conditions, run }) =>
    conditions.some(({ loads }) => unrecordedLoads(loads, run).length > 0),
  load: async () => (await import('./sections/replay.ts')).replay,
};

/** What only the report of page loads has, in its order. */
export const sections: readonly RareSection<RunView>[] = [livePages, discovery, replay];
