import { variantName } from '../../experiments/index.ts';
import { cellKey } from '../../ground/records/cell.ts';
import { isFailureOfStack, isGivenUp } from '../../ground/records/counted-loads.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Trial } from '../../ground/records/run.ts';
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
interface FailingCell {
  subject: string;
  inRow: Failures;
  /** The last ones of them, all with the same code. */
  alike: Failures;
  /** Whether others have worked since it rests, or before where nothing else is left: it is the cell that fails. */
  isGivenUp: boolean;
}

/** Failures of changing codes may have several causes: it takes so many times as many of them. */
const TIMES_IF_NOT_ALIKE = 2;

/**
 * The cells (site x stack x condition) of which the last loads failed, warm-ups included. One that failed `limit` times in a row with
 * the same code, or twice as often with any, rests: no load of it is begun until it is known whether it fails alone, and none at all
 * when it does.
 */
export function failingCells(limit: number) {
  const cells = new Map<string, FailingCell>();
  /** The failures by which a cell rests; null: it does not. */
  const tooMany = ({ alike, inRow }: FailingCell): Failures | null => {
    if (alike.count >= limit) return alike;
    return inRow.count >= TIMES_IF_NOT_ALIKE * limit ? inRow : null;
  };
  const fail = (load: JudgedLoad): FailingCell => {
    const key = cellKey(load);
    const failing = cells.get(key) ?? {
      subject: load.subject,
      inRow: noFailures(),
      alike: noFailures(),
      isGivenUp: false,
    };
    cells.set(key, failing);
    if (!failing.alike.codes.has(codeOf(load))) failing.alike = noFailures();
    add(failing.alike, load);
    add(failing.inRow, load);
    return failing;
  };
  const isUndecided = (failing: FailingCell) => !failing.isGivenUp && tooMany(failing) !== null;
  const giveUpResting = () => {
    for (const failing of cells.values()) failing.isGivenUp = tooMany(failing) !== null;
  };
  return {
    /** @returns whether its cell rests from now on */
    failed: (load: JudgedLoad): boolean => isUndecided(fail(load)),
    worked(load: JudgedLoad): void {
      cells.delete(cellKey(load));
      giveUpResting();
    },
    rests(key: string): boolean {
      const failing = cells.get(key);
      return failing !== undefined && tooMany(failing) !== null;
    },
    /** Sites of cells that rest and are not given up. */
    undecidedSubjects(): Set<string> {
      return new Set([...cells.values()].filter(isUndecided).map(({ subject }) => subject));
    },
    giveUpResting,
    /** Why loads of a cell are not made any more; null: they are, or may be. */
    obstacleTo(cell: Cell): Obstacle | null {
      const failing = cells.get(cellKey(cell));
      const failures = failing?.isGivenUp ? tooMany(failing) : null;
      return failures && obstacleOf(cell, failures);
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
export function add(failures: Failures, load: JudgedLoad): void {
  failures.count++;
  failures.codes.add(codeOf(load));
  failures.message = load.message ?? 'no message';
}

function codeOf({ code }: JudgedLoad): string {
  return code ?? 'unknown';
}

/** No stack is to be charged with what browser, path or bench broke. */
function obstacleOf(cell: Cell, { count, codes, message }: Failures): Obstacle {
  const variant = variantName(variantOf(cell.factors));
  const condition = `network ${cell.network.name}${variant && `, ${variant}`}`;
  const isOwn = [...codes].every(isFailureOfStack);
  return {
    code: isOwn ? 'given-up' : 'given-up-broken',
    message: `Not made, because ${count} attempts in a row (warm-ups included) of ${cell.subject} by ${cell.arm} over ${condition} had failed (${[...codes].join(', ')}). The last one: ${message}`,
  };
}
