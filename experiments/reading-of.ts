import type { Experiment } from '../ground/experiment.ts';
import type { TableReader } from './reading.ts';

/** Loads the experiment's `read.ts`, which only the runner needs. */
export async function readingOf({ name }: Experiment): Promise<TableReader> {
  const { reading } = (await import(`./${name}/read.ts`)) as { reading: TableReader };
  return reading;
}
