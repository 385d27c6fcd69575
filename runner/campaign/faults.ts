import { variantName } from '../../experiments/index.ts';
import { cellKey, subjectConditionKey } from '../../records/cell.ts';
import { isFailureOfStack, isGivenUp } from '../../records/counted-loads.ts';
import { variantOf } from '../../records/factors.ts';
import type { Observation } from '../../records/observation.ts';
import type { Trial } from '../../records/run.ts';
import { EXIT, ExitError } from '../../system/exit-status.ts';
import type { Obstacle } from '../observation.ts';

/** Too many loads in a row failed, and nothing says that it is the doing of one page or stack. */
export class FaultsError extends ExitError {
  override name = 'FaultsError';
  readonly exitStatus: number;

  constructor(message: string, code: string) {
    super(message);
    this.exitStatus = EXIT_OF_CODE[code] ?? EXIT.someLoadsNotOk;
  }
}

const EXIT_OF_CODE: Readonly<Record<string, number>> = {
  'server-failed': EXIT.server,
  'network-failed': EXIT.network,
};

/** A load failed: whatever it was that broke, path and servers are started again. */
export class LoadFault extends Error {
  override name = 'LoadFault';
}

/** A load that could not be begun, because the server of its stack had ended or had not started. */
export class UnservedError extends Error {
  override name = 'UnservedError';
  readonly trial: Trial;

  constructor(trial: Trial, cause: Error) {
    super(cause.message, { cause });
    this.trial = trial;
  }
}

/** What of a load decides whether others are still begun. */
export type JudgedLoad = Pick<
  Observation,
  'subject' | 'arm' | 'network' | 'factors' | 'outcome' | 'code' | 'message'
>;

type Cell = Pick<Trial, 'subject' | 'arm' | 'network' | 'factors'>;

/** Loads that failed one after the other. */
interface Failures {
  count: number;
  codes: Set<string>;
  /** What the last one said. */
  message: string;
}

/** The last loads of a cell, all failed. */
interface FailingCell extends Failures {
  cell: Pick<Cell, 'subject'>;
  /** Whether others have worked since it rests, or before where nothing else is left: it is the cell that fails. */
  isGivenUp: boolean;
}

/** Which cells are given up in an invocation, and when it stops. */
export type Faults = ReturnType<typeof countFaults>;

/**
 * Counts failures in a row, warm-ups included. A cell (site x stack x condition) that reaches the limit rests until another load has
 * worked, and is given up then. The invocation stops where nothing works in between: so many loads are broken by the path, so many
 * pages rest, or a page that loaded before rests on all stacks.
 * @param trials of the plan
 */
