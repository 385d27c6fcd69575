import { presetsOfSeries, type Series } from '../../report/series.ts';
import type { Study } from '../../report/study.ts';
import { PARTS, SERIES } from './parts.ts';

const series: Series = {
  name: SERIES,
  of: 'page-load',
  about: 'the measurement of studies/is-quic-faster, run by run, in about two hours',
  word: 'Part',
  runs: PARTS,
  // Each of them makes it another measurement, for a trial.
  free: ['sites', 'repetitions', 'timeout', 'out'],
  async report(folder) {
    const { writeSeries } = await import('./write.ts');
    return writeSeries(folder);
  },
};

/** The project's answer to its question: selected pages over selected networks, then one change at a time. */
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
