import { experimentOf } from '../experiments/index.ts';
import { type Attempt, type Bench, type Measurer, serverOf } from '../experiments/measuring.ts';
import { measuringOf } from '../experiments/measuring-of.ts';
import type { SiteToLoad } from '../experiments/subjects.ts';
import { skipUnreachable } from '../experiments/unreachable.ts';
import { isLiveRun } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import { isOverTcp } from '../ground/records/protocol.ts';
import { eachObservation } from '../ground/records/read.ts';
import { settingsUnder, type Trial } from '../ground/records/run.ts';
import { ServerError } from '../ground/system/errors.ts';
import { measurableCondition } from '../network/conditions.ts';
import { type Path, tcpSettingsOf } from '../network/path.ts';
import { blockKeyOf } from './campaign/block.ts';
import { LoadFault, ServerUnavailableError } from './campaign/faults.ts';
import type { OpenInvocation } from './campaign/open-invocation.ts';
import type { PreparedRun } from './campaign/prepare.ts';
import { carryOut } from './carry-out.ts';
import type { MeasuredPath } from './observation.ts';
import { onCores } from './pinning.ts';
import { sizeOf } from './plan-notice.ts';
import { blocksPerRound } from './schedule.ts';
import { firstSentence, type Server } from './servers.ts';
import {
  clientOfConditions,
  groupConditions,
  serversUnder,
  stacksToStart,
} from './servers-by-condition.ts';
import type { FailedServers } from './test-bed.ts';
import { trackWarmUps } from './warm-ups.ts';

/** Goes through what is left, site by site and round by round, each site's share of a round in servers and browsers of its own. */
export async function measureGroups(path: Path, open: OpenInvocation): Promise<void> {
  const { run } = open;
  const measuring = await measuringOf(experimentOf(run.record));
  const paths = measuredPaths(path, open);
  const trialsOf = Map.groupBy(run.plan.trials, ({ subject }) => subject);
  try {
    for (let first = await open.next(); first; first = await open.next()) {
      const { subject: name } = first;
      const round = roundOf(first, run);
      const isInGroup = (trial: Trial) => trial.subject === name && roundOf(trial, run) === round;
      const subject = run.plan.subjects.find(({ planned }) => planned.subject === name);
      if (!subject) throw new Error(`the plan has no site ${name}`);
      const arms = open.armsLeft((trialsOf.get(name) ?? []).filter(isInGroup));
      const { networks, choices } = run.record;
      const left = run.plan.stacks.filter(({ stack }) => arms.has(stack));
      const stacks = stacksToStart(left, networks, choices);
      const { warn } = open.progress;
      const where = { stacks, path, logsFolder: open.results.logsFolder, warn };
      await open.surroundings.withServers(subject, where, (servers, failed) =>
        measureGroup(
          { subject, arms, isInGroup, servers, failed },
          { measuring, paths, path },
          open,
        ),
      );
    }
  } finally {
    await measuring.end?.();
  }
}

