import { losesPackets } from '../ground/records/dimensions.ts';
import type { RunRecord } from '../ground/records/run.ts';
import type { Section } from '../kit/page/section.ts';
import type { ReportView } from './sections/view.ts';

/** Sections of a run's page that studies bring. */
type StudySections = readonly Section<ReportView>[];

/** What a study brings to reports. */
export interface ReportedStudy {
  /** The runs that measure it. */
  presets: Readonly<Record<string, unknown>>;
  /** Whether it has something to say of a run that none of its presets made, but whose path loses packets; absent: it has not. */
  concerns?(run: RunRecord): boolean;
  /** Loads its sections of a run's page: charts bring packages that nothing else needs. */
  sections(): Promise<StudySections>;
  series?: ReportedSeries;
}

/** What a study that measures series of runs brings to their reports. */
export interface ReportedSeries {
  /** Whether a folder holds a series of runs of this study. */
  isIn(folder: string): boolean;
  /**
   * Writes the report of a series from those of its runs that are there.
   * @throws DamagedRunError when the folder holds no series, or runs that are damaged or no part of it
   */
  report(folder: string): Promise<SeriesReport>;
}

/** A report of a series that was written. */
export interface SeriesReport {
  /** What a terminal of so many columns shows of it; undefined: no sentence is broken. Ends with a line feed. */
  text(columns?: number): string;
  /** A line that names the page's file. */
  place: string;
}

/** Loads the studies. */
export type LoadStudies<Study = ReportedStudy> = () => Promise<readonly Study[]>;

/** The sections of the studies that concern a run; each section decides by itself whether it is shown. Most runs concern none, and load none. */
export async function sectionsOfStudies(
  studies: LoadStudies,
  run: RunRecord,
): Promise<StudySections> {
  if (run.preset === null && !run.networks.some(losesPackets)) return [];
  const concerned = (await studies()).filter(
    ({ presets, concerns }) =>
      (run.preset !== null && Object.hasOwn(presets, run.preset)) || concerns?.(run),
  );
  return (await Promise.all(concerned.map((study) => study.sections()))).flat();
}
