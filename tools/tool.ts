import type { CommandRow } from '../ground/options/command.ts';
import type { LoadStudies } from '../report/study.ts';
import type { CommandLine } from '../runner/command-line/command-line.ts';

export interface Program {
  studies: LoadStudies;
}

/** A command that measures nothing. */
export interface Tool extends CommandRow {
  /** Loads what it needs, carries the command out and gives its exit status. */
  run(line: CommandLine, program: Program): Promise<number>;
}