export function countFaults(limit: number, trials: readonly Trial[]) {
  const cells = new Map<string, FailingCell>();
  const worked = new Set<string>();
  const cellsOfPage = new Map(
    [...Map.groupBy(trials, subjectConditionKey)].map(([page, own]) => [
      page,
      new Set(own.map(cellKey)),
    ]),
  );
  const path = countBroken();
  let inRow = noFailures();
  const isOver = (key: string) => (cells.get(key)?.count ?? 0) >= limit;
  const stop = (failures: Failures) => {
    throw faultsError(failures);
  };
  const giveUpResting = () => {
    for (const failing of cells.values()) failing.isGivenUp = failing.count >= limit;
  };
  const noteWork = (load: JudgedLoad) => {
    inRow = noFailures();
    worked.add(subjectConditionKey(load));
    cells.delete(cellKey(load));
    giveUpResting();
  };
  const noteFailure = (load: JudgedLoad) => {
    add(inRow, load);
    if (load.code === 'network-failed') {
      if (path.broken(load) >= limit) stop(inRow);
      return;
    }
    const failing = cellOf(cells, load);
    add(failing, load);
    if (failing.count < limit || failing.isGivenUp) return;
    const page = subjectConditionKey(load);
    const isWhole = [...(cellsOfPage.get(page) ?? [])].every(isOver);
    const resting = [...cells.values()].filter((each) => each.count >= limit && !each.isGivenUp);
    const pages = new Set(resting.map(({ cell }) => cell.subject));
    if (pages.size >= limit || (isWhole && worked.has(page))) stop(inRow);
  };
  return {
    /** @throws FaultsError when it is one failure too many */
    note(load: JudgedLoad): void {
      if (load.code !== 'network-failed') path.works(load);
      if (load.outcome === 'failed') noteFailure(load);
      else noteWork(load);
    },
    /** Whether no load of this cell is begun for the time being, or ever. */
    rests: (cell: Cell): boolean => isOver(cellKey(cell)),
    /** Why loads of this cell are not made any more; null: they are, or may be. */
    obstacleTo(cell: Cell): Obstacle | null {
      const failing = cells.get(cellKey(cell));
      return failing?.isGivenUp ? obstacleOf(cell, failing) : null;
    },
    /**
     * Nothing is left but cells that rest: it is they that fail where anything else has worked.
     * @throws FaultsError where nothing has
     */
    decide(): void {
      if (worked.size === 0) stop(inRow);
      giveUpResting();
    },
    /** Takes note of earlier invocations: what they gave up stays so, unless it failed fewer times than are now allowed. */
    async resume(loads: AsyncIterable<JudgedLoad>): Promise<void> {
      const decided = new Set<string>();
      for await (const load of loads) {
        const key = cellKey(load);
        if (isGivenUp(load.code)) decided.add(key);
        else if (load.outcome === 'failed') add(cellOf(cells, load), load);
        else cells.delete(key);
      }
      for (const key of cells.keys()) if (!decided.has(key)) cells.delete(key);
      giveUpResting();
    },
  };
}

/** How many loads in a row the path has broken: of one network, or of all. */
function countBroken() {
  const ofNetwork = new Map<string, number>();
  let ofAll = 0;
  return {
    broken({ network }: Pick<Cell, 'network'>): number {
      const own = (ofNetwork.get(network.name) ?? 0) + 1;
      ofNetwork.set(network.name, own);
      ofAll++;
      return Math.max(own, ofAll);
    },
    works({ network }: Pick<Cell, 'network'>): void {
      ofNetwork.delete(network.name);
      ofAll = 0;
    },
  };
}

function noFailures(): Failures {
  return { count: 0, codes: new Set(), message: '' };
}

function cellOf(cells: Map<string, FailingCell>, load: JudgedLoad): FailingCell {
  const key = cellKey(load);
  const found = cells.get(key) ?? { ...noFailures(), cell: load, isGivenUp: false };
  cells.set(key, found);
  return found;
}

function add(failures: Failures, { code, message }: JudgedLoad): void {
  failures.count++;
  failures.codes.add(code ?? 'unknown');
  failures.message = message ?? 'no message';
}

function faultsError({ count, codes, message }: Failures): FaultsError {
  const [code = 'unknown'] = [...codes].toReversed();
  const how = codes.size === 1 ? 'failed in the same way' : 'failed';
  return new FaultsError(
    `${count} loads in a row ${how} (${[...codes].join(', ')}), so the run stops. The last one: ${message}\n` +
      'What was measured is kept. When the cause is fixed, continue with --resume; --stop-after sets how many failures it takes.',
    code,
  );
}

/** No stack is to be charged with what browser, path or bench broke. */
function obstacleOf(cell: Cell, { count, codes, message }: Failures): Obstacle {
  const variant = variantName(variantOf(cell.factors));
  const condition = `network ${cell.network.name}${variant && `, ${variant}`}`;
  const isOwn = [...codes].every(isFailureOfStack);
  return {
    code: isOwn ? 'given-up' : 'given-up-broken',
    message: `Not made, because ${count} loads in a row of ${cell.subject} by ${cell.arm} over ${condition} had failed (${[...codes].join(', ')}) while others worked. The last one: ${message}`,
  };
}
