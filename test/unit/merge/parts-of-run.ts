import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PageLoad } from '../../../records/page-load.ts';
import type { SittingRecord } from '../../../records/sitting.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { type Fixture, type FixtureOptions, fixtureRun, writeRun } from '../report/fixture-run.ts';

/** The made-up run as the machine of this name did its part of it: what `has` says. */
export function partOf(
  machine: string,
  has: (load: PageLoad) => boolean,
  options: FixtureOptions = {},
): Fixture {
  const { run, pageLoads, calibrations, sittings } = fixtureRun(options);
  const [sitting] = sittings;
  if (!sitting) throw new Error('the fixture has no sitting');
  const own: SittingRecord = { ...sitting, id: `${sitting.startedAt}-${machine}`, machine };
  const loads = pageLoads.filter(has).map((load, index) => ({
    ...load,
    order: index + 1,
    sitting: own.id,
  }));
  const sites = new Set(loads.map(({ site }) => site));
  return {
    run,
    pageLoads: loads,
    calibrations: calibrations.filter(({ site }) => sites.has(site)),
    sittings: [own],
  };
}

/** Writes parts, with a small HAR for each load and a log, into folders of their own that are gone after `use`. */
export async function withParts(
  parts: readonly Fixture[],
  use: (folders: string[], out: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (root) => {
    const folders = parts.map((_, index) => path.join(root, `part-${index + 1}`));
    for (const [index, part] of parts.entries()) {
      const folder = folders[index] ?? '';
      await mkdir(path.join(folder, 'har'), { recursive: true });
      await mkdir(path.join(folder, 'logs'));
      await writeFile(path.join(folder, 'logs', 'bun-h2.log'), `${index}`);
      await writeRun(folder, part);
      for (const { id, har, sitting } of part.pageLoads) {
        if (har !== null) await writeFile(path.join(folder, har), `${id} in ${sitting}`);
      }
    }
    await use(folders, path.join(root, 'merged'));
  });
}
