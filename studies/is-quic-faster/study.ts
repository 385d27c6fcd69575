import { presetsOfSeries, type Series } from '../../report/series.ts';
import type { Study } from '../../report/study.ts';
import { PARTS, SERIES } from './parts.ts';

const series: Series = {
  name: SERIES,
  of: 'page-load',
  about: 'the measurement of studies/is-quic-faster, run after run, in some two hours',
  word: 'Part',
  runs: PARTS,
  // With any of them it is another measurement, for a trial.
  free: ['sites', 'repetitions', 'timeout', 'out'],
  async report(folder) {
    const { writeSeries } = await import('./write.ts');
    return writeSeries(folder);
  },
};

/** This project's own answer to its question: chosen pages over chosen networks, and one thing after another changed. */
export const isQuicFaster: Study = {
  name: 'is-quic-faster',
  presets: presetsOfSeries(series),
  sections: async () => [],
  series,
  async documents() {
    const { documents } = await import('./documentation.ts');
    return documents();
  },
};
