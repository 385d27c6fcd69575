import type { Presets } from '../ground/options/preset.ts';
import { losesPackets } from '../ground/records/dimensions.ts';
import type { RunRecord } from '../ground/records/run.ts';
import type { Section } from '../kit/page/section.ts';
import type { ReportView } from './sections/view.ts';
import type { Series } from './series.ts';

type StudySections = readonly Section<ReportView>[];

/** A study: a question of its own, measured with this benchmark. */
export interface Study {
  /** Its folder. */
  name: string;
  presets: Presets;
  /** Whether it has sections for a run of another preset whose path loses packets. Default: no. */
  concerns?(run: RunRecord): boolean;
  /** Loads its sections of a run's page; charts need large packages. */
  sections(run: RunRecord, folder: string): Promise<StudySections>;
  /** Series of runs of one of its presets. */
  series?: Series;
  /** Files derived from kept results, which `npm run docs` writes. */
  documents?(): Promise<readonly StudyDocument[]>;
}

export interface StudyDocument {
  /** Relative to the folder of the study. */
  file: string;
  content: string;
}

export type LoadStudies = () => Promise<readonly Study[]>;

/** Sections of the studies that concern a run. Most runs concern no study, and load none. */
export async function sectionsOfStudies(
  studies: LoadStudies,
  run: RunRecord,
  folder: string,
): Promise<StudySections> {
  if (run.preset === null && !run.networks.some(losesPackets)) return [];
  const concerned = (await studies()).filter(
    ({ presets, concerns }) =>
      (run.preset !== null && Object.hasOwn(presets, run.preset)) || concerns?.(run),
  );
  return (await Promise.all(concerned.map((study) => study.sections(run, folder)))).flat();
}
