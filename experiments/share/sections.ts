import type { Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { fairShare } from './sections/fair-share.ts';
import { overTime } from './sections/over-time.ts';
import { shares } from './sections/shares.ts';

export const sections: readonly Section<RunView>[] = [shares, fairShare, overTime];
