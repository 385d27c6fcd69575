import { experimentOf, verdictMetric } from '../experiments/index.ts';
import type { EndManifest, FairnessManifest } from '../ground/records/fairness.ts';
import { isLiveRun } from '../ground/records/network.ts';
import { eachObservation } from '../ground/records/read.ts';
import type { PlanRecord, Trial } from '../ground/records/run.ts';
import { NetworkError, UsageError } from '../ground/system/errors.ts';
import { removeLeftFolders, withTemporaryFolder } from '../ground/system/temporary-folder.ts';
import type { Path } from '../network/path.ts';
import { blocksOf } from './campaign/block.ts';
import { countFaults, LoadFault, ServerUnavailableError } from './campaign/faults.ts';
import { differing, invocationOf } from './campaign/invocation.ts';
import { hasUnseenLoads, spentMsOf, takeLook } from './campaign/look.ts';
import { type OpenInvocation, openInvocation } from './campaign/open-invocation.ts';
import type { PreparedRun } from './campaign/prepare.ts';
import { atIntervals, type Work, withinBudget, workOf } from './campaign/scheduler.ts';
import { sequentialStopping } from './campaign/sequential-stopping.ts';
import { emptyTally, type Tally } from './campaign/tally.ts';
import { keptFiles } from './kept-files.ts';
import { measureGroups } from './measure-groups.ts';
import type { Obstacle } from './observation.ts';
import { comparisonsOf, sizeOf } from './plan-notice.ts';
import { makeProgress } from './progress.ts';
import { createFolder, openResults, pointLatestTo, writeRun } from './results.ts';
import { firstSentence } from './servers.ts';
import type { Stop } from './stop.ts';
import type { TestBed } from './test-bed.ts';

/** Planned loads that belong to this invocation and have no row yet. */
export function remainingTrials({
  plan,
  own,
  resumed,
}: Pick<PreparedRun, 'plan' | 'own' | 'resumed'>) {
  const done = resumed?.done.ids;
  return plan.trials.filter(({ id }) => own.has(id) && !done?.has(id));
}

/**
 * Creates the path, writes the plan, and makes the remaining loads. Each row is on the disk before the next load begins. After a
 * fault, path and servers are started again; the load that met it has failed, and the run continues.
 * @param work source of the loads; default: all remaining ones, in the order of the plan
 * @throws InterruptedError when the user stopped it; FaultsError when too many loads in a row failed; errors of this machine, of
 *   servers that do not start, and of a path that fails before the first load
 */
export async function measureRun(
  run: PreparedRun,
  stop: Stop,
  work: Work = workOf(blocksOf(remainingTrials(run), run.record.choices.order)),
  createTestBed: CreateTestBed = createTestBedFor,
): Promise<Tally> {
  await removeLeftFolders();
  // New keys for each invocation: trusting them means trusting nothing else.
  return withTemporaryFolder('keys', async (keysFolder) =>
    runInvocation(run, stop, work, await createTestBed(run, keysFolder, stop)),
  );
}

/** Creates the test bed for the work of an invocation. */
type CreateTestBed = (
  run: PreparedRun,
  keysFolder: string,
  stop: Stop,
) => TestBed | Promise<TestBed>;

/** A local path and servers, or live hosts. */
const createTestBedFor: CreateTestBed = async (run, keysFolder, stop) => {
  if (isLiveRun(run.record)) {
    const { createLiveTestBed: liveSurroundings } = await import('./live/test-bed.ts');
    return liveSurroundings(run, stop);
  }
  const { createTestBed: surroundingsOf } = await import('./test-bed.ts');
  return surroundingsOf(run, keysFolder, stop.now);
};

async function runInvocation(
  run: PreparedRun,
  stop: Stop,
  work: Work,
  testBed: TestBed,
): Promise<Tally> {
  const { invocation, record } = run;
  const begun = new InvocationHolder();
  const sequential = sequentialWork(run, begun);
  const everyMs = experimentOf(record).planning?.everyMs?.(record.choices) ?? null;
  const { budgetMs } = invocation;
  const paced = everyMs === null ? work : atIntervals(work, everyMs, endSignal(stop, budgetMs));
  const limited = sequential ?? (budgetMs === null ? paced : withinBudget(paced, budgetMs));
  try {
    for (let goesOn = true; goesOn; ) {
      try {
        // A path is restored with the backend of the first one.
        const backend = begun.open?.record.backend ?? run.backend;
        await testBed.withPath(backend, async (path) => {
          begun.open ??= await beginInvocation(run, path, {
            testBed,
            stop,
            work: limited,
          });
          await measureGroups(path, begun.open);
        });
        goesOn = false;
        // Remaining loads belong to other workers, or are not needed; interrupted runs continue.
        const isOver = sequential !== null && !stop.soon.aborted;
        if (invocation.queue !== null || isOver) await begun.open?.chooseFiles();
      } catch (error) {
        stop.now.throwIfAborted();
        if (begun.open === null) throw error;
        goesOn = await recover(error as Error, begun.open);
      }
    }
  } finally {
    await begun.open?.close();
  }
  stop.soon.throwIfAborted();
  return begun.open?.tally ?? emptyTally();
}

/** The invocation, once the first path exists: later paths belong to the same one. */
class InvocationHolder {
  open: OpenInvocation | null = null;
}

