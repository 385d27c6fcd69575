import { type Film, filmSchema } from '../../clients/chromium/film/record.ts';
import { cellKey } from '../../ground/records/cell.ts';
import { inFolder } from '../../ground/records/file-name.ts';
import { medianLoad } from '../../ground/records/median-load.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { schemaCheck } from '../../ground/records/schema-check.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { fileHref } from '../../kit/page/links.ts';

/** A filmed load that a report shows. */
export interface ShownFilm {
  load: Observation;
  /** null: its file is missing or damaged. */
  film: Film | null;
}

/** Films have a tenth of this. */
const MOST_BYTES = 1_000_000;

const problemOfFilm = schemaCheck(filmSchema);

/**
 * Reads the median film, by Speed Index, of each arm at a subject under a condition.
 * @param filmed the run's filmed loads
 */
export async function readMedianFilms(
  folder: string,
  filmed: readonly Observation[],
): Promise<ShownFilm[]> {
  const cells = Map.groupBy(filmed, cellKey);
  const medians = [...cells.values()].flatMap((own) => medianFilmed(own) ?? []);
  return Promise.all(medians.map(async (load) => ({ load, film: await readFilm(folder, load) })));
}

function medianFilmed(loads: readonly Observation[]): Observation | null {
  const ok = loads.flatMap((load) => {
    const value = load.metrics.speedIndexMs ?? null;
    return load.outcome === 'ok' && value !== null ? [{ load, value }] : [];
  });
  return medianLoad(ok)?.load ?? null;
}

async function readFilm(folder: string, { files }: Observation): Promise<Film | null> {
  const { film } = files;
  if (film === undefined || fileHref(film, ['films']) === null) return null;
  try {
    const bytes = await readPlainFile(inFolder(folder, film), {
      maxBytes: MOST_BYTES,
      noLink: true,
    });
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return problemOfFilm(parsed) === null ? (parsed as Film) : null;
  } catch {
    return null;
  }
}
