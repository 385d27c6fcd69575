import { chainBytes } from '../certs/certificates.ts';
import type { EndManifest, FairnessManifest } from '../records/fairness.ts';
import type { Trial } from '../records/run.ts';
import type { Places } from './browser/place.ts';
import { placesFor } from './browser/places.ts';
import { type Work, withinBudget, workOf } from './campaign/agenda.ts';
import { blockKeyOf, blocksOf } from './campaign/block.ts';
import { differing } from './campaign/changes.ts';
import { LoadFault } from './campaign/faults.ts';
import { takeLook } from './campaign/look.ts';
import { MeasuredPaths } from './campaign/measured-paths.ts';
import { OpenSitting, type Tally } from './campaign/open-sitting.ts';
import type { PreparedRun } from './campaign/prepare.ts';
import { sittingOf } from './campaign/sitting.ts';
import { type Obstacle, unmadeLoad } from './campaign/unmade-load.ts';
import { untilTold } from './campaign/until-told.ts';
import { DEFAULTS } from './defaults.ts';
import { NetworkError, ServerError, UsageError } from './errors.ts';
import { KeptHars } from './hars.ts';
import type { TrialContext, UnnumberedLoad } from './load/load.ts';
import { readFairness } from './network/fairness.ts';
import { withNetwork } from './network/network.ts';
import type { Path } from './network/path.ts';
import { onCores } from './pinning.ts';
import type { SiteToLoad } from './plan.ts';
import { makeProgress } from './progress.ts';
import { createFolder, openResults, pointLatestTo, writeRun } from './results.ts';
import { blocksPerRound } from './schedule.ts';
import { carryOut } from './scheduler.ts';
import { type Server, serverOf, withServers } from './servers.ts';
import { siteServersOptions } from './site-servers.ts';
import type { Stop } from './stop.ts';
import { removeLeftFolders, withTemporaryFolder } from './temporary-folder.ts';

/** What is left of a run when a sitting begins: the planned loads that are its own and have no row yet. */
export function leftOf({ plan, own, resumed }: Pick<PreparedRun, 'plan' | 'own' | 'resumed'>) {
  const done = resumed?.done.ids;
  return plan.trials.filter(({ id }) => own.has(id) && !done?.has(id));
}

/**
 * Makes the path, writes the plan down, and carries out what is left of it; every load is on the disk before the next
 * begins. What breaks on the way is made anew: the load that met it has failed, and the run goes on.
 * @param work where the loads come from; by default all that is left, in the plan's order
 * @throws InterruptedError when the user stopped it; FaultsError when the same failure came too often in a row;
 *   what the machine lacks, or a path or server that does not even work for a first load
 */
export async function measureRun(
  run: PreparedRun,
  stop: Stop,
  work: Work = workOf(blocksOf(leftOf(run), run.record.choices.order)),
): Promise<Tally> {
  await removeLeftFolders();
  // Keys of this sitting alone: whoever trusts them, trusts nothing else.
  return withTemporaryFolder('keys', (keysFolder) => sit(run, stop, work, keysFolder));
}

/** One sitting, with a folder for its keys. */
async function sit(run: PreparedRun, stop: Stop, work: Work, keysFolder: string): Promise<Tally> {
  const { sitting } = run;
  // Set within a callback, where the compiler does not see it.
  let open = null as OpenSitting | null;
  const looking = lookingWork(run, () => open);
  const limited =
    looking ?? (sitting.budgetMs === null ? work : withinBudget(work, sitting.budgetMs));
  try {
    for (let goesOn = true; goesOn; ) {
      try {
        // A path that is made anew is made by whoever made it first.
        const backend = open?.record.backend ?? run.backend;
        await withNetwork(networkOptions({ ...run, backend }, stop.now), async (networkPath) => {
          open ??= await openSitting({ ...run, keysFolder }, networkPath, stop, limited);
          await measureOver(networkPath, { run, stop, open, keysFolder });
        });
        goesOn = false;
        // Whatever is left is others' to make, or nobody's; what was interrupted goes on.
        const isOver = looking !== null && !stop.soon.aborted;
        if (sitting.queue !== null || isOver) await open?.chooseHars();
      } catch (error) {
        stop.now.throwIfAborted();
        if (open === null) throw error;
        goesOn = await recovered(error as Error, run, open);
      }
    }
  } finally {
    await open?.close();
  }
  stop.soon.throwIfAborted();
  return open?.tally ?? { ok: 0, failed: 0, invalid: 0 };
}

