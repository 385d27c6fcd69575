import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type CertificateChoice, chainBytes, ensureCertificates } from '../certs/certificates.ts';
import type { FairnessManifest } from '../records/fairness.ts';
import type { AskedNetwork } from '../records/network.ts';
import { RECORD_FORMAT_VERSION } from '../records/page-load.ts';
import type { PlanRecord, RunChoices, RunRecord, Trial } from '../records/run.ts';
import { removeLeftProfiles } from './browser/profile.ts';
import { DEFAULTS } from './defaults.ts';
import { hostFacts } from './host.ts';
import { type Machine, readMachine } from './machine.ts';
import { addressOfHost } from './network/addresses.ts';
import { calibrateUntilRight } from './network/calibration/until-right.ts';
import { readFairness } from './network/fairness.ts';
import { withNetwork } from './network/network.ts';
import type { Path } from './network/path.ts';
import type { Options } from './options.ts';
import { onCores, readPinning } from './pinning.ts';
import { makePlan, type Plan, type SiteToLoad } from './plan.ts';
import { planSha256 } from './plan-digest.ts';
import { makeProgress, type Progress } from './progress.ts';
import { QUIET_RULE } from './quiet/rule.ts';
import { assertUnused, openResults, type Results, resultsFolder } from './results.ts';
import { type Server, type ServersOptions, withServers } from './servers.ts';
import { sittingOf } from './sitting.ts';
import { runTrial, type TrialContext } from './trial.ts';
import { inTurns } from './turns.ts';
import { versions } from './versions.ts';
import type { Turn } from './watched-visit.ts';

/** A run whose plan is frozen; nothing is started or written yet. */
export interface PreparedRun {
  folder: string;
  plan: Plan;
  machine: Machine;
  /** What run.json will say, but for what only the path can tell. */
  record: Omit<RunRecord, 'backend' | 'fairness'>;
  options: Options;
}

/** How a run's measured loads came out. */
export interface Tally {
  ok: number;
  failed: number;
  invalid: number;
}

/** Checks the machine and freezes the plan. */
export async function prepareRun(
  options: Options,
  command: readonly string[],
): Promise<PreparedRun> {
  const startedAt = new Date();
  const runId = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = path.resolve(options.out ?? path.join(resultsFolder, runId));
  await assertUnused(folder);
  const machine = readMachine();
  const plan = await makePlan(options);
  const decided: Omit<PlanRecord, 'planSha256'> = {
    formatVersion: RECORD_FORMAT_VERSION,
    runId,
    preset: options.preset,
    startedAt: startedAt.toISOString(),
    command: [...command],
    seed: options.seed,
    repetitions: options.repetitions,
    timeoutS: options.timeoutS,
    sites: plan.sites.map(({ planned }) => planned),
    stacks: plan.stacks.map(({ stack, label, protocol, controlOf }) => ({
      ...{ stack, label, protocol, controlOf },
    })),
    networks: [...options.networks],
    visits: [...options.visits],
    choices: { ...options.choices, pinned: options.pin ? readPinning() : null },
    analysis: options.analysis,
    quietRule: QUIET_RULE,
    trials: [...plan.trials],
  };
  const record: PreparedRun['record'] = {
    ...decided,
    planSha256: planSha256(decided),
    versions: await versions(machine),
    host: hostFacts(),
  };
  return { folder, plan, machine, record, options };
}

/** Makes the path, writes the plan down, and carries it out; every load is on the disk before the next begins. */
export async function measureRun(run: PreparedRun, signal: AbortSignal): Promise<Tally> {
  const { plan, machine, record, options } = run;
  for (const { hosts } of plan.sites)
    await ensureCertificates(hosts, certificatesOf(record.choices));
  await removeLeftProfiles();
  const network = {
    backend: options.backend,
    python: machine.python,
    hosts: Math.max(...plan.sites.map(({ hosts }) => hosts.length)),
    congestionControl: DEFAULTS.congestionControl,
    initcwnd: record.choices.initialWindowSegments,
    prefix: record.choices.pinned ? onCores(record.choices.pinned.linkCores) : [],
    signal,
  };
  return withNetwork(network, async (networkPath) => {
    const { backend } = networkPath;
    const fairness = await readEnds(run, networkPath, signal);
    const results = await openResults(run.folder, { ...record, backend, fairness });
    const sitting = sittingOf({
      ...{ command: record.command, part: null, differences: [], backend },
      ...{ host: record.host, versions: record.versions },
    });
    await results.appendSitting(sitting);
    const progress = makeProgress(plan.trials.length);
    const tally: Tally = { ok: 0, failed: 0, invalid: 0 };
    try {
      const context = {
        ...{ plan, machine, results, progress, tally, signal },
        chromium: machine.chromium,
        timeoutS: options.timeoutS,
        choices: record.choices,
        quietRule: record.quietRule,
        versions: record.versions,
        sitting: sitting.id,
        path: networkPath,
      };
      for (const site of plan.sites) await measureSite(site, context);
      return tally;
    } finally {
      progress.close();
      await results.close();
    }
  });
}

