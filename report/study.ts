import type { Section } from './page/section.ts';
import type { ReportView } from './sections/view.ts';

/** Sections of a run's page that studies bring. */
export type StudySections = readonly Section<ReportView>[];

/** What a study brings to reports. */
export interface ReportedStudy {
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

/** The sections of all studies; each tells by itself of which runs it is. */
export async function sectionsOfStudies(
  studies: readonly Pick<ReportedStudy, 'sections'>[],
): Promise<StudySections> {
  return (await Promise.all(studies.map((study) => study.sections()))).flat();
}
