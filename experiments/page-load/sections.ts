import type { Observation } from '../../ground/records/observation.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { RareSection, Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import type { PageLoad } from './details.ts';
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

export const largestPaint: RareSection<RunView> = {
  isShown: ({ observations }) =>
    (observations as readonly PageLoad[]).some(({ details }) => details?.largestPaint),
  load: async () => (await import('./sections/largest-paint.ts')).largestPaint,
};

/** Sections from files in the run's folder: the film strips of filmed loads. */
export async function sectionsOfFiles(
  folder: string,
  filmed: readonly Observation[],
): Promise<readonly Section<RunView>[]> {
  if (filmed.length === 0) return [];
  const { readMedianFilms } = await import('./films.ts');
  const { filmSection } = await import('./sections/film.ts');
  return [filmSection(filmed, await readMedianFilms(folder, filmed))];
}

/** Sections that only reports of page loads have, in order. */
export const sections: readonly RareSection<RunView>[] = [
  largestPaint,
  livePages,
  discovery,
  replay,
];