function networkOptions({ plan, machine, record, backend }: PreparedRun, signal: AbortSignal) {
  const { choices } = record;
  return {
    ...{ backend, signal },
    python: machine.python,
    hosts: Math.max(...plan.sites.map(({ hosts }) => hosts.length)),
    congestionControl: DEFAULTS.congestionControl,
    initcwnd: choices.initialWindowSegments,
    mtuBytes: choices.mtuBytes,
    offloads: choices.offloads,
    receiveBufferBytes: choices.receiveBufferBytes,
    prefix: choices.pinned ? onCores(choices.pinned.linkCores) : [],
  };
}

/** The work of a run whose repetitions stop by a rule; null: they are fixed. */
function lookingWork(run: PreparedRun, opened: () => OpenSitting | null): Work | null {
  const { record, plan, resumed } = run;
  const { stopping } = record;
  if (!stopping) return null;
  const looks = [...(resumed?.looks ?? [])];
  return untilTold({
    blocks: blocksOf(leftOf(run), record.choices.order),
    ...{ rule: stopping, before: looks },
    ...{ stacks: plan.stacks.length, sites: plan.sites.length },
    async look(elapsedMs, end) {
      const open = opened();
      if (!open) throw new Error('a look at a run that has not begun');
      const look = takeLook(
        {
          ...{ plan: record, stopping, before: looks, pageLoads: open.pageLoads },
          sitting: open.record.id,
          sittings: [...(resumed?.sittings ?? []), open.record],
        },
        ...([elapsedMs, end] as const),
      );
      looks.push(look);
      await open.results.appendLook(look);
      return look;
    },
  });
}

type RunWithKeys = PreparedRun & { keysFolder: string };

/** Writes down what this sitting is before its first load. */
async function openSitting(
  run: RunWithKeys,
  networkPath: Path,
  stop: Stop,
  work: Work,
): Promise<OpenSitting> {
  const { folder, record, facts, resumed, sitting } = run;
  const { backend } = networkPath;
  const fairness = await readEnds(run, networkPath, stop.now);
  const changes = resumed ? changesOfEnds(resumed.run.fairness, fairness) : [];
  if (changes.length > 0 && !sitting.resumeAnyway) {
    throw new UsageError(
      `--resume ${folder}: the path is not what the run was begun with:\n${changes.map((each) => `  ${each}\n`).join('')}Restore it, or go on with --resume-anyway, which every reader of the report will be told.`,
    );
  }
  const { host, versions } = facts;
  if (!resumed) await createFolder(folder);
  const results = await openResults(folder, record.choices);
  const described = sittingOf({
    ...{ ...facts, backend },
    differences: [...facts.differences, ...changes],
  });
  await results.appendSitting(described);
  if (!resumed) await writeRun(folder, { ...record, backend, fairness, versions, host });
  await pointLatestTo(folder);
  const hars = new KeptHars(folder, record, run.own);
  if (resumed) await hars.readMade();
  const progress = makeProgress({
    loads: sitting.queue === null && !record.stopping ? run.own.size : null,
    done: record.stopping ? (resumed?.pageLoads.length ?? 0) : run.own.size - leftOf(run).length,
    ...(record.stopping && {
      leftMs: record.stopping.budgetMs - (resumed?.looks.at(-1)?.elapsedMs ?? 0),
    }),
    format: sitting.progress,
  });
  return new OpenSitting(
    described,
    { results, hars, progress, work },
    {
      rowsBefore: resumed?.done.rows ?? 0,
      loadsBefore: resumed?.pageLoads ?? [],
      keepsLoads: record.stopping !== undefined,
      stopAfter: sitting.stopAfter,
      mayBegin: () => !stop.soon.aborted,
    },
  );
}

