import { experimentOf } from '../../experiments/index.ts';
import { notTogether } from '../../experiments/measuring.ts';
import { isGivenUp, NOT_TOGETHER } from '../../ground/records/counted-loads.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { PlanRecord, Trial } from '../../ground/records/run.ts';
import type { KeptFiles } from '../kept-files.ts';
import { type Obstacle, type Unnumbered, unmadeObservation } from '../observation.ts';
import type { Progress } from '../progress.ts';
import type { Results } from '../results.ts';
import type { Faults } from './faults.ts';
import { schedulerOf, type Work } from './scheduler.ts';
import { count, emptyTally } from './tally.ts';

/** What an invocation works with, what it begins with, and how it may end. */
interface Opening {
  plan: Pick<PlanRecord, 'experiment' | 'arms'>;
  results: Results;
  kept: KeptFiles;
  progress: Progress;
  work: Work;
  rowsBefore: number;
  /** Loads of earlier invocations, where the run is looked at before its end. */
  loadsBefore: readonly Observation[];
  /** Whether the run is looked at. */
  keepsLoads: boolean;
  faults: Faults;
  mayBegin: () => boolean;
}

/** An invocation at work: what is left to do, and where what was done is written. */
export type OpenInvocation = ReturnType<typeof openInvocation>;

/** An invocation that has made nothing yet. */
export function openInvocation(
  record: InvocationRecord,
  { plan, results, kept, progress, work, faults, mayBegin, ...before }: Opening,
) {
  const { together = false } = experimentOf(plan);
  /** What is measured by one attempt with a trial whose turn has come, itself included. */
  const togetherWith = (trial: Trial): readonly Trial[] =>
    together ? scheduler.blockOf(trial) : [trial];
  const rests = (trial: Trial): boolean => togetherWith(trial).some(faults.rests);
  const scheduler = schedulerOf(work, { mayBegin, rests });
  const tally = emptyTally();
  const observations = [...before.loadsBefore];
  let rows = before.rowsBefore;
  let hasMade = false;
  let warmUps = 0;
  /**
   * Writes a load down; when it returns, the load is on the disk and done.
   * @throws FaultsError when it is one failure too many; DiskError
   */
  const write = async (trial: Trial, unnumbered: Unnumbered): Promise<void> => {
    const { formatVersion, formatMinor, id, ...rest } = unnumbered;
    // 1, 2, 3 ... in the order actually run, through all invocations; behind the id, where rows have had it since the first.
    const load = { formatVersion, formatMinor, id, order: rows + 1, ...rest };
    await results.append(load);
    if (before.keepsLoads) observations.push(load);
    await kept.made(load);
    rows++;
    if (load.path !== null) hasMade = true;
    count(tally, load);
    await scheduler.ended(trial);
    progress.ended(load);
    if (!isGivenUp(load.code) && load.code !== NOT_TOGETHER) faults.note(load);
  };
  const { id: invocation, backend } = record;
  const writeOne = (trial: Trial, obstacle: Obstacle) =>
    write(trial, unmadeObservation(trial, obstacle, { plan, backend, invocation }));
  const writeUnmade = async (trial: Trial, obstacle: Obstacle) => {
    const obstacles = togetherWith(trial).map((each) => ({
      each,
      own: each === trial ? obstacle : (faults.obstacleTo(each) ?? notTogether(trial, obstacle)),
    }));
    for (const { each, own } of obstacles) await writeOne(each, own);
  };
  return {
    record,
    results,
    progress,
    scheduler,
    tally,
    /** All loads of the run so far, where it is looked at before its end; else none. */
    observations,
    /** Whether path and servers have worked in this invocation. */
    hasMade: () => hasMade,
    write,
    /** The same for a load that could not be begun, and for those that were to be measured with it. */
    writeUnmade,
    /**
     * The next load that has not been begun, asked for while none is at work: loads of cells that were given up get their rows first.
     * @throws FaultsError when nothing is left but what has failed too often, and nothing has worked
     */
    async next(): Promise<Trial | null> {
      for (;;) {
        const next = await scheduler.next();
        const resting = scheduler.resting();
        const unmade = resting.flatMap((trial) => {
          const obstacle = faults.obstacleTo(trial);
          return obstacle ? [{ trial, obstacle }] : [];
        });
        for (const { trial, obstacle } of unmade) {
          // One that was measured with others has its row by them.
          if (scheduler.expects(trial.id)) await writeUnmade(trial, obstacle);
        }
        if (unmade.length > 0) continue;
        if (next !== null || resting.length === 0) return next;
        faults.decide();
      }
    },
    /** Whether no load of its cell is begun, for the time being or ever. */
    rests,
    togetherWith,
    armsLeft: faults.armsLeft,
    /** A warm-up once more, for servers that were started again or in another invocation: known apart by its id. */
    warmUpAgain(planned: Trial, { network, networkSeed, factors }: Trial): Trial {
      warmUps++;
      const id = `${planned.id}@${record.id}.${warmUps}`;
      return { ...planned, id, network, networkSeed, factors };
    },
    /** Other machines have the rest: what is here is all that kept files are chosen from. */
    chooseFiles: () => kept.endAsItIs(),
    async close(): Promise<void> {
      progress.close();
      await results.close();
    },
  };
}
