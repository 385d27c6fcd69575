import type { PageLoad } from '../../experiments/page-load/details.ts';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { readObservations } from '../../ground/records/read.ts';

/** The page loads of a run in the order actually run, and what its files lack, as sentences. */
export async function readPageLoads(
  folder: string,
): Promise<{ pageLoads: PageLoad[]; warnings: string[] }> {
  const { observations, warnings } = await readObservations(folder, pageLoad);
  return { pageLoads: observations as PageLoad[], warnings };
}
