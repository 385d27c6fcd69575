import { variantName } from '../../experiments/index.ts';
import { cellKey, subjectConditionKey } from '../../ground/records/cell.ts';
import { isFailureOfStack, isGivenUp } from '../../ground/records/counted-loads.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Trial } from '../../ground/records/run.ts';
import { EXIT, ExitError } from '../../ground/system/exit-status.ts';
import type { Obstacle } from '../observation.ts';

/** Too many loads in a row failed, and nothing says that it is the doing of one page or stack. */
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

/** A load failed: whatever it was that broke, path and servers are started again. */
export class LoadFault extends Error {
  override name = 'LoadFault';
}

/** A load that could not be begun, because the server of its stack had ended or had not started. */
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
 * Counts failures in a row. A cell that reaches the limit rests until another load has worked, and is given up then. The invocation
 * stops where nothing works in between: so many loads are broken by the path, so many pages rest, or a page that loaded before rests on
 * all stacks.
 * @param trials of the plan
 */
export function countFaults(
  limit: number,
  trials: readonly Trial[],
  /** Set where subjects are there already: each fails for itself. Hosts are asked again in the next round, pages are given up. */
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
    // A host that is away may come back, and costs the others nothing.
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
      // What cannot be done at all says nothing of what can.
      if (load.outcome === 'unsupported') return;
      inRow = noFailures();
      loadedPages.add(subjectConditionKey(load));
      cells.worked(load);
    },
    /**
     * Nothing is left but cells that rest: it is they that fail where anything else has worked.
     * @throws FaultsError where nothing has
     */
    decide(): void {
      if (loadedPages.size === 0 && live === null) stop();
      cells.giveUpResting();
    },
    /** Whether no load of a trial's cell is begun, for the time being or ever. */
    rests: isPaused,
    /** Arms of trials whose cells do not all rest: what rests is given up, or the invocation stops. */
    armsLeft: (some: readonly Trial[]): Set<string> =>
      new Set(some.filter((trial) => !isPaused(trial)).map(({ arm }) => arm)),
    obstacleTo: cells.obstacleTo,
    resume: cells.resume,
  };
}

/** How many loads in a row the path has broken: of one network, or of all. */
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

/** What of a load decides whether others are still begun. */
export type LoadOutcome = Cell & Pick<Observation, 'outcome' | 'code' | 'message'>;

type Cell = Pick<Trial, 'subject' | 'arm' | 'network' | 'factors'>;

/** Loads that failed one after the other. */
interface Failures {
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
const MIXED_CODES_FACTOR = 2;

/**
 * The cells (site x stack x condition) of which the last loads failed, warm-ups included. One that failed `limit` times in a row with
 * the same code, or twice as often with any, rests: no load of it is begun until it is known whether it fails alone, and none at all
 * when it does.
 */
function failingCells(limit: number) {
  const cells = new Map<string, FailingCell>();
  /** The failures by which a cell rests; null: it does not. */
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
    /** @returns whether its cell rests from now on */
    failed: (load: LoadOutcome): boolean => isUndecided(fail(load)),
    worked(load: LoadOutcome): void {
      cells.delete(cellKey(load));
      giveUpPaused();
    },
    isPaused(key: string): boolean {
      const failing = cells.get(key);
      return failing !== undefined && tooMany(failing) !== null;
    },
    /** Sites of cells that rest and are not given up. */
    undecidedSubjects(): Set<string> {
      return new Set([...cells.values()].filter(isUndecided).map(({ subject }) => subject));
    },
    giveUpResting: giveUpPaused,
    /** Why loads of a cell are not made any more; null: they are, or may be. */
    obstacleTo(cell: Cell): Obstacle | null {
      const failing = cells.get(cellKey(cell));
      const failures = failing?.isGivenUp ? tooMany(failing) : null;
      return failures && obstacleOf(cell, failures);
    },
    /** Takes note of earlier invocations: what they gave up stays so, unless it failed fewer times than are now allowed. */
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

/** Adds one to failures in a row. */
function add(failures: Failures, load: LoadOutcome): void {
  failures.count++;
  failures.codes.add(codeOf(load));
  failures.message = load.message ?? 'no message';
}

function codeOf({ code }: LoadOutcome): string {
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
