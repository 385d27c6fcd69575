import type { CommandRow } from '../ground/options/command.ts';
import type { LoadStudies } from '../report/study.ts';
import type { CommandLine } from '../runner/command-line/command-line.ts';

export interface Program {
  studies: LoadStudies;
}

/** A command that measures nothing. */
export interface Tool extends CommandRow {
  /** Runs the command and returns its exit status. */
  run(line: CommandLine, program: Program): Promise<number>;
}