/** Signals that no further load begins: the user stopped the run, or its budget is used up. */
function endSignal(stop: Stop, budgetMs: number | null): AbortSignal {
  return budgetMs === null
    ? stop.soon
    : AbortSignal.any([stop.soon, AbortSignal.timeout(budgetMs)]);
}

/** The work of a run with a stopping rule; null: the number of repetitions is fixed. */
function sequentialWork(run: PreparedRun, begun: InvocationHolder): Work | null {
  const { record, plan, resumed } = run;
  const { stopping } = record;
  if (!stopping) return null;
  const looks = [...(resumed?.looks ?? [])];
  const size = sizeOf(record);
  return sequentialStopping({
    blocks: blocksOf(remainingTrials(run), record.choices.order),
    rule: stopping,
    before: [...looks],
    spentMs: resumed ? spentMsOf(resumed) : 0,
    hasUnseen: resumed !== null && hasUnseenLoads(resumed),
    arms: plan.stacks.length,
    subjects: size.subjects,
    comparisons: comparisonsOf(size),
    async look(time) {
      const { open } = begun;
      if (!open) throw new Error('a look at a run that has not begun');
      const look = takeLook(
        {
          plan: record,
          before: looks,
          observations: open.observations,
          invocation: open.record.id,
          invocations: [...(resumed?.invocations ?? []), open.record],
        },
        time,
      );
      looks.push(look);
      await open.results.appendLook(look);
      return look;
    },
  });
}

/** Records this invocation before its first load. */
async function beginInvocation(
  run: PreparedRun,
  path: Path,
  { testBed, stop, work }: { testBed: TestBed; stop: Stop; work: Work },
): Promise<OpenInvocation> {
  const { folder, record, facts, resumed, invocation } = run;
  const { backend } = path;
  const fairness = await testBed.readEnds(path);
  const changes = resumed ? changesOfEnds(resumed.run.fairness, fairness) : [];
  if (changes.length > 0 && !invocation.resumeAnyway) {
    throw new UsageError(
      `--resume ${folder}: the path has changed since the run began:\n${changes.map((each) => `  ${each}\n`).join('')}Restore it, or use --resume-anyway, which the report will mention.`,
    );
  }
  const { host, versions, revision } = facts;
  if (!resumed) await createFolder(folder, run.traces);
  const results = await openResults(folder, record);
  const described = invocationOf({
    ...facts,
    backend,
    differences: [...facts.differences, ...changes],
  });
  await results.appendInvocation(described);
  if (!resumed) await writeRun(folder, { ...record, backend, fairness, versions, revision, host });
  await pointLatestTo(folder);
  const kept = keptFiles(folder, record, run.own);
  const faults = countFaults(invocation.stopAfter, record.trials, {
    live: liveKindOf(record),
  });
  if (resumed) {
    await kept.readMade();
    await faults.resume(eachObservation(folder, experimentOf(record), () => {}));
  }
  const progress = makeProgress({
    nouns: experimentOf(record).attempt,
    metric: verdictMetric(record),
    loads: invocation.queue === null && !record.stopping ? run.own.size : null,
    done: record.stopping
      ? (resumed?.observations.length ?? 0)
      : run.own.size - remainingTrials(run).length,
    ...(record.stopping && {
      leftMs: record.stopping.budgetMs - (resumed ? spentMsOf(resumed) : 0),
    }),
    format: invocation.progress,
  });
  return openInvocation(described, {
    run,
    testBed,
    stop,
    results,
    kept,
    progress,
    work,
    faults,
  });
}

/** Changes of both ends of the path, as sentences. */
function changesOfEnds(before: FairnessManifest, now: FairnessManifest): string[] {
  return (['client', 'server'] as const).flatMap((end) =>
    differing(valuesOf(before[end]), valuesOf(now[end])).map(
      (change) => `At the ${end}'s end ${change}`,
    ),
  );
}

function valuesOf(end: EndManifest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(end).map(([name, { value }]) => [name, value]));
}

/**
 * Attributes an error to the load that met it.
 * @returns whether loads are left
 * @throws the error itself when a new start cannot help
 */
async function recover(error: Error, open: OpenInvocation): Promise<boolean> {
  open.scheduler.startOver();
  if (!(error instanceof LoadFault)) {
    const met = await loadStoppedBy(error, open);
    if (met === null) return false;
    await open.writeUnmade(met.trial, met.obstacle);
  }
  return (await open.next()) !== null;
}

/** The load that could not begin because of an error, and why; null: none is affected. */
async function loadStoppedBy(
  error: Error,
  open: OpenInvocation,
): Promise<{ trial: Trial; obstacle: Obstacle } | null> {
  const message = firstSentence(error);
  if (error instanceof ServerUnavailableError) {
    return { trial: error.trial, obstacle: { code: 'server-failed', message } };
  }
  // A path that has never worked in this invocation is not a passing fault.
  if (!(error instanceof NetworkError && open.hasMade())) throw error;
  const trial = await open.next();
  return trial && { trial, obstacle: { code: 'network-failed', message } };
}

/** What a live run measures; null: a run on the test bed. */
function liveKindOf(record: PlanRecord): 'hosts' | 'pages' | null {
  if (!isLiveRun(record)) return null;
  return experimentOf(record).planning?.live?.pauseMs ? 'pages' : 'hosts';
}
