import { clientOfArms } from '../experiments/arms.ts';
import { experimentOf } from '../experiments/index.ts';
import type { SiteToLoad } from '../experiments/subjects.ts';
import { dimensionsOf } from '../ground/records/dimensions.ts';
import type { FairnessManifest } from '../ground/records/fairness.ts';
import type { NetworkBackend, NetworkCondition } from '../ground/records/network.ts';
import type { PlannedArm, Trial } from '../ground/records/run.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import type { Stack } from '../ground/stack.ts';
import { ServerError } from '../ground/system/errors.ts';
import { complain, indented } from '../ground/system/printed.mjs';
import { withTemporaryFolder } from '../ground/system/temporary-folder.ts';
import {
  type AssessedCalibration,
  type CalibrationOptions,
  calibrateUntilRight,
} from '../network/calibration/until-right.ts';
import type { SeededCondition } from '../network/conditions.ts';
import { withEndsCleared } from '../network/namespace-processes.ts';
import { type BackendChoice, type NetworkOptions, withNetwork } from '../network/network.ts';
import type { Path } from '../network/path.ts';
import { urlOf } from '../servers/own-stack.ts';
import type { PreparedRun } from './campaign/prepare.ts';
import { readFairness } from './fairness.ts';
import { type Reaches, reachesOf } from './own-server/reach.ts';
import { pathChoices } from './path-choices.ts';
import { onCores } from './pinning.ts';
import type { Progress } from './progress.ts';
import { type Server, type ServersOptions, withServers } from './servers.ts';
import { groupConditions, serversUnder, stacksToStart } from './servers-by-condition.ts';
import { addressesNeeded, type SiteServers, siteServersOptions } from './site-servers.ts';

/** A server that does not start for the first subjects, up to this number, counts as failed. */
const MAX_SUBJECTS = 3;

/** Arms whose servers did not start, and why. */
export type FailedServers = ReadonlyMap<string, ServerError>;

/** Environment of an invocation: a path, its ends, and servers. */
export interface TestBed {
  /** Creates the path, passes it on, and always removes it. */
  withPath(
    backend: BackendChoice | NetworkBackend,
    use: (path: Path) => Promise<void>,
  ): Promise<void>;
  /** Reads both ends of the path, and what each server reports for the first subject for which all start. */
  readEnds(path: Path): Promise<FairnessManifest>;
  /** Measures the path under a condition, repeatedly until the machine is quiet. */
  calibrate(
    path: Path,
    condition: SeededCondition,
    on: Pick<CalibrationOptions, 'onMeasured' | 'onLate'>,
  ): Promise<{
    udpRttMs: AssessedCalibration['udpRttMs'] | null;
    late: AssessedCalibration['late'];
  }>;
  /**
   * Waits until a trial may begin, as live hosts need pauses; absent: no pause needed.
   * @throws InterruptedError when the trial must not begin
   */
  pause?(trial: Trial): Promise<void>;
  /** Starts servers of some arms for a subject, passes on those that started and why the rest failed, and always stops them. */
  withServers(
    subject: SiteToLoad,
    where: Pick<SiteServers, 'stacks' | 'path' | 'logsFolder'> & Partial<Pick<Progress, 'warn'>>,
    use: (servers: Server[], failed: FailedServers) => Promise<void>,
  ): Promise<void>;
}

/** The parts of a run that its test bed depends on. */
type TestBedRun = Pick<PreparedRun, 'folder' | 'machine'> & {
  plan: Pick<PreparedRun['plan'], 'subjects' | 'stacks'>;
  record: Pick<PreparedRun['record'], 'experiment' | 'choices' | 'networks'> & {
    arms: readonly Pick<PlannedArm, 'client'>[];
  };
};

