import { experimentOf } from '../experiments/index.ts';
import { type Attempt, type Bench, type Client, serverOf } from '../experiments/measuring.ts';
import { measuringOf } from '../experiments/measuring-of.ts';
import type { SiteToLoad } from '../experiments/subjects.ts';
import { sparing } from '../experiments/unreachable.ts';
import { isOfLiveWeb } from '../ground/records/network.ts';
import { isOverTcp } from '../ground/records/protocol.ts';
import { eachObservation } from '../ground/records/read.ts';
import { settingsUnder, type Trial } from '../ground/records/run.ts';
import { ServerError } from '../ground/system/errors.ts';
import { type Path, tcpOf } from '../network/path.ts';
import { blockKeyOf } from './campaign/block.ts';
import { LoadFault, UnservedError } from './campaign/faults.ts';
import { type MeasuredPaths, measuredPaths } from './campaign/measured-paths.ts';
import type { OpenInvocation } from './campaign/open-invocation.ts';
import type { PreparedRun } from './campaign/prepare.ts';
import { observationOf, type Unnumbered } from './observation.ts';
import { onCores } from './pinning.ts';
import { sizeOf } from './plan-notice.ts';
import { blocksPerRound } from './schedule.ts';
import { carryOut } from './scheduler.ts';
import { firstSentence, type Server } from './servers.ts';
import {
  alikeConditions,
  clientOfConditions,
  serversUnder,
  stacksToStart,
} from './servers-by-condition.ts';
import type { Stop } from './stop.ts';
import type { FailedServers, Surroundings } from './surroundings.ts';

/** What all attempts of an invocation share. */
export interface Sharing {
  run: PreparedRun;
  stop: Stop;
  open: OpenInvocation;
  surroundings: Surroundings;
}

/** Goes through what is left, site by site and round by round, each site's share of a round in servers and browsers of its own. */
export async function measureShares(networkPath: Path, sharing: Sharing): Promise<void> {
  const { run, open, surroundings } = sharing;
  const measuring = await measuringOf(experimentOf(run.record));
  const paths = measuredPaths(networkPath, open, surroundings);
  const trialsOf = Map.groupBy(run.plan.trials, ({ subject }) => subject);
  try {
    for (let first = await open.next(); first; first = await open.next()) {
      const { subject: name } = first;
      const round = roundOf(first, run);
      const isOfShare = (trial: Trial) => trial.subject === name && roundOf(trial, run) === round;
      const subject = run.plan.subjects.find(({ planned }) => planned.subject === name);
      if (!subject) throw new Error(`the plan has no site ${name}`);
      const arms = open.armsLeft((trialsOf.get(name) ?? []).filter(isOfShare));
      const { networks, choices } = run.record;
      const left = run.plan.stacks.filter(({ stack }) => arms.has(stack));
      const stacks = stacksToStart(left, networks, choices);
      const { warn } = open.progress;
      const where = { stacks, path: networkPath, logsFolder: open.results.logsFolder, warn };
      await surroundings.withServers(subject, where, async (servers, failed) => {
        const alike = alikeConditions(networks, run.plan.stacks).map(
          (conditions, _, { length }) => ({
            ...conditions,
            servers: length === 1 ? servers : serversUnder(conditions, servers, choices),
          }),
        );
        const client = clientOfConditions(
          alike.map((conditions) => {
            const opened = measuring.open(
              benchOf(subject, conditions.servers, networkPath, sharing),
            );
            return {
              ...conditions,
              client: sparing(opened, conditions.servers, open.togetherWith),
            };
          }),
        );
        const warm = new Map<string, number>();
        const group = {
          ...sharing,
          networkPath,
          serversFor: ({ network }: Trial) =>
            alike.find((each) => each.networks.has(network.name))?.servers ?? [],
          failed,
          client,
          isOfShare,
          paths,
          arms,
          warm,
        };
        try {
          for (let next = await open.next(); next && isOfShare(next); next = await open.next()) {
            await paths.measure(next, pathRoundOf(next, run));
            await measureGroup(next, group);
            if (!client.isWorn) continue;
            await client.close();
            warm.clear();
          }
        } finally {
          await client.close();
        }
      });
    }
  } finally {
    await measuring.end?.();
  }
}

