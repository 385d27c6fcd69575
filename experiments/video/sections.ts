import type { Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { byLoss } from './sections/by-loss.ts';
import { overTime } from './sections/over-time.ts';
import { threeSources } from './sections/sources.ts';
import { spread } from './sections/spread.ts';
import { verdicts } from './sections/verdicts.ts';

export const sections: readonly Section<RunView>[] = [
  verdicts,
  byLoss,
  spread,
  overTime,
  threeSources,
];
