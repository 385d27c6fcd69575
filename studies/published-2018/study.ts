import { existsSync } from 'node:fs';
import type { ReportedStudy } from '../../report/study.ts';
import type { MeasuredStudy } from '../../runner/study.ts';
import { measureLadder, readLadderOrder } from './ladder/measure.ts';
import { ladderFolder, presetOfStep } from './ladder/record.ts';
import { LADDER } from './ladder/steps.ts';
import { ladderText } from './ladder/text.ts';
import { writeLadder } from './ladder/write.ts';
import { publishedSection } from './numbers/section.ts';
import { PUBLISHED } from './preset.ts';

/** The comparison of QUIC and HTTPS of December 2018: made again, and taken to a fair one step by step. */
export const published2018 = {
  presets: {
    published: PUBLISHED,
    ladder: null,
    ...Object.fromEntries(LADDER.map((step) => [presetOfStep(step), step.options])),
  },
  sections: [publishedSection],
  series: {
    async askedBy(line) {
      const order = await readLadderOrder(line);
      return order && { measure: (actions) => measureLadder(order, actions) };
    },
    isIn: (folder) => existsSync(ladderFolder(folder).ladder),
    async report(folder) {
      const summary = await writeLadder(folder);
      return {
        text: (columns) => ladderText(summary, columns),
        place: `Ladder: ${ladderFolder(folder).page}`,
      };
    },
  },
} satisfies MeasuredStudy & ReportedStudy;
