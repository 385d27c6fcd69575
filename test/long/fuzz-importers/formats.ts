import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FuzzMakers } from './input.ts';
import { READERS } from './readers.ts';

const IMPORTERS = path.join(import.meta.dirname, '..', '..', '..', 'cache', 'importers');

const makers = await Promise.all(
  globSync('*/test/long/fuzz.ts', { cwd: IMPORTERS })
    .sort()
    .map(async (file): Promise<FuzzMakers> => {
      const { FUZZ } = await import(pathToFileURL(path.join(IMPORTERS, file)).href);
      return FUZZ;
    }),
);

/** Generators of each importer's archives, and of other inputs. */
export const FORMATS: FuzzMakers = Object.assign(
  {},
  ...makers,
  ...Object.entries(READERS).map(([name, { make }]) => ({ [name]: make })),
);
