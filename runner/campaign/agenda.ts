import type { Trial } from '../../records/run.ts';
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

/** What is left to do, load by load. A load leaves it when its row is on the disk, and not before. */
export class Agenda {
  readonly #work: Work;
  readonly #mayBegin: () => boolean;
  readonly #open: { block: Block; left: Trial[] }[] = [];
  readonly #begun = new Set<Trial>();

  /** @param mayBegin asked before each load; false: none is begun any more */
  constructor(work: Work, mayBegin: () => boolean = () => true) {
    this.#work = work;
    this.#mayBegin = mayBegin;
  }

  /** The next load that has not been begun, or null; the same one until it is begun. */
  async next(): Promise<Trial | null> {
    if (!this.#mayBegin()) return null;
    for (const { left } of this.#open) {
      const found = left.find((trial) => !this.#begun.has(trial));
      if (found) return found;
    }
    const block = await this.#work.next();
    if (block === null) return null;
    this.#open.push({ block, left: [...block.trials] });
    return this.next();
  }

  /** Whether a load is surely still to come, or at work. */
  expects(id: string): boolean {
    return (
      this.#open.some(({ left }) => left.some((trial) => trial.id === id)) || this.#work.expects(id)
    );
  }

  begin(trial: Trial): void {
    this.#begun.add(trial);
  }

  /** Its row is written. */
  async ended(trial: Trial): Promise<void> {
    this.#begun.delete(trial);
    const at = this.#open.findIndex(({ left }) => left.includes(trial));
    const open = this.#open[at];
    if (!open) return;
    open.left.splice(open.left.indexOf(trial), 1);
    if (open.left.length > 0) return;
    this.#open.splice(at, 1);
    await this.#work.done(open.block);
  }

  /** What was begun and has no row is offered once more. */
  startOver(): void {
    this.#begun.clear();
  }
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

/** The same work, with no block begun any more once a time is over. */
export function withinBudget(
  work: Work,
  budgetMs: number,
  nowMs: () => number = () => performance.now(),
): Work {
  const endMs = nowMs() + budgetMs;
  return { ...work, next: async () => (nowMs() < endMs ? work.next() : null) };
}
