import type { Presets } from '../ground/options/preset.ts';
import { losesPackets } from '../ground/records/dimensions.ts';
import type { RunRecord } from '../ground/records/run.ts';
import type { Section } from '../kit/page/section.ts';
import type { ReportView } from './sections/view.ts';
import type { Series } from './series.ts';

type StudySections = readonly Section<ReportView>[];

/** A comparison with a question of its own, for which the benchmark is the instrument. */
export interface Study {
  /** Its folder. */
  name: string;
  presets: Presets;
  /** Whether it has something to say of a run that none of its presets made, but whose path loses packets; absent: it has not. */
  concerns?(run: RunRecord): boolean;
  /** Loads its sections of a run's page: charts bring packages that nothing else needs. */
  sections(run: RunRecord, folder: string): Promise<StudySections>;
  /** The runs that one of its presets measures one after another. */
  series?: Series;
  /** Files of its folder that derive from kept results; `npm run docs` writes them. Absent: none. */
  documents?(): Promise<readonly StudyDocument[]>;
}

export interface StudyDocument {
  /** Below the folder of the study. */
  file: string;
  content: string;
}

export type LoadStudies = () => Promise<readonly Study[]>;

/** The sections of the studies that concern a run; each section decides by itself whether it is shown. Most runs concern none, and load none. */
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
