import { conditionKey } from '../../records/cell.ts';
import { variantOf } from '../../records/factors.ts';
import type { EndOfLooks, LookRecord } from '../../records/look.ts';
import type { StoppingRule } from '../../records/run.ts';
import { blocksPerRound } from '../schedule.ts';
import type { Block } from './block.ts';
import type { Work } from './scheduler.ts';

/** What a look decides about the blocks that follow it. */
export type Looked = Pick<LookRecord, 'told' | 'end'>;

/** A run whose repetitions stop by a rule. */
export interface StoppedWork {
  /** What is left, in the order of the plan. */
  blocks: readonly Block[];
  rule: Pick<StoppingRule, 'budgetMs' | 'blocksPerLook'>;
  /** Stacks of a block. */
  arms: number;
  /** Of the whole plan, whatever is left of it. */
  subjects: number;
  /** Looks of earlier invocations. */
  before: readonly LookRecord[];
  /** Looks at all loads that have rows; `end`: no further block may follow, whatever it sees. */
  look(elapsedMs: number, end: Exclude<EndOfLooks, 'told'> | null): Promise<Looked>;
  nowMs?: () => number;
}

/**
 * Blocks until every primary answer is told, or budget or plan are used up. Looks come after complete balanced sets of all sites and
 * conditions, and at the end; a condition that is told has no further blocks.
 */
export function untilTold({
  blocks,
  rule,
  arms,
  subjects,
  before,
  look,
  nowMs = () => performance.now(),
}: StoppedWork): Work {
  const spentMs = before.at(-1)?.elapsedMs ?? 0;
  const startMs = nowMs();
  const elapsedMs = () => spentMs + nowMs() - startMs;
  /** Begun and without all their rows. */
  const atWork = new Set<Block>();
  const told = new Set((before.at(-1)?.told ?? []).map(conditionKey));
  const first = firstLook(rule.blocksPerLook, { arms, subjects });
  let lookAt = first + before.length * rule.blocksPerLook;
  let at = 0;
  let hasEnded = (before.at(-1)?.end ?? null) !== null;
  const expected = new Set(blocks.flatMap(({ trials }) => trials.map(({ id }) => id)));
  return {
    async next() {
      while (!hasEnded) {
        const block = blocks[at];
        const spentSoFarMs = elapsedMs();
        const end = !block ? 'repetitions' : spentSoFarMs >= rule.budgetMs ? 'budget' : null;
        if (!block || end || numberOf(block) > lookAt) {
          // A look sees the last rows, too: nothing may begin before they are written.
          if (atWork.size > 0) return null;
          const found = await look(spentSoFarMs, end);
          for (const condition of found.told) told.add(conditionKey(condition));
          hasEnded = found.end !== null;
          lookAt += rule.blocksPerLook;
          continue;
        }
        at++;
        for (const { id } of block.trials) expected.delete(id);
        if (isTold(block, told)) continue;
        atWork.add(block);
        return block;
      }
      return null;
    },
    async done(block) {
      atWork.delete(block);
    },
    expects: (id) => expected.has(id),
  };
}

/** The first look has browsers enough to tell what they differ by, and pairs enough of each site for an interval. */
export function firstLook(
  blocksPerLook: number,
  { arms, subjects }: { arms: number; subjects: number },
): number {
  const rounds = 1 + Math.ceil(LEAST_FREEDOM / subjects);
  const least = Math.max(FEWEST_PAIRS, rounds * blocksPerRound(arms));
  return Math.ceil(least / blocksPerLook) * blocksPerLook;
}

/** Degrees of freedom of what browsers differ by: with fewer, one page whose browsers differ much was told wrongly too often. */
const LEAST_FREEDOM = 4;

/** Fewer pairs of a site have no 95 % interval. */
export const FEWEST_PAIRS = 6;

function numberOf({ trials }: Block): number {
  return trials[0]?.block ?? 0;
}

/** Warm-ups are of no condition. */
function isTold({ trials: [first] }: Block, told: ReadonlySet<string>): boolean {
  if (!first || first.warmup) return false;
  return told.has(conditionKey({ network: first.network.name, variant: variantOf(first.factors) }));
}
