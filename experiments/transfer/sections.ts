import type { Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { bySize } from './sections/by-size.ts';
import { cost } from './sections/cost.ts';
import { limits } from './sections/limits.ts';
import { overTime } from './sections/over-time.ts';
import { profiles } from './sections/profiles.ts';
import { spread } from './sections/spread.ts';
import { withoutHttp } from './sections/without-http.ts';

export const sections: readonly Section<RunView>[] = [
  bySize,
  withoutHttp,
  limits,
  cost,
  spread,
  overTime,
  profiles,
];
