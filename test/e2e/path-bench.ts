import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { authorityFile } from '../../certs/certificates.ts';
import { contextPoolFor } from '../../clients/chromium/context-pool.ts';
import type { ContextPool } from '../../clients/chromium/load-context.ts';
import { pagesIn } from '../../clients/chromium/pages.ts';
import { firefoxPages } from '../../clients/firefox/pages.ts';
import type { Har } from '../../clients/har/har.ts';
import type { PagePool } from '../../clients/page-context.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import { armOf } from '../../experiments/arms.ts';
import type { BrowserBench } from '../../experiments/in-browser.ts';
import { type Attempt, type Client, measureTrial } from '../../experiments/measuring.ts';
import type { PageLoadDetails } from '../../experiments/page-load/details.ts';
import { pageLoad } from '../../experiments/page-load/experiment.ts';

import { clientOf } from '../../experiments/page-load/measure.ts';
import { skipUnreachable } from '../../experiments/unreachable.ts';
import { browserKind } from '../../ground/browser-kind.ts';
import type { Clocks } from '../../ground/host/heartbeat.ts';
import { INTERFERENCE_RULE } from '../../ground/host/interference-rule.ts';
import { DEFAULT_CONGESTION_CONTROL } from '../../ground/records/congestion-control.ts';
import type { NetworkBackend, NetworkCondition } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { conditionName, NOTHING_ADDED } from '../../network/conditions.ts';
import { withNetwork } from '../../network/network.ts';
import type { Path } from '../../network/path.ts';
import { browserOfMachine, readMachine } from '../../runner/machine.ts';
import { observationOf } from '../../runner/observation.ts';
import { type Server, withServers } from '../../runner/servers.ts';
import { addressesNeeded, siteAddresses } from '../../runner/site-servers.ts';
import { STACKS } from '../../servers/index.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { CHOICES } from './choices.ts';
import { type FixtureResource, writeFixtureSite } from './site-fixture.ts';

/** A small site, a path, and servers of the site at its far end. */
export interface PathBench {
  manifest: SiteManifest;
  networkPath: Path;
  servers: Server[];
  /** Folder of the servers' logs. */
  folder: string;
  siteFolder: string;
  /** Load contexts for loads from these servers. */
  contexts: ContextPool;
  /** The same, or those of the bench's Firefox. */
  pages: PagePool;
  setting: BenchSetting;
}

/** Options of a bench. */
export interface BenchSetting {
  /** Default: those of a run without named stacks. */
  stacks?: readonly Stack[];
  /** Description of the site. */
  about?: Partial<SiteManifest>;
  choices?: Partial<RunChoices>;
  chromium?: string;
  timeoutS?: number;
  /** Default: the backend of this machine. */
  backend?: Exclude<NetworkBackend, 'live' | 'read'>;
}

/** A small site at the far end of a path, made from these resources or existing. */
export async function withPathBench<T>(
  site: FixtureResource[] | { folder: string; manifest: SiteManifest },
  use: (bench: PathBench) => Promise<T>,
  setting: BenchSetting = {},
): Promise<T> {
  const { stacks = STACKS.filter(({ byDefault }) => byDefault), about, choices } = setting;
  return withTemporaryFolder(async (folder) => {
    const siteFolder = Array.isArray(site) ? path.join(folder, 'site') : site.folder;
    const manifest = Array.isArray(site)
      ? await writeFixtureSite(siteFolder, site, about)
      : site.manifest;
    const hosts = hostsOf(manifest);
    // Not in the shared folder: another test may make the same ones at the same time.
    const certsFolder = path.join(folder, 'certs');
    await ensureLeaves(hosts, certsFolder);
    const network = {
      backend: setting.backend ?? ('auto' as const),
      python: readMachine().python,
      hosts: addressesNeeded(hosts.length, stacks),
      congestionControl: DEFAULT_CONGESTION_CONTROL,
      initcwnd: null,
    };
    return withNetwork(network, (networkPath) =>
      withServers(
        {
          stacks,
          siteFolder,
          certsFolder,
          authority: authorityFile({ chain: 'small' }, certsFolder),
          site: manifest.site,
          ...siteAddresses(hosts, stacks, 'own'),
          enter: networkPath.agent.enter('server'),
          logsFolder: folder,
          subResources: choices?.subResources,
        },
        async (servers) => {
          const { contexts, pages } = poolsOf(servers, networkPath, setting);
          try {
            return await use({
              manifest,
              networkPath,
              servers,
              folder,
              siteFolder,
              contexts,
              pages,
              setting,
            });
          } finally {
            await Promise.all([contexts.close(), pages.close()]);
          }
        },
      ),
    );
  });
}

function poolsOf(
  servers: readonly Server[],
  { agent }: Pick<Path, 'agent'>,
  { choices, chromium = readMachine().chromium }: BenchSetting,
): Pick<PathBench, 'contexts' | 'pages'> {
  const { isolation, tlsMost, device } = { ...CHOICES, ...choices };
  const enter = agent.enter('client');
  const contexts = contextPoolFor(isolation, servers, {
    chromium,
    tlsMost,
    ...(device && { device }),
    enter,
  });
  if (!servers.some(({ stack }) => browserKind(stack.browser) === 'firefox')) {
    return { contexts, pages: pagesIn(contexts) };
  }
  const firefox = browserOfMachine('firefox');
  const served = servers.map((server) => ({ ...server, firefox }));
  return { contexts, pages: firefoxPages(isolation, served, { enter, tlsMost }) };
}

