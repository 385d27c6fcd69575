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
import { http2Arms, withHttp2Hosts } from './http2-hosts.ts';
import type { MeasuredPath } from './observation.ts';
import { onCores } from './pinning.ts';
import { sizeOf } from './plan-notice.ts';
import { blocksPerRoundOf } from './schedule.ts';
import { firstSentence, type Server } from './servers.ts';
import {
  clientOfConditions,
  groupConditions,
  serversUnder,
  stacksToStart,
} from './servers-by-condition.ts';
import type { FailedServers } from './test-bed.ts';
import { trackWarmUps } from './warm-ups.ts';

/** Makes the remaining loads site by site and round by round, each site's group of a round in its own servers and browsers. */
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
      const overHttp2 = http2Arms(subject.planned, run.record);
      const needed = new Set([...arms].flatMap((arm) => [arm, overHttp2.get(arm) ?? arm]));
      const left = run.plan.stacks.filter(({ stack }) => needed.has(stack));
      const stacks = stacksToStart(left, networks, choices);
      const { warn } = open.progress;
      const where = { stacks, path, logsFolder: open.results.logsFolder, warn };
      await open.testBed.withServers(subject, where, (servers, failed) => {
        const hosts = subject.planned.hostsByProtocol?.h2 ?? [];
        const started = withHttp2Hosts({ servers, failed }, hosts, overHttp2);
        const withLoads = started.servers.filter(({ stack }) => arms.has(stack.stack));
        return measureGroup(
          { subject, arms, isInGroup, overHttp2, ...started, servers: withLoads },
          { measuring, paths, path },
          open,
        );
      });
    }
  } finally {
    await measuring.end?.();
  }
}

/** Measures a group: consecutive attempts in the same clients, over measured paths. */
async function measureGroup(
  {
    subject,
    arms,
    isInGroup,
    overHttp2,
    servers,
    failed,
  }: {
    subject: SiteToLoad;
    /** Arms with remaining loads. */
    arms: ReadonlySet<string>;
    isInGroup(trial: Trial): boolean;
    /** Arms over HTTP/3 with the arm over HTTP/2 whose server they use, too. */
    overHttp2: ReadonlyMap<string, string>;
    servers: readonly Server[];
    /** Servers that did not start. */
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
  /** The servers of the arms under a trial's condition. */
  const serversFor = ({ network }: Trial) =>
    alike.find((each) => each.networks.has(network.name))?.servers ?? [];
  const start = (trial: Trial) => {
    assertServed(trial, serversFor(trial), failed);
    warmUps.begin(trial);
    open.progress.started(trial);
  };
  /** Planned loads of a group. A stack that was started again, after an earlier warm-up, begins with a new one. */
  async function* trialsFrom(first: Trial): AsyncGenerator<Trial> {
    let block = blockKeyOf(first);
    const warmed = new Set<readonly Server[]>();
    for (
      let trial = await scheduler.next();
      trial && isInGroup(trial);
      trial = await scheduler.next()
    ) {
      // Browsers of all stacks are replaced together, between blocks; paths are measured while nothing loads.
      const isNext = blockKeyOf(trial) !== block;
      if (isNext && (client.isWorn || !paths.isMeasured(trial))) return;
      block = blockKeyOf(trial);
      const own = serversFor(trial);
      const due = warmUps.due(trial, warmed.has(own) ? 'own' : 'all');
      // Later, the previous trial on the same path may not be counted yet.
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
          await open.testBed.pause?.(trial);
          await setTcpFor(togetherWith(trial), overHttp2, path, run);
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
 * Writes the rows of an attempt.
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
  // Live hosts cannot be started again.
  if (isLiveRun(open.run.record)) return;
  const failed = rows.find(({ row }) => row.outcome === 'failed');
  if (failed) throw new LoadFault(failed.row.message ?? '');
}

/** A sequential order has no rounds: the path is measured at each site. */
function roundOf({ block, subject }: Trial, { record, plan }: PreparedRun): string {
  if (record.choices.order === 'sequential') return subject;
  if (isLiveRun(record)) return String(block);
  return String(Math.ceil(Math.max(1, block) / blocksPerRoundOf(plan.stacks)));
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
    recordedAttempts: () => eachObservation(run.folder, experimentOf(run.record), () => {}),
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

/** Sets TCP on the path for arms that are measured together; the arms over TCP share one setting. */
async function setTcpFor(
  trials: readonly Trial[],
  overHttp2: ReadonlyMap<string, string>,
  path: Path,
  run: PreparedRun,
): Promise<void> {
  const arms = trials.map(({ arm }) => overHttp2.get(arm) ?? arm);
  const overTcp = run.plan.stacks.find(
    ({ stack, protocol }) => isOverTcp(protocol) && arms.includes(stack),
  );
  const network = trials[0]?.network;
  if (overTcp && network) {
    await path.setTcp(tcpSettingsOf(settingsUnder(overTcp, network), network));
  }
}

/** The result of one of several trials that were measured together in one attempt. */
function attemptOfArm({ arm }: Trial, carriedOut: Trial, made: Attempt): Attempt {
  const own = arm === carriedOut.arm ? made : made.otherArms?.get(arm);
  if (!own) throw new Error(`nothing was measured of ${arm} together with ${carriedOut.arm}`);
  return own;
}

/** @throws ServerUnavailableError when the server of a load's stack has ended, or did not start */
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
 * Attributes a failed attempt to its server if the server has ended, or no longer answers.
 * @throws what prevents checking the server
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
    // A stopped run is no evidence about the server.
    if (!(error instanceof ServerError)) throw error;
    const message = firstSentence(error);
    return { ...made, outcome: 'failed', code: 'server-failed', message };
  }
}

/** The measured path of each condition, once in a round. */
type MeasuredPaths = ReturnType<typeof measuredPaths>;

function measuredPaths(path: Path, { results, progress, testBed }: OpenInvocation) {
  const found = new Map<string, MeasuredPath>();
  let roundOfFound = '';
  return {
    isMeasured: ({ network }: Trial) => found.has(network.name),
    /** Path of a trial, in the form of a load's record. */
    of({ network }: Trial): MeasuredPath {
      const measured = found.get(network.name);
      if (!measured) throw new Error(`no path was measured for ${network.name}`);
      return measured;
    },
    /**
     * Measures the path of a trial once in a round.
     * @throws NetworkError when the path differs from the requested one.
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

// Lost probes are sent again, so the seed affects no result.
const CALIBRATION_SEED = 1;