/** What both ends of the path are, with what each server says of itself when it serves the first site. */
async function readEnds(
  { plan, machine, record }: PreparedRun,
  networkPath: Path,
  signal: AbortSignal,
): Promise<FairnessManifest> {
  const [site] = plan.sites;
  if (!site) throw new Error('a plan without sites');
  const logsFolder = await mkdtemp(path.join(os.tmpdir(), 'quic-vs-https-logs-'));
  try {
    const { choices } = record;
    const options = await serversOptions(site, {
      ...{ plan, machine, choices, logsFolder, signal },
      path: networkPath,
    });
    const certificateChainBytes = await chainBytes(site.hosts[0] ?? '', options.certsFolder);
    return await withServers(options, (servers) =>
      readFairness(networkPath, { python: machine.python, servers, certificateChainBytes, signal }),
    );
  } finally {
    await rm(logsFolder, { recursive: true, force: true });
  }
}

type MeasureContext = TrialContext & {
  plan: Plan;
  machine: Machine;
  path: Path;
  results: Results;
  progress: Progress;
  tally: Tally;
  signal: AbortSignal;
};

/** All loads of a site, in one set of servers. */
async function measureSite(site: SiteToLoad, context: MeasureContext): Promise<void> {
  const { logsFolder } = context.results;
  const trials = context.plan.trials.filter((trial) => trial.site === site.planned.site);
  const options = await serversOptions(site, { ...context, logsFolder });
  await withServers(options, async (servers) => {
    for (const group of Map.groupBy(trials, ({ network }) => network.name).values()) {
      await measureGroup(site, group, servers, context);
    }
    for (const server of servers) server.assertAlive();
  });
}

async function serversOptions(
  site: SiteToLoad,
  context: Pick<MeasureContext, 'plan' | 'machine' | 'choices' | 'path' | 'signal'> & {
    logsFolder: string;
  },
): Promise<ServersOptions> {
  const { plan, machine, choices, path: networkPath, logsFolder, signal } = context;
  const pinned = choices.pinned ? onCores(choices.pinned.serverCores) : [];
  const shared = choices.origins === 'shared';
  return {
    ...{ machine, logsFolder, signal },
    stacks: plan.stacks,
    site: site.planned.site,
    siteFolder: site.folder,
    addresses: Object.fromEntries(
      site.hosts.map((host, index) => [host, addressOfHost(shared ? 0 : index)]),
    ),
    // Hosts that share an address share a port too, or a browser could not see that they may share a connection.
    ...(shared ? { firstPort: FIRST_SHARED_PORT } : {}),
    thinkTime: choices.thinkTime,
    certsFolder: await ensureCertificates(site.hosts, certificatesOf(choices)),
    enter: [...networkPath.agent.enter('server'), ...pinned],
  };
}

/** Nothing else listens in the servers' namespace. */
const FIRST_SHARED_PORT = 4430;

function certificatesOf({ certificateChain, origins }: RunChoices): CertificateChoice {
  return { chain: certificateChain, origins };
}

/** All loads of a site under one network condition, after the path was measured. */
async function measureGroup(
  site: SiteToLoad,
  trials: readonly Trial[],
  servers: readonly Server[],
  context: MeasureContext,
): Promise<void> {
  const { plan, results, progress, tally, signal } = context;
  const [first] = trials;
  if (!first) return;
  const measuredRttMs = await calibratePath(site.planned.site, first.network, context);
  const measure = async (trial: Trial, turn: Turn) => {
    signal.throwIfAborted();
    for (const each of servers) each.assertAlive();
    const server = servers.find((each) => each.stack.stack === trial.stack);
    if (!server) throw new Error(`no server for ${trial.stack}`);
    progress.started(trial);
    const order = plan.trials.indexOf(trial) + 1;
    const { manifest } = site;
    const pageLoad = await runTrial(trial, order, manifest, server, measuredRttMs, context, turn);
    await results.append(pageLoad);
    if (!trial.warmup) tally[pageLoad.outcome]++;
    progress.ended(pageLoad);
  };
  await inTurns(trials, measure);
}

/** @throws NetworkError when the path is not what was asked for. */
async function calibratePath(
  site: string,
  network: AskedNetwork,
  { path: networkPath, machine, results, signal }: MeasureContext,
): Promise<number> {
  const condition = { ...network, seed: CALIBRATION_SEED };
  await networkPath.apply(condition);
  const { udpRttMs } = await calibrateUntilRight(
    networkPath,
    condition,
    machine.python,
    (calibration) => results.appendCalibration({ site, ...calibration }),
    signal,
  );
  return udpRttMs.median;
}

// Probes that are lost are sent again, so it matters to no result.
const CALIBRATION_SEED = 1;
