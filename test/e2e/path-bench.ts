import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { ensureLeaves } from '../../certs/leaf.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { VisitKind } from '../../records/page-load.ts';
import type { RunChoices, Trial } from '../../records/run.ts';
import { DEFAULTS } from '../../runner/defaults.ts';
import type { Har } from '../../runner/har/har.ts';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { addressOfHost } from '../../runner/network/addresses.ts';
import { conditionName, NOTHING_ADDED } from '../../runner/network/conditions.ts';
import { withNetwork } from '../../runner/network/network.ts';
import type { Path } from '../../runner/network/path.ts';
import { QUIET_RULE } from '../../runner/quiet/rule.ts';
import { type Server, withServers } from '../../runner/servers.ts';
import { STACKS } from '../../runner/stacks.ts';
import { runTrial, type UnnumberedLoad } from '../../runner/trial.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { CHOICES } from './choices.ts';
import { type FixtureResource, writeFixtureSite } from './site-fixture.ts';

/** A small site, a path, and what serves the one at the far end of the other. */
export interface PathBench {
  machine: Machine;
  manifest: SiteManifest;
  networkPath: Path;
  servers: Server[];
}

/** A small site, served by every stack at the far end of a path. */
export async function withPathBench<T>(
  resources: FixtureResource[],
  use: (bench: PathBench) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const machine = readMachine();
    const siteFolder = path.join(folder, 'site');
    const manifest = await writeFixtureSite(siteFolder, resources);
    const hosts = hostsOf(manifest);
    await ensureLeaves(hosts);
    await mkdir(path.join(folder, 'har'));
    const network = {
      backend: 'auto' as const,
      python: machine.python,
      hosts: hosts.length,
      congestionControl: DEFAULTS.congestionControl,
      initcwnd: null,
    };
    return withNetwork(network, (networkPath) =>
      withServers(
        {
          machine,
          stacks: STACKS.filter(({ byDefault }) => byDefault),
          site: 'site',
          siteFolder,
          addresses: Object.fromEntries(hosts.map((host, index) => [host, addressOfHost(index)])),
          enter: networkPath.agent.enter('server'),
          logsFolder: folder,
        },
        (servers) => use({ machine, manifest, networkPath, servers }),
      ),
    );
  });
}

/** What is special about a load; without any of it, it is a cold one with nothing added. */
export interface LoadOptions {
  rttMs?: number;
  visit?: VisitKind;
  netLog?: RunChoices['netLog'];
  /** What the path is made to do where that is not what was asked for. */
  applied?: Partial<AskedNetwork>;
}

/** Loads the site once as a run does. */
export async function loadOverPath(
  { machine, manifest, networkPath }: PathBench,
  server: Server,
  { rttMs = 0, visit = 'cold', netLog = 'none', applied = {} }: LoadOptions = {},
): Promise<{ pageLoad: UnnumberedLoad; har: Har }> {
  const numbers = { ...NOTHING_ADDED, rttMs };
  const trial: Trial = {
    id: 'load',
    site: 'site',
    stack: server.stack.stack,
    network: { ...numbers, name: conditionName(numbers) },
    networkSeed: 1,
    repetition: 1,
    block: 1,
    warmup: false,
    visit,
  };
  let har: Har | null = null;
  const pageLoad = await runTrial(trial, manifest, server, null, {
    chromium: machine.chromium,
    timeoutS: 30,
    choices: { ...CHOICES, netLog },
    quietRule: QUIET_RULE,
    versions: {},
    sitting: 'test',
    path: {
      ...networkPath,
      apply: (condition) => networkPath.apply({ ...condition, ...applied }),
    },
    results: {
      async writeHar(id, written) {
        har = written;
        return id;
      },
    },
  });
  assert.ok(har);
  return { pageLoad, har };
}
