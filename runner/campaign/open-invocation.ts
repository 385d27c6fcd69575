import { experimentOf } from '../../experiments/index.ts';
import { type Attempt, invalidWithArm } from '../../experiments/measuring.ts';
import { isGivenUp, NOT_TOGETHER } from '../../ground/records/counted-loads.ts';
import { withoutFilmed } from '../../ground/records/filmed.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Trial } from '../../ground/records/run.ts';
import type { KeptFiles } from '../kept-files.ts';
import { type MeasuredPath, notMadeAttempt, type Obstacle, observationOf } from '../observation.ts';
import type { Progress } from '../progress.ts';
import type { Results } from '../results.ts';
import type { Stop } from '../stop.ts';
import type { TestBed } from '../test-bed.ts';
import type { Faults } from './faults.ts';
import type { PreparedRun } from './prepare.ts';
import { createScheduler, type Work } from './scheduler.ts';
import { count, emptyTally } from './tally.ts';

interface InvocationParts {
  run: PreparedRun;
  testBed: TestBed;
  stop: Stop;
  results: Results;
  kept: KeptFiles;
  progress: Progress;
  work: Work;
  faults: Faults;
}

/** An invocation in progress: its parts, its remaining loads, and where rows are written. */
export type OpenInvocation = ReturnType<typeof openInvocation>;

/** Opens an invocation that has made no load yet. */
export function openInvocation(
  record: InvocationRecord,
  { run, testBed, stop, results, kept, progress, work, faults }: InvocationParts,
) {
  const plan = run.record;
  const { together = false } = experimentOf(plan);
  /** Trials that are measured in one attempt with this one, itself included. */
  const togetherWith = (trial: Trial): readonly Trial[] =>
    together ? scheduler.blockOf(trial) : [trial];
  const isPaused = (trial: Trial): boolean => togetherWith(trial).some(faults.isPaused);
  const scheduler = createScheduler(work, {
    mayBegin: () => !stop.soon.aborted,
    isPaused,
  });
  const tally = emptyTally();
  const observations = withoutFilmed(run.resumed?.observations ?? []);
  let rows = run.resumed?.done.rows ?? 0;
  let hasMade = false;
  let warmUps = 0;
  /**
   * Writes the row of a load, which is on the disk when this returns.
   * @throws FaultsError when too many loads failed; DiskError
   */
  const write = async (trial: Trial, load: Observation): Promise<void> => {
    await results.append(load);
    // Only a run with a stopping rule needs them for its looks.
    if (plan.stopping && !load.filmed) observations.push(load);
    await kept.made(load);
    rows++;
    if (load.path !== null) hasMade = true;
    count(tally, load);
    await scheduler.ended(trial);
    progress.ended(load);
    if (!isGivenUp(load.code) && load.code !== NOT_TOGETHER) faults.note(load);
  };
  /**
   * The row of an attempt.
   * @param ahead number of rows that are written before it
   */
  const rowOf = (trial: Trial, made: Attempt, measuredPath?: MeasuredPath, ahead = 0) => {
    const order = rows + 1 + ahead;
    return observationOf(trial, made, { order, plan, invocation: record, measuredPath });
  };
  const writeObstacle = async (trial: Trial, obstacle: Obstacle) => {
    const obstacles = togetherWith(trial).map((each) => ({
      each,
      own: each === trial ? obstacle : (faults.obstacleTo(each) ?? invalidWithArm(trial, obstacle)),
    }));
    for (const { each, own } of obstacles) await write(each, rowOf(each, notMadeAttempt(own)));
  };
  return {
    run,
    testBed,
    stop,
    record,
    results,
    progress,
    scheduler,
    tally,
    /** All loads of the run so far if it has a stopping rule; else empty. */
    observations,
    /** Whether path and servers have worked in this invocation. */
    hasMade: () => hasMade,
    rowOf,
    write,
    /** Writes the rows of a load that could not begin, and of those measured with it. */
    writeUnmade: writeObstacle,
    /**
     * The next load that has not begun; call it only while no load is in progress. Loads of cells that were given up get their rows first.
     * @throws FaultsError when only paused cells are left, and nothing has worked
     */
    async next(): Promise<Trial | null> {
      for (;;) {
        const next = await scheduler.next();
        const paused = scheduler.paused();
        const givenUp = paused.flatMap((trial) => {
          const obstacle = faults.obstacleTo(trial);
          return obstacle ? [{ trial, obstacle }] : [];
        });
        for (const { trial, obstacle } of givenUp) {
          // A load that is measured together with another one may have its row already.
          if (scheduler.expects(trial.id)) await writeObstacle(trial, obstacle);
        }
        if (givenUp.length > 0) continue;
        if (next !== null || paused.length === 0) return next;
        faults.decide();
      }
    },
    /** Whether the cell of a trial is paused or given up. */
    isPaused,
    togetherWith,
    armsLeft: faults.armsLeft,
    /** Repeats a warm-up for servers that were started again or in another invocation, with an id of its own. */
    warmUpAgain(planned: Trial, { network, networkSeed, factors }: Trial): Trial {
      warmUps++;
      const id = `${planned.id}@${record.id}.${warmUps}`;
      return { ...planned, id, network, networkSeed, factors };
    },
    /** Chooses kept files among the loads of this folder, as other machines make the rest. */
    chooseFiles: () => kept.endAsItIs(),
    async close(): Promise<void> {
      progress.close();
      await results.close();
    },
  };
}