/** Measures the trials of a share, group by group: attempts that follow each other in the same clients, over paths that have been measured. */
async function measureGroup(
  {
    subject,
    arms,
    isInGroup,
    servers,
    failed,
  }: {
    subject: SiteToLoad;
    /** Those that are left to be measured. */
    arms: ReadonlySet<string>;
    isInGroup(trial: Trial): boolean;
    servers: readonly Server[];
    /** Those that did not start. */
    failed: FailedServers;
  },
  { measuring, paths, path }: { measuring: Measurer; paths: MeasuredPaths; path: Path },
  open: OpenInvocation,
): Promise<void> {
  const { run, stop, scheduler, togetherWith } = open;
  const { networks, choices } = run.record;
  const alike = groupConditions(networks, run.plan.stacks).map((conditions, _, { length }) => {
    const own = length === 1 ? servers : serversUnder(conditions, servers, choices);
    const client = measuring.open(createBench(subject, own, path, open));
    return { ...conditions, servers: own, client: skipUnreachable(client, own, togetherWith) };
  });
  const client = clientOfConditions(alike);
  const warmUps = trackWarmUps(open, client, arms);
  /** The servers that the arms have under a trial's condition. */
  const serversFor = ({ network }: Trial) =>
    alike.find((each) => each.networks.has(network.name))?.servers ?? [];
  const start = (trial: Trial) => {
    assertServed(trial, serversFor(trial), failed);
    warmUps.begin(trial);
    open.progress.started(trial);
  };
  /** The planned loads of a group, each stack's after a new warm-up where it was just started and has been warmed up before. */
  async function* trialsFrom(first: Trial): AsyncGenerator<Trial> {
    let block = blockKeyOf(first);
    const warmed = new Set<readonly Server[]>();
    for (
      let trial = await scheduler.next();
      trial && isInGroup(trial);
      trial = await scheduler.next()
    ) {
      // Browsers of all stacks are changed together, and between blocks; paths are measured while nothing is loaded.
      const isNext = blockKeyOf(trial) !== block;
      if (isNext && (client.isWorn || !paths.isMeasured(trial))) return;
      block = blockKeyOf(trial);
      const own = serversFor(trial);
      const due = warmUps.due(trial, warmed.has(own) ? 'own' : 'all');
      // Later the trial before may not have been counted yet, on the same path.
      if (warmed.size === 0 && client.warmUp) {
        due.forEach(start);
        await client.warmUp(due);
      } else {
        for (const warmUp of due) {
          if (stop.soon.aborted) return;
          start(warmUp);
          yield warmUp;
        }
      }
      warmed.add(own);
      for (const each of togetherWith(trial)) {
        scheduler.begin(each);
        start(each);
      }
      yield trial;
    }
  }
  try {
    for (let next = await open.next(); next && isInGroup(next); next = await open.next()) {
      await paths.measure(next, pathRoundOf(next, run));
      await carryOut(trialsFrom(next), client, {
        async begin(trial) {
          await open.surroundings.pause?.(trial);
          await setTcpFor(togetherWith(trial), path, run);
        },
        written: (trial, made) => writeRows(trial, made, serversFor, paths, open),
        signal: stop.now,
      });
      if (!client.isWorn) continue;
      await client.close();
      warmUps.forget();
    }
  } finally {
    await client.close();
  }
}

/**
 * Writes the rows of what one attempt has measured.
 * @throws LoadFault when one of them failed
 */
async function writeRows(
  trial: Trial,
  made: Attempt,
  serversFor: (trial: Trial) => readonly Server[],
  paths: MeasuredPaths,
  open: OpenInvocation,
): Promise<void> {
  const rows: { each: Trial; row: Observation }[] = [];
  for (const each of open.togetherWith(trial)) {
    const own = attemptOfArm(each, trial, made);
    const attributed =
      own.outcome === 'ok' ? own : await attributeFailure(each, own, serversFor(each));
    rows.push({ each, row: open.rowOf(each, attributed, paths.of(each), rows.length) });
  }
  for (const { each, row } of rows) await open.write(each, row);
  // Of a host that is there already nothing can be started again.
  if (isLiveRun(open.run.record)) return;
  const failed = rows.find(({ row }) => row.outcome === 'failed');
  if (failed) throw new LoadFault(failed.row.message ?? '');
}

/** Where stack comes after stack nothing goes in rounds, and the path is measured at each site. */
function roundOf({ block, subject }: Trial, { record, plan }: PreparedRun): string {
  if (record.choices.order === 'sequential') return subject;
  if (isLiveRun(record)) return String(block);
  return String(Math.ceil(Math.max(1, block) / blocksPerRound(plan.stacks.length)));
}

/** Short rounds, of one page under one condition, share a measurement of the path. */
function pathRoundOf(trial: Trial, run: PreparedRun): string {
  const { order } = run.record.choices;
  const { subjects, conditions } = sizeOf(run.record);
  if (order === 'sequential' || subjects * conditions > 1) return roundOf(trial, run);
  return `${trial.subject} ${Math.ceil(Math.max(1, trial.block) / BLOCKS_PER_PATH)}`;
}

const BLOCKS_PER_PATH = 10;

