import type { Film } from '../../clients/chromium/film/record.ts';
import type { Trace, WatchedPage } from '../../clients/page-context.ts';
import type { Trial } from '../../ground/records/run.ts';
import type { Problem } from '../checks.ts';
import type { BrowserBench } from '../in-browser.ts';
import type { FilmTrace, ObservedLoad } from './load.ts';

/** Films a load from now on; returns its end. A load that is not filmed has no trace. */
export async function startFilm(
  { filmed }: Trial,
  page: Pick<WatchedPage, 'startTrace'>,
): Promise<() => Promise<FilmTrace>> {
  if (!filmed) return async () => null;
  let trace: Trace;
  try {
    if (!page.startTrace) throw new Error('this browser makes no films');
    trace = await page.startTrace();
  } catch (error) {
    return async () => ({ problem: (error as Error).message });
  }
  return () =>
    trace.end().then(
      (text) => ({ text }),
      (error: Error) => ({ problem: error.message }),
    );
}

interface WrittenFilm {
  film: Film | null;
  /** Path relative to the run's folder; null: no film. */
  file: string | null;
  /** Why a filmed load has no film; null: it has one, or is not filmed. */
  problem: Problem | null;
}

/** Makes the film of a filmed load, and writes it. */
export async function writeFilm(
  { trace, timings }: Pick<ObservedLoad, 'trace' | 'timings'>,
  { id }: Pick<Trial, 'id'>,
  { results }: Pick<BrowserBench, 'results'>,
): Promise<WrittenFilm> {
  if (trace === null) return { film: null, file: null, problem: null };
  try {
    if ('problem' in trace) throw new Error(trace.problem);
    const { filmOf } = await import('../../clients/chromium/film/film.ts');
    const { largestContentfulPaintMs = null, loadEventEndMs = null } = timings ?? {};
    const film = await filmOf(trace.text, {
      largestPaintMs: largestContentfulPaintMs,
      loadMs: loadEventEndMs,
    });
    return { film, file: await results.writeFilm(id, film), problem: null };
  } catch (error) {
    const message = `The load was not filmed: ${(error as Error).message}.`;
    return { film: null, file: null, problem: { code: 'film-failed', message } };
  }
}

/** The metrics that filmed loads have in addition; null: the page painted nothing. */
export function filmMetricsOf({ speedIndexMs, visuallyCompleteMs }: Film) {
  if (visuallyCompleteMs === 0) return { speedIndexMs: null, visuallyCompleteMs: null };
  return { speedIndexMs, visuallyCompleteMs };
}