/** What both ends of the path are, with what each server says of itself when it serves the first site. */
async function readEnds(
  { plan, machine, record, keysFolder }: RunWithKeys,
  networkPath: Path,
  signal: AbortSignal,
): Promise<FairnessManifest> {
  const [site] = plan.sites;
  if (!site) throw new Error('a plan without sites');
  return withTemporaryFolder('logs', async (logsFolder) => {
    const { choices } = record;
    const options = await siteServersOptions(site, {
      ...{ stacks: plan.stacks, machine, choices, logsFolder, keysFolder, signal },
      path: networkPath,
    });
    const certificateChainBytes = await chainBytes(site.hosts[0] ?? '', options.certsFolder);
    return await withServers(options, (servers) =>
      readFairness(networkPath, { python: machine.python, servers, certificateChainBytes, signal }),
    );
  });
}

/** What of the ends of the path is not as it was. */
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

/** What all loads of a sitting share. */
interface Measuring {
  run: PreparedRun;
  stop: Stop;
  open: OpenSitting;
  keysFolder: string;
}

/**
 * Puts an error down to the load that met it.
 * @returns whether there is anything left to go on with
 * @throws the error itself when no new start could mend it
 */
async function recovered(error: Error, run: PreparedRun, open: OpenSitting): Promise<boolean> {
  const { agenda } = open;
  agenda.startOver();
  if (!(error instanceof LoadFault)) {
    const breaks = error instanceof ServerError || error instanceof NetworkError;
    // What has never worked in this sitting is no accident.
    if (!breaks || !open.hasMade) throw error;
    const trial = await agenda.next();
    if (trial === null) return false;
    const code = obstacleOf(error, trial);
    const message = firstSentence(error);
    const stack = stackOf(trial, run);
    const seen = { sitting: open.record.id, backend: open.record.backend };
    await open.write(trial, unmadeLoad(trial, stack, { code, message }, seen));
  }
  return (await agenda.next()) !== null;
}

/** No stack is to be charged with the server of another one. */
function obstacleOf(error: Error, { stack }: Trial): Obstacle['code'] {
  if (!(error instanceof ServerError)) return 'network-failed';
  return error.server === stack ? 'server-failed' : 'other-server-failed';
}

function stackOf({ stack }: Trial, { plan }: PreparedRun) {
  const found = plan.stacks.find((each) => each.stack === stack);
  if (!found) throw new Error(`the plan has no stack ${stack}`);
  return found;
}

/** Goes through what is left, site by site and round by round, each site's share of a round in servers and browsers of its own. */
async function measureOver(networkPath: Path, measuring: Measuring): Promise<void> {
  const { run, stop, open, keysFolder } = measuring;
  const { agenda } = open;
  const { python } = run.machine;
  const paths = new MeasuredPaths(networkPath, open, { python, signal: stop.now });
  for (let first = await agenda.next(); first; first = await agenda.next()) {
    const { site: name } = first;
    const round = roundOf(first, run);
    const isOfShare = (trial: Trial) => trial.site === name && roundOf(trial, run) === round;
    const site = run.plan.sites.find(({ planned }) => planned.site === name);
    if (!site) throw new Error(`the plan has no site ${name}`);
    const options = await siteServersOptions(site, {
      ...{ stacks: run.plan.stacks, machine: run.machine, choices: run.record.choices },
      ...{ path: networkPath, logsFolder: open.results.logsFolder, keysFolder },
      signal: stop.now,
    });
    await withServers(options, async (servers) => {
      const places = placesOf(servers, networkPath, measuring);
      try {
        let started = true;
        for (let next = await agenda.next(); next && isOfShare(next); next = await agenda.next()) {
          await paths.measure(next, round);
          const group = { servers, places, started, isOfShare, paths, path: networkPath };
          await measureGroup(site, next, { ...group, ...measuring });
          started = places.isWorn;
          if (places.isWorn) await places.close();
        }
        for (const server of servers) server.assertAlive();
      } finally {
        await places.close();
      }
    });
  }
}

