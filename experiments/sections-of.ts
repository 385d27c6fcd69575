import type { Experiment } from '../ground/experiment.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { RareSection, Section } from '../kit/page/section.ts';
import type { RunView } from './run-view.ts';

type OwnSection = Section<RunView> | RareSection<RunView>;

/**
 * Loads an experiment's own sections of a report from its `sections.ts`. Only reports load it, because charts need packages
 * that no other command needs.
 * @param folder the run's folder, from which `sectionsOfFiles` reads
 * @param filmed the run's filmed attempts
 */
export async function sectionsOf(
  { name, hasSections = false }: Pick<Experiment, 'name' | 'hasSections'>,
  folder = '',
  filmed: readonly Observation[] = [],
): Promise<readonly OwnSection[]> {
  if (!hasSections) return [];
  const { sections, sectionsOfFiles } = (await import(`./${name}/sections.ts`)) as {
    sections: readonly OwnSection[];
    sectionsOfFiles?(
      folder: string,
      filmed: readonly Observation[],
    ): Promise<readonly OwnSection[]>;
  };
  return [...((await sectionsOfFiles?.(folder, filmed)) ?? []), ...sections];
}
