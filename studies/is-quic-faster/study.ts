import type { Preset } from '../../ground/options/preset.ts';
import type { ReportedStudy } from '../../report/study.ts';
import type { MeasuredStudy } from '../../runner/study.ts';
import { PARTS, presetOfPart, SERIES } from './parts.ts';
import { isSeries, seriesAsked } from './series.ts';

/** This project's own answer to its question: chosen pages over chosen networks, and one thing after another changed. */
export const isQuicFaster = {
  presets: {
    [SERIES]: {
      of: 'page-load',
      about: 'the measurement of docs/is-quic-faster.md, run after run, in some two hours',
      options: null,
    },
    ...Object.fromEntries(
      PARTS.map((part): [string, Preset] => [
        presetOfPart(part),
        { of: 'page-load', about: null, options: part.options },
      ]),
    ),
  },
  sections: async () => [],
  series: {
    askedBy: seriesAsked,
    isIn: isSeries,
    async report(folder) {
      const { writeSeries } = await import('./write.ts');
      return writeSeries(folder);
    },
  },
} satisfies MeasuredStudy & ReportedStudy;