/** Where stack comes after stack nothing goes in rounds, and the path is measured at each site. */
function roundOf({ block, site }: Trial, { record, plan }: PreparedRun): string {
  if (record.choices.order === 'sequential') return site;
  return String(Math.ceil(Math.max(1, block) / blocksPerRound(plan.stacks.length)));
}

/** What the loads of a site share. */
interface Group extends Measuring {
  servers: readonly Server[];
  places: Places;
  path: Path;
  paths: MeasuredPaths;
  isOfShare(trial: Trial): boolean;
}

function placesOf(servers: readonly Server[], networkPath: Path, { run, stop }: Measuring): Places {
  const { pinned, isolation, tlsMost } = run.record.choices;
  return placesFor(isolation, servers, {
    ...{ chromium: run.machine.chromium, tlsMost, signal: stop.now },
    enter: [...networkPath.agent.enter('client'), ...(pinned ? onCores(pinned.browserCores) : [])],
  });
}

/** Loads of a share that follow each other in the same browsers, over paths that have been measured. */
async function measureGroup(
  site: SiteToLoad,
  first: Trial,
  group: Group & { started: boolean },
): Promise<void> {
  const { run, stop, open, servers, places, started, paths, path: networkPath } = group;
  const context: TrialContext = {
    ...{ results: open.results, path: networkPath, signal: stop.now },
    ...{ manifest: site.manifest, servers, places, measuredPath: paths.of },
    timeoutS: run.record.timeoutS,
    choices: run.record.choices,
    quietRule: run.record.quietRule,
    versions: run.facts.versions,
    sitting: open.record.id,
  };
  const trials = trialsOfGroup(first, { ...group, again: started });
  await carryOut(trials, context, async (trial, made) => {
    const load = made.outcome === 'ok' ? made : blamed(made, servers);
    await open.write(trial, load);
    if (load.outcome === 'failed') throw new LoadFault(load.message ?? '');
  });
}

/** The planned loads of the group, after new warm-ups of what was just started and has been warmed up before. */
async function* trialsOfGroup(
  first: Trial,
  { run, stop, open, servers, places, paths, isOfShare, again }: Group & { again: boolean },
): AsyncGenerator<Trial> {
  const { agenda } = open;
  const begun = (trial: Trial) => {
    for (const server of servers) server.assertAlive();
    open.progress.started(trial);
    return trial;
  };
  if (again) {
    for (const planned of run.plan.trials.filter(
      (trial) => trial.warmup && trial.site === first.site,
    )) {
      if (agenda.expects(planned.id)) continue;
      if (stop.soon.aborted) return;
      yield begun(open.warmUpAgain(planned, first));
    }
  }
  let block = blockKeyOf(first);
  for (let trial = await agenda.next(); trial && isOfShare(trial); trial = await agenda.next()) {
    // Browsers of all stacks are changed together, and between blocks; paths are measured while nothing is loaded.
    const isNext = blockKeyOf(trial) !== block;
    if (isNext && (places.isWorn || !paths.isMeasured(trial))) return;
    block = blockKeyOf(trial);
    agenda.begin(trial);
    yield begun(trial);
  }
}

/** A load that is not ok, put down to its server if that has ended. */
function blamed(load: UnnumberedLoad, servers: readonly Server[]): UnnumberedLoad {
  try {
    serverOf(load.stack, servers).assertAlive();
    return load;
  } catch (error) {
    const message = firstSentence(error as Error);
    return { ...load, outcome: 'failed', code: 'server-failed', message };
  }
}

/** Without what logs say, which lie beside the records. */
function firstSentence({ message }: Error): string {
  return (message.split('\n', 1)[0] ?? '').replace(
    / The end of its log \((.*)\):$/,
    ' Its log is $1.',
  );
}