/** A paused machine makes a load late, which is not the subject of these tests. */
const NEVER_LATE: Clocks = { monotonicMs: () => 0, wallMs: () => 0, every: () => () => {} };

/** Options of a load; by default it is cold, with nothing added. */
export interface LoadOptions {
  rttMs?: number;
  /** Further parameters of the condition. */
  network?: Partial<NetworkCondition>;
  visit?: VisitKind;
  /** Value of the factor `cpu`; absent: full speed. */
  cpu?: string;
  /** Actual state of the path if it differs from the requested one. */
  applied?: Partial<NetworkCondition>;
  /** Called when the load has its context and the path is set for it. */
  onBegin?: () => void;
}

/** A load's record. */
export type MadeLoad = Observation & { details: PageLoadDetails | null };

/** Result of a load. */
export interface PathLoadResult {
  pageLoad: MadeLoad;
  /** null: not available. */
  har: Har | null;
  /** About requests that the recording lacks; any other warning fails. */
  warnings: string[];
}

/** Loads the site once as a run does; a server from outside the bench gets its own browser. */
export async function tryOverPath(
  bench: PathBench,
  server: Server,
  {
    rttMs = 0,
    network = {},
    visit = 'cold',
    cpu,
    applied = {},
    onBegin = () => {},
  }: LoadOptions = {},
): Promise<PathLoadResult> {
  const { networkPath, setting } = bench;
  const numbers = { ...NOTHING_ADDED, rttMs, ...network };
  const trial: Trial = {
    id: 'load',
    subject: bench.manifest.site,
    arm: server.stack.stack,
    network: { ...numbers, name: conditionName(numbers) },
    networkSeed: 1,
    repetition: 1,
    block: 1,
    warmup: false,
    factors: { visit, ...(cpu && { cpu }) },
  };
  let har: Har | null = null;
  const warnings: string[] = [];
  const isKnown = bench.servers.includes(server);
  const { contexts, pages } = isKnown ? bench : poolsOf([server], networkPath, setting);
  const context: BrowserBench = {
    url: bench.manifest.url,
    manifest: bench.manifest,
    siteFolder: bench.siteFolder,
    servers: [server],
    hasEvents: numbers.event !== undefined,
    timeoutS: setting.timeoutS ?? 30,
    choices: { ...CHOICES, ...setting.choices },
    versions: { chromium: '156', 'quic-vs-https': 'test' },
    path: {
      ...networkPath,
      async apply(condition, options) {
        await networkPath.apply({ ...condition, ...applied }, options);
        onBegin();
      },
    },
    results: {
      async writeHar(id, written) {
        har = written as Har;
        return `har/${id}.har`;
      },
      async writePackets(id, header, add) {
        const file = path.join(bench.folder, `${id}.pcapng`);
        await writeFile(file, header);
        await add(file);
        return `packets/${id}.pcapng`;
      },
      async writeTcpInfo(id, add) {
        const file = path.join(bench.folder, `${id}.jsonl.gz`);
        await writeFile(file, '');
        await add(file);
        return `tcp-info/${id}.jsonl.gz`;
      },
      writeLink: async (id: string) => `link/${id}.csv.gz`,
      writeFilm: () => Promise.reject(new Error('this bench keeps no films')),
      writeProfile: () => Promise.reject(new Error('this bench keeps no profiles')),
      keepNetLog: () => Promise.reject(new Error('this bench keeps no NetLogs')),
    },
    warn(sentence) {
      assert.match(sentence, /because the recording lacks/);
      warnings.push(sentence);
    },
    clocks: NEVER_LATE,
  };
  try {
    return {
      pageLoad: recordOf(
        trial,
        await measureTrial(trial, skipUnreachable(clientOf(context, pages) as Client, [server])),
        bench,
        server,
      ),
      har,
      warnings,
    };
  } finally {
    if (!isKnown) await Promise.all([contexts.close(), pages.close()]);
  }
}

/** The record that a run would write. */
function recordOf(
  trial: Trial,
  made: Attempt,
  { networkPath }: PathBench,
  { stack }: Server,
): MadeLoad {
  const arm = armOf(stack, pageLoad);
  const record = observationOf(trial, made, {
    order: 1,
    plan: { experiment: pageLoad.name, arms: [arm], interferenceRule: INTERFERENCE_RULE },
    invocation: { id: 'test', backend: networkPath.backend },
  });
  return record as MadeLoad;
}

/** The same for loads that always have a HAR. */
export async function loadOverPath(
  bench: PathBench,
  server: Server,
  options: LoadOptions = {},
): Promise<PathLoadResult & { har: Har }> {
  const { har, ...made } = await tryOverPath(bench, server, options);
  assert.ok(har, made.pageLoad.message ?? '');
  return { ...made, har };
}
