import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Observation } from '../../../../ground/records/observation.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';
import {
  type Fixture,
  type FixtureOptions,
  fixtureRun,
  writeRun,
} from '../../report/fixture-run.ts';

/** The made-up run of the machine with this name: the part in `has`. */
export function partOf(
  machine: string,
  has: (load: Observation) => boolean,
  options: FixtureOptions = {},
): Fixture {
  const { run, observations, calibrations, invocations } = fixtureRun(options);
  const [invocation] = invocations;
  if (!invocation) throw new Error('the fixture has no invocation');
  const own: Fixture['invocations'][number] = {
    ...invocation,
    id: `${invocation.startedAt}-${machine}`,
    machine,
  };
  const loads = observations.filter(has).map((load, index) => ({
    ...load,
    order: index + 1,
    invocation: own.id,
  }));
  const subjects = new Set(loads.map(({ subject }) => subject));
  return {
    run,
    observations: loads,
    calibrations: calibrations.filter(({ subject }) => subjects.has(subject)),
    invocations: [own],
  };
}

/**
 * Writes parts, with a small HAR for each load, packets if it has any, and a log, into folders of
 * their own that are gone after `use`.
 */
export async function withParts(
  parts: readonly Fixture[],
  use: (folders: string[], out: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (root) => {
    const folders = parts.map((_, index) => path.join(root, `part-${index + 1}`));
    for (const [index, part] of parts.entries()) {
      const folder = folders[index] ?? '';
      await mkdir(path.join(folder, 'har'), { recursive: true });
      await mkdir(path.join(folder, 'packets'));
      await mkdir(path.join(folder, 'logs'));
      await writeFile(path.join(folder, 'logs', 'bun-h2.log'), `${index}`);
      await mkdir(path.join(folder, 'net-log'));
      await writeFile(path.join(folder, 'net-log', 'bun-h2.1.json.gz'), `${index}`);
      await writeRun(folder, part);
      for (const { id, files, invocation } of part.observations) {
        if (files.packets) await writeFile(path.join(folder, files.packets), `packets of ${id}`);
        if (files.har) await writeFile(path.join(folder, files.har), `${id} in ${invocation}`);
      }
    }
    await use(folders, path.join(root, 'merged'));
  });
}
