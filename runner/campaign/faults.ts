import { cellKey, subjectConditionKey } from '../../ground/records/cell.ts';
import type { Trial } from '../../ground/records/run.ts';
import { EXIT, ExitError } from '../../ground/system/exit-status.ts';
import { add, failingCells, type JudgedLoad, noFailures } from './failing-cells.ts';

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
export class UnservedError extends Error {
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
  const path = brokenInRow();
  const pages = Map.groupBy(trials, subjectConditionKey);
  const loadedPages = new Set<string>();
  let inRow = noFailures();
  const rests = (trial: Trial): boolean => cells.rests(cellKey(trial));
  const isTooMuch = (load: JudgedLoad): boolean => {
    if (load.code === 'network-failed') return path.breaks(load) >= limit;
    // A host that is away may come back, and costs the others nothing.
    if (live === 'hosts') return false;
    const hasReachedLimit = cells.failed(load);
    if (!hasReachedLimit || live === 'pages') return false;
    const page = subjectConditionKey(load);
    const isWhole = (pages.get(page) ?? []).every(rests);
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
    note(load: JudgedLoad): void {
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
    rests,
    /** Arms of trials whose cells do not all rest: what rests is given up, or the invocation stops. */
    armsLeft: (some: readonly Trial[]): Set<string> =>
      new Set(some.filter((trial) => !rests(trial)).map(({ arm }) => arm)),
    obstacleTo: cells.obstacleTo,
    resume: cells.resume,
  };
}

/** How many loads in a row the path has broken: of one network, or of all. */
function brokenInRow() {
  const ofNetwork = new Map<string, number>();
  let ofAll = 0;
  return {
    breaks({ network }: Pick<JudgedLoad, 'network'>): number {
      const own = (ofNetwork.get(network.name) ?? 0) + 1;
      ofNetwork.set(network.name, own);
      ofAll++;
      return Math.max(own, ofAll);
    },
    works({ network }: Pick<JudgedLoad, 'network'>): void {
      ofNetwork.delete(network.name);
      ofAll = 0;
    },
  };
}
