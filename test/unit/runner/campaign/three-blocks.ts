import type { Trial } from '../../../../ground/records/run.ts';
import { type Block, blocksOf } from '../../../../runner/campaign/block.ts';
import { makeSchedule } from '../../../../runner/schedule.ts';
import { NONE } from '../../report/fixture-run.ts';

/** A plan of one site on two stacks: warm-ups and two repetitions. */
export const TRIALS: readonly Trial[] = makeSchedule({
  subjects: ['a.example'],
  arms: ['lsquic-h3', 'bun-h2'],
  networks: [NONE],
  factors: { visit: ['cold'] },
  repetitions: 2,
  order: 'shuffled',
  seed: 1,
});

/** The blocks of this plan, of two loads each. */
export const BLOCKS: readonly Block[] = blocksOf(TRIALS, 'shuffled');
