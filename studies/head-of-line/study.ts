import type { ReportedStudy } from '../../report/study.ts';
import type { MeasuredStudy } from '../../runner/study.ts';
import { HEAD_OF_LINE } from './preset.ts';
import { finishTimesSection } from './section.ts';

/** Head-of-line blocking: which objects of a page a lost packet delays. */
export const headOfLine: MeasuredStudy & ReportedStudy = {
  presets: { 'head-of-line': HEAD_OF_LINE },
  sections: [finishTimesSection],
};
