import type { Presets } from '../ground/options/preset.ts';
import type { Given } from '../ground/options/row.ts';
import type { CommandLine } from './command-line/command-line.ts';

/** What a study brings to measuring. */
export interface MeasuredStudy {
  presets: Presets;
  series?: {
    /**
     * The series of runs that a command line asks for; null: it asks for something else.
     * @throws UsageError for options that the series does not have
     */
    askedBy(line: Pick<CommandLine, 'command' | 'given' | 'words'>): Promise<Series | null>;
  };
}

/** Runs that one command measures one after another, each in a folder below that of the series. */
export interface Series {
  /** Measures what is not measured yet; gives the exit status. */
  measure(actions: SeriesActions): Promise<number>;
}

/** What the command line does for a series. */
export interface SeriesActions {
  /** `npm run benchmark` with these options; gives its exit status. */
  measure(given: Given): Promise<number>;
  /** Writes the report of the series from those of its runs that are there. */
  report(folder: string): Promise<void>;
}
