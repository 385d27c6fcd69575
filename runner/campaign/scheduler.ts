import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../../ground/records/run.ts';
import type { Block } from './block.ts';

/** Source of an invocation's loads. */
export interface Work {
  /** The next block; null: no block is left, or no further one may begin. */
  next(): Promise<Block | null>;
  /** Called when every load of a block has its row. */
  done(block: Block): Promise<void>;
  /** Whether a load will certainly be made in this invocation. */
  expects(id: string): boolean;
}

/** Conditions for the start of a load. */
interface StartConditions {
  /** Called before each load; false: no further load begins. */
  mayBegin?(): boolean;
  /** Whether the cell of a trial is paused, so that other trials go first. */
  isPaused?(trial: Trial): boolean;
}

/** Schedules work. A load is removed only when its row is on the disk. */
export function createScheduler(
  work: Work,
  { mayBegin = () => true, isPaused = () => false }: StartConditions = {},
) {
  const open: { block: Block; left: Trial[] }[] = [];
  const begun = new Set<Trial>();
  const waiting = () => open.flatMap(({ left }) => left).filter((trial) => !begun.has(trial));
  return {
    /** The next load, the same one until it begins; null: no load may begin, or only paused ones are left. */
    async next(): Promise<Trial | null> {
      while (mayBegin()) {
        const found = waiting().find((trial) => !isPaused(trial));
        if (found) return found;
        const block = await work.next();
        if (block === null) break;
        open.push({ block, left: [...block.trials] });
      }
      return null;
    },
    /** Loads that are due and whose cell is paused. */
    paused: () => (mayBegin() ? waiting().filter(isPaused) : []),
    /** Whether a load will certainly be made, or is in progress. */
    expects: (id: string): boolean =>
      open.some(({ left }) => left.some((trial) => trial.id === id)) || work.expects(id),
    /** The trials of a due trial's block, in their order. */
    blockOf: (trial: Trial): readonly Trial[] =>
      open.find(({ left }) => left.includes(trial))?.block.trials ?? [],
    begin: (trial: Trial) => void begun.add(trial),
    /** Removes a trial whose row is written. */
    async ended(trial: Trial): Promise<void> {
      begun.delete(trial);
      const at = open.findIndex(({ left }) => left.includes(trial));
      const { block, left } = open[at] ?? {};
      if (!block || !left) return;
      left.splice(left.indexOf(trial), 1);
      if (left.length > 0) return;
      open.splice(at, 1);
      await work.done(block);
    },
    /** Makes loads that have begun, but have no row, available again. */
    startOver: () => begun.clear(),
  };
}

/** Blocks in the order given. */
export function workOf(blocks: readonly Block[]): Work {
  let at = 0;
  const expected = new Set(blocks.flatMap(({ trials }) => trials.map(({ id }) => id)));
  return {
    async next() {
      const block = blocks[at++] ?? null;
      for (const { id } of block?.trials ?? []) expected.delete(id);
      return block;
    },
    done: async () => {},
    expects: (id) => expected.has(id),
  };
}

/**
 * Work whose rounds begin at even intervals; a round is all blocks with one number. After a longer round the next one
 * begins at once, and after the abort no round begins.
 */
export function atIntervals(work: Work, everyMs: number, signal: AbortSignal): Work {
  let dueMs = performance.now();
  let round: number | null = null;
  return {
    ...work,
    async next() {
      const block = await work.next();
      const number = block?.trials[0]?.block ?? round;
      if (round !== null && number !== round) {
        dueMs = Math.max(dueMs + everyMs, performance.now());
        // Timers drop fractions of a ms, which would begin a round early.
        await sleep(Math.ceil(dueMs - performance.now()), null, { signal }).catch(() => {});
        if (signal.aborted) return null;
      }
      round = number;
      return block;
    },
  };
}

/** Work of which no block begins once the budget is used up. */
export function withinBudget(
  work: Work,
  budgetMs: number,
  nowMs: () => number = () => performance.now(),
): Work {
  const endMs = nowMs() + budgetMs;
  return { ...work, next: async () => (nowMs() < endMs ? work.next() : null) };
}
