import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../../ground/records/run.ts';
import type { Block } from './block.ts';

/** Where an invocation gets its loads from. */
export interface Work {
  /** The next loads that belong together; null: there are none, or no more are to be begun. */
  next(): Promise<Block | null>;
  /** Called when every load of a block has its row. */
  done(block: Block): Promise<void>;
  /** Whether a load is surely still to come in this invocation. */
  expects(id: string): boolean;
}

/** What keeps loads from being begun. */
interface StartConditions {
  /** Asked before each load; false: none is begun any more. */
  mayBegin?(): boolean;
  /** Whether loads of this cell are not to be begun: others go first. */
  isPaused?(trial: Trial): boolean;
}

/** A scheduler of some work. A load leaves it when its row is on the disk, and not before. */
export function createScheduler(
  work: Work,
  { mayBegin = () => true, isPaused: rests = () => false }: StartConditions = {},
) {
  const open: { block: Block; left: Trial[] }[] = [];
  const begun = new Set<Trial>();
  const waiting = () => open.flatMap(({ left }) => left).filter((trial) => !begun.has(trial));
  return {
    /** The next load that has not been begun, or null; the same one until it is begun. */
    async next(): Promise<Trial | null> {
      while (mayBegin()) {
        const found = waiting().find((trial) => !rests(trial));
        if (found) return found;
        const block = await work.next();
        if (block === null) break;
        open.push({ block, left: [...block.trials] });
      }
      return null;
    },
    /** Loads whose turn has come and whose cell rests. */
    paused: () => (mayBegin() ? waiting().filter(rests) : []),
    /** Whether a load is surely still to come, or at work. */
    expects: (id: string): boolean =>
      open.some(({ left }) => left.some((trial) => trial.id === id)) || work.expects(id),
    /** The trials of the block of one whose turn has come, in their order. */
    blockOf: (trial: Trial): readonly Trial[] =>
      open.find(({ left }) => left.includes(trial))?.block.trials ?? [],
    begin: (trial: Trial) => void begun.add(trial),
    /** Its row is written. */
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
    /** What was begun and has no row is offered once more. */
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
 * The same work, with a round of blocks, those of one number, begun at even intervals; one that takes longer is followed by the next at
 * once. Once the signal is given none is begun.
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

/** The same work, with no block begun any more once a time is over. */
export function withinBudget(
  work: Work,
  budgetMs: number,
  nowMs: () => number = () => performance.now(),
): Work {
  const endMs = nowMs() + budgetMs;
  return { ...work, next: async () => (nowMs() < endMs ? work.next() : null) };
}
