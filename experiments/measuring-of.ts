import type { Experiment } from '../ground/experiment.ts';
import type { Measurer } from './measuring.ts';

/**
 * Loads the experiment's `measure.ts`, which only measuring needs.
 * @throws Error if the file or its export is missing
 */
export async function measuringOf({ name }: Experiment): Promise<Measurer> {
  const { measuring } = (await import(`./${name}/measure.ts`)) as { measuring?: Measurer };
  if (typeof measuring?.open === 'function') return measuring;
  throw new Error(
    `experiments/${name}/measure.ts does not export \`measuring\` with a function \`open\`.`,
  );
}
