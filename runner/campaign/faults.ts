import { variantName } from '../../experiments/index.ts';
import { cellKey, subjectConditionKey } from '../../ground/records/cell.ts';
import { isFailureOfStack, isGivenUp } from '../../ground/records/counted-loads.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Trial } from '../../ground/records/run.ts';
import { EXIT, ExitError } from '../../ground/system/exit-status.ts';
import type { Obstacle } from '../observation.ts';

/** Too many loads in a row failed, and neither one page nor one stack explains it. */
export class FaultsError extends ExitError {
  override name = 'FaultsError';
  readonly exitStatus: number;

  constructor(message: string, code: string) {
    super(message);
    this.exitStatus = EXIT_OF_CODE.get(code) ?? EXIT.someLoadsNotOk;
  }
}

const EXIT_OF_CODE = new Map<string, number>(
  Object.entries({
    'server-failed': EXIT.server,
    'network-failed': EXIT.network,
  }),
);

/** A load failed: path and servers are started again. */
export class LoadFault extends Error {
  override name = 'LoadFault';
}

/** A load could not begin, because the server of its stack had ended or had not started. */
export class ServerUnavailableError extends Error {
  override name = 'UnservedError';
  readonly trial: Trial;

  constructor(trial: Trial, cause: Error) {
    super(cause.message, { cause });
    this.trial = trial;
  }
}

/** Which cells are given up in an invocation, and when it stops. */
export type Faults = ReturnType<typeof countFaults>;

/**
 * Counts failures in a row. A cell (site x stack x condition) that reaches the limit is paused until another load has worked, and is given up then. The
 * invocation stops when nothing works in between: the path broke that number of loads, that number of pages is paused, or a page that
 * loaded before is paused on all stacks.
 * @param trials all trials of the plan
 */
export function countFaults(
  limit: number,
  trials: readonly Trial[],
  /** Set for live runs, whose subjects fail independently. Hosts are tried again in the next round, pages are given up. */
  { live = null }: { live?: 'hosts' | 'pages' | null } = {},
) {
  const cells = failingCells(limit);
  const path = networkFailuresInRow();
  const pages = Map.groupBy(trials, subjectConditionKey);
  const loadedPages = new Set<string>();
  let inRow = noFailures();
  const isPaused = (trial: Trial): boolean => cells.isPaused(cellKey(trial));
  const isTooMuch = (load: LoadOutcome): boolean => {
    if (load.code === 'network-failed') return path.breaks(load) >= limit;
    // An unreachable host may come back, and does not affect other hosts.
    if (live === 'hosts') return false;
    const hasReachedLimit = cells.failed(load);
    if (!hasReachedLimit || live === 'pages') return false;
    const page = subjectConditionKey(load);
    const isWhole = (pages.get(page) ?? []).every(isPaused);
    return (isWhole && loadedPages.has(page)) || cells.undecidedSubjects().size >= limit;
  };
  const stop = () => {
    const { count, codes, message } = inRow;
    const [code = 'unknown'] = [...codes].toReversed();
    const how = codes.size === 1 ? 'failed in the same way' : 'failed';
    throw new FaultsError(
      `${count} attempts in a row ${how} (${[...codes].join(', ')}), so the run stops. The last one: ${message}\n` +
        'What was measured is kept. When the cause is fixed, continue with --resume; --stop-after sets how many failures it takes.',
      code,
    );
  };
  return {
    /** @throws FaultsError when it is one failure too many */
    note(load: LoadOutcome): void {
      if (load.code !== 'network-failed') path.works(load);
      if (load.outcome === 'failed') {
        add(inRow, load);
        if (isTooMuch(load)) stop();
        return;
      }
      // An unsupported feature is no fault.
      if (load.outcome === 'unsupported') return;
      inRow = noFailures();
      loadedPages.add(subjectConditionKey(load));
      cells.worked(load);
    },
    /**
     * Gives paused cells up when nothing else is left and something else has worked.
     * @throws FaultsError when nothing has worked
     */
    decide(): void {
      if (loadedPages.size === 0 && live === null) stop();
      cells.giveUpResting();
    },
    /** Whether the cell of a trial is paused or given up. */
    isPaused,
    /** Arms of trials whose cells are not all paused: paused cells are given up, or the invocation stops. */
    armsLeft: (some: readonly Trial[]): Set<string> =>
      new Set(some.filter((trial) => !isPaused(trial)).map(({ arm }) => arm)),
    obstacleTo: cells.obstacleTo,
    resume: cells.resume,
  };
}

