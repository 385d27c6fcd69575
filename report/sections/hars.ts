import { readdir } from 'node:fs/promises';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';

/** Paths of the HARs that are in the run's folder, as records have them; null: all were kept, so that each must be there. */
export type KeptHars = ReadonlySet<string> | null;

/** Which HARs a run kept. One that is to be there and is not is no matter of this, but of whoever reads it. */
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

/** A load's HAR, relative to the run's folder; null: it never had one. */
export function harOf(load: Pick<Observation, 'files'> | undefined): string | null {
  return load?.files.har ?? null;
}
