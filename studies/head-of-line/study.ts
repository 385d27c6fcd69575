import { losesPackets } from '../../ground/records/dimensions.ts';
import type { Study } from '../../report/study.ts';
import { HEAD_OF_LINE } from './preset.ts';

/** Head-of-line blocking: which objects of a page a lost packet delays. */
export const headOfLine: Study = {
  name: 'head-of-line',
  presets: {
    'head-of-line': {
      of: 'page-load',
      about: 'what a lost packet delays on pages of many objects',
      options: HEAD_OF_LINE,
    },
  },
  concerns: ({ networks }) => networks.some(losesPackets),
  async sections() {
    const { finishTimesSection } = await import('./section.ts');
    return [finishTimesSection];
  },
};
