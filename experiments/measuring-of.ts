import type { Experiment } from '../ground/experiment.ts';
import type { Measurer } from './measuring.ts';

/**
 * How an experiment measures: what the file `measure.ts` of its folder exports. Loaded where something is measured, and nowhere else.
 * @throws Error when the file is not there, or does not export what it has to
 */
export async function measuringOf({ name }: Experiment): Promise<Measurer> {
  const { measuring } = (await import(`./${name}/measure.ts`)) as { measuring?: Measurer };
  if (typeof measuring?.open === 'function') return measuring;
  throw new Error(
    `experiments/${name}/measure.ts does not export \`measuring\` with a function \`open\`.`,
  );
}
