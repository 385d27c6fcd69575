import { conditionKey } from '../../ground/records/cell.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import type { StoppingRule } from '../../ground/records/run.ts';
import { pairsFor } from '../../report/summary/verdict.ts';
import { blocksPerRound } from '../schedule.ts';
import type { Block } from './block.ts';
import type { LookTime } from './look.ts';
import type { Work } from './scheduler.ts';

/** The decision of a look about further blocks. */
export type LookDecision = Pick<LookRecord, 'decided' | 'end'>;

interface SequentialOptions {
  /** Remaining blocks, in the order of the plan. */
  blocks: readonly Block[];
  rule: Pick<StoppingRule, 'budgetMs' | 'blocksPerLook'>;
  /** Stacks of a block. */
  arms: number;
  /** Number in the whole plan. */
  subjects: number;
  /** Comparisons of single subjects in the whole plan. */
  comparisons: number;
  /** Looks of earlier invocations. */
  before: readonly LookRecord[];
  /** Budget that these invocations used. */
  spentMs: number;
  /** Whether they made loads that no look included: their report may have been read, which spends error like a look. */
  hasUnseen: boolean;
  /** Looks at all loads that have rows. */
  look(time: LookTime): Promise<LookDecision>;
  nowMs?: () => number;
}

/**
 * Yields blocks until every condition is decided, or budget or plan are used up. Looks (interim analyses) come after complete balanced sets of all sites
 * and conditions, at the end, and when an interrupted run continues. A decided condition has no further blocks.
 */
export function sequentialStopping({
  blocks,
  rule,
  arms,
  subjects,
  comparisons,
  before,
  spentMs,
  hasUnseen,
  look,
  nowMs = () => performance.now(),
}: SequentialOptions): Work {
  const startMs = nowMs();
  /** Time of filmed loads, which the budget does not include. */
  let filmedMs = 0;
  let doneAtMs = startMs;
  const elapsedMs = () => spentMs + nowMs() - startMs - filmedMs;
  /** Blocks that have begun, but do not have all rows. */
  const atWork = new Set<Block>();
  const decided = new Set((before.at(-1)?.decided ?? []).map(conditionKey));
  let lookAt = firstLook(rule.blocksPerLook, { arms, subjects, comparisons });
  const goesOnAt = blocks.find((block) => numberOf(block) > 0 && !isDecided(block, decided));
  while (goesOnAt && lookAt < numberOf(goesOnAt)) lookAt += rule.blocksPerLook;
  let isLookDue = hasUnseen;
  let at = 0;
  let hasEnded = (before.at(-1)?.end ?? null) !== null;
  const expected = new Set(blocks.flatMap(({ trials }) => trials.map(({ id }) => id)));
  return {
    async next() {
      while (!hasEnded) {
        if (isLookDue) {
          isLookDue = false;
          await look({ elapsedMs: spentMs, end: null, mayDecide: false });
        }
        const block = blocks[at];
        const spentSoFarMs = elapsedMs();
        const end = !block ? 'repetitions' : spentSoFarMs >= rule.budgetMs ? 'budget' : null;
        if (!block || end || numberOf(block) > lookAt) {
          // A look includes the last rows: no block may begin before they are written.
          if (atWork.size > 0) return null;
          const found = await look({ elapsedMs: spentSoFarMs, end, mayDecide: true });
          for (const condition of found.decided) decided.add(conditionKey(condition));
          hasEnded = found.end !== null;
          lookAt += rule.blocksPerLook;
          continue;
        }
        at++;
        for (const { id } of block.trials) expected.delete(id);
        if (isDecided(block, decided)) continue;
        atWork.add(block);
        return block;
      }
      return null;
    },
    async done(block) {
      atWork.delete(block);
      const beganMs = doneAtMs;
      doneAtMs = nowMs();
      if (block.trials[0]?.filmed) filmedMs += doneAtMs - beganMs;
    },
    expects: (id) => expected.has(id),
  };
}

/**
 * The first look has enough browsers to estimate the variance between them, and enough pairs to test every single site. An earlier end
 * could leave undecided sites, and exaggerate effects.
 */
export function firstLook(
  blocksPerLook: number,
  { arms, subjects, comparisons }: { arms: number; subjects: number; comparisons: number },
): number {
  const freedom = comparisons === 1 ? MIN_DEGREES_OF_FREEDOM_ALONE : MIN_DEGREES_OF_FREEDOM;
  const rounds = 1 + Math.ceil(freedom / subjects);
  const least = Math.max(MIN_PAIRS, pairsFor(comparisons), rounds * blocksPerRound(arms));
  return Math.ceil(least / blocksPerLook) * blocksPerLook;
}

/** Degrees of freedom of the variance between browsers: with 4, a page whose browsers differ much was decided wrongly too often. */
const MIN_DEGREES_OF_FREEDOM = 12;

/** For a single question about one page, whose user waits: one test has the whole error, so fewer rounds are enough. */
const MIN_DEGREES_OF_FREEDOM_ALONE = 4;

/** With fewer pairs a site has no 95 % interval. */
export const MIN_PAIRS = 6;

function numberOf({ trials }: Block): number {
  return trials[0]?.block ?? 0;
}

/** Warm-ups belong to no condition. */
function isDecided({ trials: [first] }: Block, decided: ReadonlySet<string>): boolean {
  if (!first || first.warmup) return false;
  return decided.has(
    conditionKey({ network: first.network.name, variant: variantOf(first.factors) }),
  );
}
