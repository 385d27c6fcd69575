import type { Experiment } from '../ground/experiment.ts';
import type { RareSection, Section } from '../kit/page/section.ts';
import type { RunView } from './run-view.ts';

type OwnSection = Section<RunView> | RareSection<RunView>;

/**
 * Loads an experiment's own sections of a report from its `sections.ts`. Only reports load it, because charts need packages
 * that no other command needs.
 */
export async function sectionsOf({
  name,
  hasSections = false,
}: Pick<Experiment, 'name' | 'hasSections'>): Promise<readonly OwnSection[]> {
  if (!hasSections) return [];
  const { sections } = (await import(`./${name}/sections.ts`)) as { sections: OwnSection[] };
  return sections;
}
