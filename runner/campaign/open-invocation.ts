import { experimentOf } from '../../experiments/index.ts';
import { type Attempt, invalidWithArm } from '../../experiments/measuring.ts';
import { isGivenUp, NOT_TOGETHER } from '../../ground/records/counted-loads.ts';
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

/** What an invocation works with. */
interface InvocationParts {
  run: PreparedRun;
  surroundings: TestBed;
  stop: Stop;
  results: Results;
  kept: KeptFiles;
  progress: Progress;
  work: Work;
  faults: Faults;
}

/** An invocation at work: what it is made of, what is left to do, and where what was done is written. */
export type OpenInvocation = ReturnType<typeof openInvocation>;

/** An invocation that has made nothing yet. */
export function openInvocation(
  record: InvocationRecord,
  { run, surroundings: testBed, stop, results, kept, progress, work, faults }: InvocationParts,
) {
  const plan = run.record;
  const { together = false } = experimentOf(plan);
  /** What is measured by one attempt with a trial whose turn has come, itself included. */
  const togetherWith = (trial: Trial): readonly Trial[] =>
    together ? scheduler.blockOf(trial) : [trial];
  const isPaused = (trial: Trial): boolean => togetherWith(trial).some(faults.rests);
  const scheduler = createScheduler(work, {
    mayBegin: () => !stop.soon.aborted,
    isPaused,
  });
  const tally = emptyTally();
  const observations = [...(run.resumed?.observations ?? [])];
  let rows = run.resumed?.done.rows ?? 0;
  let hasMade = false;
  let warmUps = 0;
  /**
   * Writes a load down; when it returns, the load is on the disk and done.
   * @throws FaultsError when it is one failure too many; DiskError
   */
  const write = async (trial: Trial, load: Observation): Promise<void> => {
    await results.append(load);
    // Only a run that stops by a rule is looked at before its end.
    if (plan.stopping) observations.push(load);
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
   * @param ahead how many rows are to be written before it
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
    surroundings: testBed,
    stop,
    record,
    results,
    progress,
    scheduler,
    tally,
    /** All loads of the run so far, where it is looked at before its end; else none. */
    observations,
    /** Whether path and servers have worked in this invocation. */
    hasMade: () => hasMade,
    rowOf,
    write,
    /** The same for a load that could not be begun, and for those that were to be measured with it. */
    writeUnmade: writeObstacle,
    /**
     * The next load that has not been begun, asked for while none is at work: loads of cells that were given up get their rows first.
     * @throws FaultsError when nothing is left but what has failed too often, and nothing has worked
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
          // One that was measured with others has its row by them.
          if (scheduler.expects(trial.id)) await writeObstacle(trial, obstacle);
        }
        if (givenUp.length > 0) continue;
        if (next !== null || paused.length === 0) return next;
        faults.decide();
      }
    },
    /** Whether no load of its cell is begun, for the time being or ever. */
    rests: isPaused,
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
