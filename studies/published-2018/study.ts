import path from 'node:path';
import { presetsOfSeries, type Series } from '../../report/series.ts';
import type { Study } from '../../report/study.ts';
import { assertOneDelay, LADDER, LADDER_NAME } from './ladder/steps.ts';
import { PUBLISHED } from './preset.ts';

const ladder: Series = {
  name: LADDER_NAME,
  of: 'page-load',
  about: 'turns it step by step into a fair comparison',
  word: 'Step',
  runs: LADDER,
  free: ['sites', 'repetitions', 'rtt', 'seed', 'timeout', 'out'],
  assertValues: assertOneDelay,
  async report(folder) {
    const { reportLadder } = await import('./ladder/report.ts');
    return reportLadder(folder);
  },
};

/** The comparison of QUIC and HTTPS of December 2018: repeated, and turned into a fair one step by step. */
export const published2018: Study = {
  name: 'published-2018',
  presets: {
    published: {
      of: 'page-load',
      about: 'repeats the comparison of 2018 and compares its numbers',
      options: PUBLISHED,
    },
    ...presetsOfSeries(ladder),
  },
  async sections({ preset }, folder) {
    const { publishedSection } = await import('./numbers/section.ts');
    const step = LADDER.findIndex(({ name }) => preset === `${LADDER_NAME}/${name}`);
    // A step measured alone belongs to no ladder.
    if (LADDER[step]?.folder !== path.basename(folder)) return [publishedSection];
    const { readLadder } = await import('./ladder/ladder.ts');
    const { ladderSection } = await import('./ladder/section.ts');
    return [ladderSection(await readLadder(path.dirname(folder), LADDER.slice(0, step + 1)))];
  },
  series: ladder,
};