/** Loads in a row that the path has broken, in one network or in all. */
function networkFailuresInRow() {
  const ofNetwork = new Map<string, number>();
  let ofAll = 0;
  return {
    breaks({ network }: Pick<LoadOutcome, 'network'>): number {
      const own = (ofNetwork.get(network.name) ?? 0) + 1;
      ofNetwork.set(network.name, own);
      ofAll++;
      return Math.max(own, ofAll);
    },
    works({ network }: Pick<LoadOutcome, 'network'>): void {
      ofNetwork.delete(network.name);
      ofAll = 0;
    },
  };
}

/** The parts of a load's result that decide whether further loads begin. */
export type LoadOutcome = Cell & Pick<Observation, 'outcome' | 'code' | 'message'>;

type Cell = Pick<Trial, 'subject' | 'arm' | 'network' | 'factors'>;

/** Consecutive failed loads. */
interface Failures {
  count: number;
  codes: Set<string>;
  /** Message of the last one. */
  message: string;
}

/** A cell whose last loads all failed. */
interface FailingCell {
  subject: string;
  inRow: Failures;
  /** The last failures, all with the same code. */
  alike: Failures;
  /** Other loads have worked since it was paused, or before it when nothing else is left: the cell itself fails. */
  isGivenUp: boolean;
}

/** Failures with different codes may have several causes, so the limit is multiplied by this factor. */
const MIXED_CODES_FACTOR = 2;

/**
 * Cells whose last loads failed, warm-ups included. A cell that failed `limit` times in a row with the same
 * code, or twice as often with any code, is paused: no load of it begins until it is known whether it fails alone; then it is
 * given up.
 */
function failingCells(limit: number) {
  const cells = new Map<string, FailingCell>();
  /** Failures for which a cell is paused; null: not paused. */
  const tooMany = ({ alike, inRow }: FailingCell): Failures | null => {
    if (alike.count >= limit) return alike;
    return inRow.count >= MIXED_CODES_FACTOR * limit ? inRow : null;
  };
  const fail = (load: LoadOutcome): FailingCell => {
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
  const giveUpPaused = () => {
    for (const failing of cells.values()) failing.isGivenUp = tooMany(failing) !== null;
  };
  return {
    /** @returns whether the load's cell is paused from now on */
    failed: (load: LoadOutcome): boolean => isUndecided(fail(load)),
    worked(load: LoadOutcome): void {
      cells.delete(cellKey(load));
      giveUpPaused();
    },
    isPaused(key: string): boolean {
      const failing = cells.get(key);
      return failing !== undefined && tooMany(failing) !== null;
    },
    /** Sites of cells that are paused and not given up. */
    undecidedSubjects(): Set<string> {
      return new Set([...cells.values()].filter(isUndecided).map(({ subject }) => subject));
    },
    giveUpResting: giveUpPaused,
    /** Why loads of a cell are skipped; null: they are not. */
    obstacleTo(cell: Cell): Obstacle | null {
      const failing = cells.get(cellKey(cell));
      const failures = failing?.isGivenUp ? tooMany(failing) : null;
      return failures && obstacleOf(cell, failures);
    },
    /** Replays earlier invocations: a cell stays given up, unless it failed fewer times than are now allowed. */
    async resume(loads: AsyncIterable<LoadOutcome>): Promise<void> {
      const decided = new Set<string>();
      for await (const load of loads) {
        if (isGivenUp(load.code)) decided.add(cellKey(load));
        else if (load.outcome === 'failed') fail(load);
        else cells.delete(cellKey(load));
      }
      for (const key of cells.keys()) if (!decided.has(key)) cells.delete(key);
      giveUpPaused();
    },
  };
}

function noFailures(): Failures {
  return { count: 0, codes: new Set(), message: '' };
}

/** Counts one more failure. */
function add(failures: Failures, load: LoadOutcome): void {
  failures.count++;
  failures.codes.add(codeOf(load));
  failures.message = load.message ?? 'no message';
}

function codeOf({ code }: LoadOutcome): string {
  return code ?? 'unknown';
}

/** Faults of browser, path or test bed are not attributed to a stack. */
function obstacleOf(cell: Cell, { count, codes, message }: Failures): Obstacle {
  const variant = variantName(variantOf(cell.factors));
  const condition = `network ${cell.network.name}${variant && `, ${variant}`}`;
  const isOwn = [...codes].every(isFailureOfStack);
  return {
    code: isOwn ? 'given-up' : 'given-up-broken',
    message: `Not made, because ${count} attempts in a row (warm-ups included) of ${cell.subject} by ${cell.arm} over ${condition} had failed (${[...codes].join(', ')}). The last one: ${message}`,
  };
}
