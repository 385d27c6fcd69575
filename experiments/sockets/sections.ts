import type { Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { sockets } from './experiment.ts';
import { events, partsByDelay } from './section.ts';

export const sections: readonly Section<RunView>[] = [events, partsByDelay(sockets.metrics)];
