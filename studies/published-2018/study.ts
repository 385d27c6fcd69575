import { existsSync } from 'node:fs';
import type { Preset } from '../../ground/options/preset.ts';
import type { ReportedStudy } from '../../report/study.ts';
import type { MeasuredStudy } from '../../runner/study.ts';
import { ladderFolder, presetOfStep } from './ladder/names.ts';
import { type AblationStep, LADDER } from './ladder/steps.ts';
import { PUBLISHED } from './preset.ts';

/** The comparison of QUIC and HTTPS of December 2018: made again, and taken to a fair one step by step. */
export const published2018 = {
  presets: {
    published: {
      of: 'page-load',
      about: 'repeats the comparison of 2018 and shows its numbers beside the new ones',
      options: PUBLISHED,
    },
    ladder: {
      of: 'page-load',
      about: 'changes it step by step into a fair comparison',
      options: null,
    },
    ...Object.fromEntries(LADDER.map((step) => [presetOfStep(step), presetOf(step)])),
  },
  async sections() {
    const { publishedSection } = await import('./numbers/section.ts');
    return [publishedSection];
  },
  series: {
    async askedBy(line) {
      const { measureLadder, readLadderOrder } = await import('./ladder/measure.ts');
      const order = await readLadderOrder(line);
      return order && { measure: (actions) => measureLadder(order, actions) };
    },
    isIn: (folder) => existsSync(ladderFolder(folder).ladder),
    async report(folder) {
      const { writeLadder } = await import('./ladder/write.ts');
      const { ladderText } = await import('./ladder/text.ts');
      const summary = await writeLadder(folder);
      return {
        text: (columns) => ladderText(summary, columns),
        place: `Ladder: ${ladderFolder(folder).page}`,
      };
    },
  },
} satisfies MeasuredStudy & ReportedStudy;

function presetOf({ options }: Pick<AblationStep, 'options'>): Preset {
  return { of: 'page-load', about: null, options };
}
