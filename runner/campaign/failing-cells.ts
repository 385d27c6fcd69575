import { variantName } from '../../experiments/index.ts';
import { cellKey } from '../../records/cell.ts';
import { isFailureOfStack, isGivenUp } from '../../records/counted-loads.ts';
import { variantOf } from '../../records/factors.ts';
import type { Observation } from '../../records/observation.ts';
import type { Trial } from '../../records/run.ts';
import type { Obstacle } from '../observation.ts';

/** What of a load decides whether others are still begun. */
export type JudgedLoad = Cell & Pick<Observation, 'outcome' | 'code' | 'message'>;

type Cell = Pick<Trial, 'subject' | 'arm' | 'network' | 'factors'>;

/** Loads that failed one after the other. */
export interface Failures {
  count: number;
  codes: Set<string>;
  /** What the last one said. */
  message: string;
}

/** The last loads of a cell, all failed. */
interface FailingCell extends Failures {
  subject: string;
  /** Whether others have worked since it rests, or before where nothing else is left: it is the cell that fails. */
  isGivenUp: boolean;
}

/**
 * The cells (site x stack x condition) of which the last loads failed, warm-ups included. One that failed `limit` times in a row rests:
 * no load of it is begun until it is known whether it fails alone, and none at all when it does.
 */
export function failingCells(limit: number) {
  const cells = new Map<string, FailingCell>();
  const rests = (key: string) => (cells.get(key)?.count ?? 0) >= limit;
  const fail = (load: JudgedLoad): FailingCell => {
    const key = cellKey(load);
    const failing = cells.get(key) ?? { ...noFailures(), subject: load.subject, isGivenUp: false };
    cells.set(key, failing);
    add(failing, load);
    return failing;
  };
  const giveUpResting = () => {
    for (const failing of cells.values()) failing.isGivenUp = failing.count >= limit;
  };
  return {
    /** @returns whether its cell rests from now on */
    failed(load: JudgedLoad): boolean {
      const { count, isGivenUp } = fail(load);
      return count >= limit && !isGivenUp;
    },
    worked(load: JudgedLoad): void {
      cells.delete(cellKey(load));
      giveUpResting();
    },
    rests,
    /** Sites of cells that rest and are not given up. */
    undecidedSubjects(): Set<string> {
      const resting = [...cells.values()].filter((each) => each.count >= limit && !each.isGivenUp);
      return new Set(resting.map(({ subject }) => subject));
    },
    giveUpResting,
    /** Why loads of a cell are not made any more; null: they are, or may be. */
    obstacleTo(cell: Cell): Obstacle | null {
      const failing = cells.get(cellKey(cell));
      return failing?.isGivenUp ? obstacleOf(cell, failing) : null;
    },
    /** Takes note of earlier invocations: what they gave up stays so, unless it failed fewer times than are now allowed. */
    async resume(loads: AsyncIterable<JudgedLoad>): Promise<void> {
      const decided = new Set<string>();
      for await (const load of loads) {
        if (isGivenUp(load.code)) decided.add(cellKey(load));
        else if (load.outcome === 'failed') fail(load);
        else cells.delete(cellKey(load));
      }
      for (const key of cells.keys()) if (!decided.has(key)) cells.delete(key);
      giveUpResting();
    },
  };
}

export function noFailures(): Failures {
  return { count: 0, codes: new Set(), message: '' };
}

/** Adds one to failures in a row. */
export function add(failures: Failures, { code, message }: JudgedLoad): void {
  failures.count++;
  failures.codes.add(code ?? 'unknown');
  failures.message = message ?? 'no message';
}

/** No stack is to be charged with what browser, path or bench broke. */
function obstacleOf(cell: Cell, { count, codes, message }: Failures): Obstacle {
  const variant = variantName(variantOf(cell.factors));
  const condition = `network ${cell.network.name}${variant && `, ${variant}`}`;
  const isOwn = [...codes].every(isFailureOfStack);
  return {
    code: isOwn ? 'given-up' : 'given-up-broken',
    message: `Not made, because ${count} loads in a row (warm-ups included) of ${cell.subject} by ${cell.arm} over ${condition} had failed (${[...codes].join(', ')}) while others worked. The last one: ${message}`,
  };
}