/** The local test bed: namespaces, servers and clients of this machine. */
export function createTestBed(
  { folder, plan, machine, record }: TestBedRun,
  keysFolder: string,
  signal: AbortSignal,
  onEnded?: NetworkOptions['onEnded'],
): TestBed {
  const { choices, networks } = record;
  const experiment = experimentOf(record);
  const toStart = (stacks: readonly Stack[]) => stacksToStart(stacks, networks, choices);
  const client = clientOfArms(record.arms, experiment);
  const { python } = machine;
  const warnAbout = ({ planned }: SiteToLoad, warning: string) => {
    // Only browsers schedule requests by what a server announces.
    if (experiment.loadsPages) complain(indented(`Warning about ${planned.subject}: ${warning}`));
  };
  const isToExamine = ({ stack: { own, controlOf, protocol } }: Server) =>
    experiment.loadsPages &&
    own !== undefined &&
    'program' in own &&
    !controlOf &&
    protocol === 'h3';
  let reaching: Promise<Reaches> | undefined;
  const common = async () => {
    reaching ??= reachesOf(plan.stacks);
    const { samplesSenders = false } = experiment.planning ?? {};
    return { machine, choices, samplesSenders, keysFolder, signal, reaches: await reaching };
  };
  const readEndsWith = (subject: SiteToLoad, path: Path) =>
    withTemporaryFolder('logs', async (logsFolder) => {
      const stacks = toStart(plan.stacks);
      const where = { ...(await common()), stacks, path, logsFolder };
      const options = await siteServersOptions(subject, where);
      return serve(path, options, async (servers) => {
        if (servers.some(isToExamine)) {
          const { warningsOfStarted } = await import('./own-server/server.ts');
          const started = { site: subject, path, machine };
          for (const each of await warningsOfStarted(servers.filter(isToExamine), started)) {
            warnAbout(subject, each);
          }
        }
        const alike = groupConditions(networks, plan.stacks);
        const conditions = networks.filter(describesEnds).map((network) => {
          const own = alike.find((each) => each.networks.has(network.name));
          const several = own && alike.length > 1;
          return { network, servers: several ? serversUnder(own, servers, choices) : servers };
        });
        return readFairness(path, {
          python,
          servers: conditions[0]?.servers ?? servers,
          conditions,
          client,
          signal,
        });
      });
    });
  return {
    async withPath(backend, use) {
      const { reaches } = await common();
      await withNetwork(
        {
          // A live run has its own test bed.
          backend: backend === 'live' || backend === 'read' ? 'auto' : backend,
          signal,
          onEnded,
          python,
          hosts: addressesNeeded(
            Math.max(...plan.subjects.map(({ hosts }) => hosts.length)),
            toStart(plan.stacks),
          ),
          beyond: [...new Set([...reaches.values()].map(({ ip }) => ip))],
          ...pathChoices(experiment, choices, networks),
          tracesFolder: runFolder(folder).traces,
          prefix: choices.pinned ? onCores(choices.pinned.linkCores) : [],
        },
        use,
      );
    },
    async readEnds(path) {
      // Before any measurement, and once for the whole run.
      const own = plan.stacks.filter((each) => urlOf(each) !== null && !each.controlOf);
      if (own.length > 0) {
        const { describeServer: shownBy } = await import('./own-server/server.ts');
        for (const site of plan.subjects) {
          for (const stack of own) {
            const { warning } = await shownBy(stack, { ...(await common()), site, path });
            if (warning !== null) warnAbout(site, warning);
          }
        }
      }
      const tried = plan.subjects.slice(0, MAX_SUBJECTS);
      for (const [index, subject] of tried.entries()) {
        try {
          return await readEndsWith(subject, path);
        } catch (error) {
          // If it starts for another subject, it is this subject's failure.
          if (!(error instanceof ServerError) || index === tried.length - 1) throw error;
        }
      }
      throw new Error('a plan without subjects');
    },
    calibrate: (path, condition, on) =>
      calibrateUntilRight(path, condition, python, { ...on, signal }),
    async withServers(subject, where, use) {
      const failed = new Map<string, ServerError>();
      const found = await common();
      const options = await siteServersOptions(subject, { ...found, ...where });
      if (found.reaches.size > 0) {
        const { clearPath } = await import('./own-server/server.ts');
        await clearPath(where.path);
      }
      const onFailed = (error: ServerError) => void failed.set(error.server, error);
      await serve(where.path, { ...options, onFailed }, (servers) => use(servers, failed));
    },
  };
}

/** Whether a condition changes both ends, and not only the path. */
function describesEnds(network: NetworkCondition): boolean {
  return dimensionsOf(network).some(({ row }) => row.ofRun);
}

/** Starts servers at their end of a path, stops them, and ends processes that they left, which would serve or occupy ports. */
function serve<T>(
  path: Path,
  options: ServersOptions,
  use: (servers: Server[]) => Promise<T>,
): Promise<T> {
  return withEndsCleared(path, { ends: ['server'] }, () => withServers(options, use));
}
