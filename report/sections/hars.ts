import { readdir } from 'node:fs/promises';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';

/** Paths of the kept HARs, as in the records; null: all were kept. */
export type KeptHars = ReadonlySet<string> | null;

/** Lists the HARs that a run kept. Readers of a HAR report if it is missing. */
export async function readKeptHars(
  folder: string,
  { choices }: Pick<RunRecord, 'choices'>,
): Promise<KeptHars> {
  if (choices.hars === 'all') return null;
  const names = await readdir(runFolder(folder).har).catch(() => []);
  return new Set(names.map((name) => `har/${name}`));
}

export function isKept(kept: KeptHars, har: string): boolean {
  return kept?.has(har) ?? true;
}

/** A load's HAR, relative to the run's folder; null: the load has no HAR. */
export function harOf(load: Pick<Observation, 'files'> | undefined): string | null {
  return load?.files.har ?? null;
}
