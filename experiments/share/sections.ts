import type { Section } from '../../report/page/section.ts';
import type { RunView } from '../run-view.ts';

/** What only the report of sharing has, in its order. */
export const sections: readonly Section<RunView>[] = [];