/** Where stack comes after stack nothing goes in rounds, and the path is measured at each site. */
function roundOf({ block, subject }: Trial, { record, plan }: PreparedRun): string {
  if (record.choices.order === 'sequential') return subject;
  if (isOfLiveWeb(record)) return String(block);
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

/** What the loads of a site share. */
interface Group extends Sharing {
  networkPath: Path;
  /** Those that its arms have under its condition. */
  serversFor(trial: Trial): readonly Server[];
  /** Those that did not start. */
  failed: FailedServers;
  client: Client;
  paths: MeasuredPaths;
  /** Those that are left to be measured. */
  arms: ReadonlySet<string>;
  /** Warm-ups begun since servers and client were started, by what of the client made them (Client.askerOf). */
  warm: Map<string, number>;
  isOfShare(trial: Trial): boolean;
}

function benchOf(
  { planned, manifest, folder }: SiteToLoad,
  servers: readonly Server[],
  networkPath: Path,
  { run, stop, open }: Sharing,
): Bench {
  const { choices, timeoutS } = run.record;
  const { pinned } = choices;
  return {
    url: planned.url,
    manifest,
    siteFolder: folder,
    servers,
    path: networkPath,
    blockOf: open.scheduler.blockOf,
    made: () => eachObservation(run.folder, experimentOf(run.record), () => {}),
    programs: run.machine,
    enter: [...networkPath.agent.enter('client'), ...(pinned ? onCores(pinned.browserCores) : [])],
    choices,
    hasEvents: run.record.networks.some(({ event }) => event !== undefined),
    timeoutS,
    versions: run.facts.versions,
    results: open.results,
    warn: open.progress.warn,
    signal: stop.now,
  };
}

/** Attempts of a share that follow each other in the same clients, over paths that have been measured. */
async function measureGroup(first: Trial, group: Group): Promise<void> {
  const { run, stop, open, client, paths } = group;
  const { record } = run;
  const written = async (trial: Trial, made: Attempt) => {
    const observations: { each: Trial; observation: Unnumbered }[] = [];
    for (const each of open.togetherWith(trial)) {
      const own = attemptOfArm(each, trial, made);
      const blamedOn = own.outcome === 'ok' ? own : await blamed(each, own, group.serversFor(each));
      const observation = observationOf(each, blamedOn, {
        plan: record,
        backend: open.record.backend,
        invocation: open.record.id,
        measuredPath: paths.of(each),
        interferenceRule: record.interferenceRule,
      });
      observations.push({ each, observation });
    }
    for (const { each, observation } of observations) await open.write(each, observation);
    // Of a host that is there already nothing can be started again.
    if (isOfLiveWeb(record)) return;
    const failed = observations.find(({ observation }) => observation.outcome === 'failed');
    if (failed) throw new LoadFault(failed.observation.message ?? '');
  };
  const begin = async (trial: Trial) => {
    await group.surroundings.rest?.(trial);
    await setTcpFor(open.togetherWith(trial), group);
  };
  await carryOut(trialsOfGroup(first, group), client, { begin, written, signal: stop.now });
}

/** TCP on the path as the arms are to have it that are measured at once, which is one thing for all of them over TCP. */
async function setTcpFor(trials: readonly Trial[], { run, networkPath }: Group): Promise<void> {
  const overTcp = run.plan.stacks.find(
    ({ stack, protocol }) => isOverTcp(protocol) && trials.some(({ arm }) => arm === stack),
  );
  const network = trials[0]?.network;
  if (overTcp && network) {
    await networkPath.setTcp(tcpOf(settingsUnder(overTcp, network), network));
  }
}

/** What came of one of the trials that were measured together, of which one was carried out. */
function attemptOfArm({ arm }: Trial, carriedOut: Trial, made: Attempt): Attempt {
  const own = arm === carriedOut.arm ? made : made.others?.get(arm);
  if (!own) throw new Error(`nothing was measured of ${arm} together with ${carriedOut.arm}`);
  return own;
}

/** The planned loads of the group, each stack's after a new warm-up where it was just started and has been warmed up before. */
async function* trialsOfGroup(first: Trial, group: Group): AsyncGenerator<Trial> {
  const { stop, open, client, paths, isOfShare, warm } = group;
  const { scheduler } = open;
  const begin = (trial: Trial) => {
    assertServed(trial, group);
    const asker = askerOf(trial, client);
    if (trial.warmup) warm.set(asker, (warm.get(asker) ?? 0) + 1);
    open.progress.started(trial);
  };
  let block = blockKeyOf(first);
  const warmed = new Set<readonly Server[]>();
  for (
    let trial = await scheduler.next();
    trial && isOfShare(trial);
    trial = await scheduler.next()
  ) {
    // Browsers of all stacks are changed together, and between blocks; paths are measured while nothing is loaded.
    const isNext = blockKeyOf(trial) !== block;
    if (isNext && (client.isWorn || !paths.isMeasured(trial))) return;
    block = blockKeyOf(trial);
    const servers = group.serversFor(trial);
    const which = warmed.has(servers) ? 'own' : 'all';
    const due = dueWarmUps(trial, which, group);
    // Later the trial before may not have been counted yet, on the same path.
    if (warmed.size === 0 && client.warmUp) {
      due.forEach(begin);
      await client.warmUp(due);
    } else {
      for (const warmUp of due) {
        if (stop.soon.aborted) return;
        begin(warmUp);
        yield warmUp;
      }
    }
    warmed.add(servers);
    for (const each of open.togetherWith(trial)) {
      scheduler.begin(each);
      begin(each);
    }
    yield trial;
  }
}

function askerOf(trial: Trial, client: Client): string {
  return client.askerOf?.(trial) ?? trial.arm;
}

/** Warm-ups of what was just started, before a load: all of them together, or that of a stack which rested then. */
function dueWarmUps(
  before: Trial,
  which: 'all' | 'own',
  { run, open, client, arms, warm }: Group,
): Trial[] {
  const { warmUps = 1 } = run.record.choices;
  const missing = (planned: Trial) => {
    const { factors, network } = before;
    const asker = askerOf({ ...planned, factors, network }, client);
    const begun = warm.get(asker) ?? 0;
    // A stack's planned warm-up warms one of its browsers.
    const isToCome = asker === askerOf(planned, client) && open.scheduler.expects(planned.id);
    return warmUps - begun - Number(isToCome);
  };
  const due = run.plan.trials.filter(
    (planned) =>
      planned.warmup &&
      planned.subject === before.subject &&
      (which === 'all' || planned.arm === before.arm) &&
      arms.has(planned.arm) &&
      missing(planned) > 0 &&
      !open.rests({ ...before, arm: planned.arm }),
  );
  // In turns, as the loads that count.
  return Array.from({ length: warmUps }, (_, turn) =>
    due.filter((planned) => missing(planned) > turn),
  )
    .flat()
    .map((planned) => open.warmUpAgain(planned, before));
}

/** @throws UnservedError when the server of a load's stack has ended, or had not started */
function assertServed(trial: Trial, { serversFor, failed }: Group): void {
  const didNotStart = failed.get(trial.arm);
  if (didNotStart) throw new UnservedError(trial, didNotStart);
  try {
    serverOf(trial.arm, serversFor(trial)).assertAlive();
  } catch (error) {
    throw new UnservedError(trial, error as Error);
  }
}

/**
 * An attempt that is not ok, put down to its server if that has ended, or does not answer any more.
 * @throws what keeps a server from being asked
 */
async function blamed({ arm }: Trial, made: Attempt, servers: readonly Server[]): Promise<Attempt> {
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
