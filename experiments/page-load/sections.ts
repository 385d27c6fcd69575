import type { Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { discovery } from './sections/discovery.ts';
import { livePages } from './sections/live.ts';

/** What only the report of page loads has, in its order. */
export const sections: readonly Section<RunView>[] = [livePages, discovery];