function createBench(
  { planned, manifest, folder }: SiteToLoad,
  servers: readonly Server[],
  path: Path,
  { run, stop, scheduler, results, progress }: OpenInvocation,
): Bench {
  const { choices, timeoutS } = run.record;
  const { pinned } = choices;
  return {
    url: planned.url,
    manifest,
    siteFolder: folder,
    servers,
    path,
    blockOf: scheduler.blockOf,
    made: () => eachObservation(run.folder, experimentOf(run.record), () => {}),
    programs: run.machine,
    enter: [...path.agent.enter('client'), ...(pinned ? onCores(pinned.browserCores) : [])],
    choices,
    hasEvents: run.record.networks.some(({ event }) => event !== undefined),
    timeoutS,
    versions: run.facts.versions,
    results,
    warn: progress.warn,
    signal: stop.now,
  };
}

/** TCP on the path as the arms are to have it that are measured at once, which is one thing for all of them over TCP. */
async function setTcpFor(trials: readonly Trial[], path: Path, run: PreparedRun): Promise<void> {
  const overTcp = run.plan.stacks.find(
    ({ stack, protocol }) => isOverTcp(protocol) && trials.some(({ arm }) => arm === stack),
  );
  const network = trials[0]?.network;
  if (overTcp && network) {
    await path.setTcp(tcpSettingsOf(settingsUnder(overTcp, network), network));
  }
}

/** What came of one of the trials that were measured together, of which one was carried out. */
function attemptOfArm({ arm }: Trial, carriedOut: Trial, made: Attempt): Attempt {
  const own = arm === carriedOut.arm ? made : made.otherArms?.get(arm);
  if (!own) throw new Error(`nothing was measured of ${arm} together with ${carriedOut.arm}`);
  return own;
}

/** @throws UnservedError when the server of a load's stack has ended, or had not started */
function assertServed(trial: Trial, servers: readonly Server[], failed: FailedServers): void {
  const didNotStart = failed.get(trial.arm);
  if (didNotStart) throw new ServerUnavailableError(trial, didNotStart);
  try {
    serverOf(trial.arm, servers).assertAlive();
  } catch (error) {
    throw new ServerUnavailableError(trial, error as Error);
  }
}

/**
 * An attempt that is not ok, put down to its server if that has ended, or does not answer any more.
 * @throws what keeps a server from being asked
 */
async function attributeFailure(
  { arm }: Trial,
  made: Attempt,
  servers: readonly Server[],
): Promise<Attempt> {
  try {
    const server = serverOf(arm, servers);
    server.assertAlive();
    await server.assertAnswers?.();
    return made;
  } catch (error) {
    // A run that is stopped says nothing of the server.
    if (!(error instanceof ServerError)) throw error;
    const message = firstSentence(error);
    return { ...made, outcome: 'failed', code: 'server-failed', message };
  }
}

/** What the path was measured to be under each condition, once in a round. */
type MeasuredPaths = ReturnType<typeof measuredPaths>;

/** Paths of which none is measured yet. */
function measuredPaths(path: Path, { results, progress, surroundings: testBed }: OpenInvocation) {
  const found = new Map<string, MeasuredPath>();
  let roundOfFound = '';
  return {
    isMeasured: ({ network }: Trial) => found.has(network.name),
    /** As a load's record has it. */
    of({ network }: Trial): MeasuredPath {
      const measured = found.get(network.name);
      if (!measured) throw new Error(`no path was measured for ${network.name}`);
      return measured;
    },
    /**
     * Measures the path of a trial, if it has not been in this round.
     * @throws NetworkError when the path is not what was asked for.
     */
    async measure({ subject, network }: Trial, round: string): Promise<void> {
      if (round !== roundOfFound) found.clear();
      roundOfFound = round;
      if (found.has(network.name)) return;
      const condition = { ...measurableCondition(network), seed: CALIBRATION_SEED };
      await path.apply(condition);
      const { udpRttMs, late } = await testBed.calibrate(path, condition, {
        onMeasured: (calibration) => results.appendCalibration({ subject, ...calibration }),
        onLate: (why) => progress.pathLate(why),
      });
      found.set(network.name, { measuredRttMs: udpRttMs?.median ?? null, pathLate: late });
    },
  };
}

// Probes that are lost are sent again, so it matters to no result.
const CALIBRATION_SEED = 1;
