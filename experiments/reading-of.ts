import type { Experiment } from '../ground/experiment.ts';
import type { TableReader } from './reading.ts';

/** How tables become attempts of an experiment that reads some; like measuring, loaded by the runner alone. */
export async function readingOf({ name }: Experiment): Promise<TableReader> {
  const { reading } = (await import(`./${name}/read.ts`)) as { reading: TableReader };
  return reading;
}
