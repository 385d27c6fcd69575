import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { siteFolder } from '../../../cache/catalogue.ts';
import { hostsOf, readManifest, type SiteManifest } from '../../../cache/manifest.ts';
import { ensureCertificates } from '../../../certs/certificates.ts';
import type { ContextPool } from '../../../clients/chromium/load-context.ts';
import { pagesIn } from '../../../clients/chromium/pages.ts';
import type { BrowserSettings } from '../../../clients/chromium/running-browser.ts';
import { armOf } from '../../../experiments/arms.ts';
import type { BrowserBench } from '../../../experiments/in-browser.ts';
import { type Attempt, measureTrial } from '../../../experiments/measuring.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { clientOf } from '../../../experiments/page-load/measure.ts';
import { INTERFERENCE_RULE } from '../../../ground/host/interference-rule.ts';
import { DEFAULT_CONGESTION_CONTROL } from '../../../ground/records/congestion-control.ts';
import type { NetworkCondition } from '../../../ground/records/network.ts';
import type { RunChoices, Trial } from '../../../ground/records/run.ts';
import { withTemporaryFolder } from '../../../ground/system/temporary-folder.ts';
import { addressOfHost } from '../../../network/addresses.ts';
import { conditionName, NOTHING_ADDED } from '../../../network/conditions.ts';
import { withNetwork } from '../../../network/network.ts';
import { PROTOCOL_PAIR } from '../../../servers/index.ts';
import { readMachine } from '../../machine.ts';
import type { observationOf } from '../../observation.ts';
import { readOptions } from '../../options.ts';
import { openResults, type Results } from '../../results.ts';
import { makeSchedule } from '../../schedule.ts';
import { type Server, withServers } from '../../servers.ts';
import { stopNowOnSignals } from '../../stop.ts';

const SITES = ['www.example.org', 'jquery-ui-demo', 'www.360.cn'];

/** One host with 21 resources: a browser that has loaded it has taken each step of its protocol. */
const OTHER_SITE = 'www.vk.com';

/** One page, two servers and the path to them. */
export interface SiteBench {
  manifest: SiteManifest;
  /** By HTTP/3 and by HTTP/2. */
  servers: readonly Server[];
  /** Servers of another page, on other addresses of the same path. */
  otherServers: readonly Server[];
  otherUrl: string;
  settings: BrowserSettings;
  /** Input of a run's loads, without the page contexts. */
  context: Omit<BrowserBench, 'results'> & { results: Results };
  /** Fields of its records other than results of the loads. */
  row: Omit<Parameters<typeof observationOf>[2], 'order'>;
}

/** Measures one page after the other. */
export type EachSite = (use: (here: SiteBench) => Promise<void>) => Promise<void>;

/** Sets up a path and the servers of each site, and always removes them. */
export async function withBench(use: (eachSite: EachSite) => Promise<void>): Promise<void> {
  const machine = readMachine();
  const signal = stopNowOnSignals();
  const options = readOptions([]);
  const choices: RunChoices = { ...options.choices, pinned: null };
  const manifests = await Promise.all(SITES.map((site) => readManifest(siteFolder(site))));
  const other = await readManifest(siteFolder(OTHER_SITE));
  const most = Math.max(...manifests.map((manifest) => hostsOf(manifest).length));
  const network = {
    python: machine.python,
    initcwnd: null,
    backend: 'auto' as const,
    signal,
    hosts: most + hostsOf(other).length,
    congestionControl: DEFAULT_CONGESTION_CONTROL,
  };
  await withNetwork(network, (networkPath) =>
    withTemporaryFolder('logs', async (folder) => {
      await mkdir(path.join(folder, 'har'));
      const results = await openResults(folder, { recordFile: pageLoad.recordFile, choices });
      const serve = async <T>(
        manifest: SiteManifest,
        firstAddress: number,
        then: (servers: readonly Server[]) => Promise<T>,
      ): Promise<T> => {
        const hosts = hostsOf(manifest);
        const certsFolder = await ensureCertificates(hosts, { chain: 'small', origins: 'own' });
        const addresses = hosts.map((host, index) => [host, addressOfHost(firstAddress + index)]);
        return withServers(
          {
            signal,
            certsFolder,
            logsFolder: folder,
            stacks: PROTOCOL_PAIR,
            site: manifest.site,
            siteFolder: siteFolder(manifest.site),
            addresses: Object.fromEntries(addresses),
            enter: networkPath.agent.enter('server'),
          },
          then,
        );
      };
      const eachSite: EachSite = async (useSite) => {
        for (const manifest of manifests) {
          await serve(manifest, 0, (servers) =>
            serve(other, most, (otherServers) =>
              useSite({
                manifest,
                servers,
                otherServers,
                otherUrl: other.url,
                settings: { chromium: machine.chromium, enter: networkPath.agent.enter('client') },
                context: {
                  url: manifest.url,
                  manifest,
                  siteFolder: siteFolder(manifest.site),
                  servers,
                  choices,
                  results,
                  path: networkPath,
                  warn: console.error,
                  signal,
                  hasEvents: false,
                  timeoutS: 30,
                  versions: {},
                },
                row: {
                  plan: {
                    experiment: pageLoad.name,
                    arms: servers.map((each) => armOf(each.stack, pageLoad)),
                    interferenceRule: INTERFERENCE_RULE,
                  },
                  invocation: { id: 'bench', backend: networkPath.backend },
                },
              }),
            ),
          );
        }
      };
      try {
        await use(eachSite);
      } finally {
        await results.close();
      }
    }),
  );
}

/** A network that only adds a delay. */
export function delayed(rttMs: number): NetworkCondition {
  const numbers = { ...NOTHING_ADDED, rttMs };
  return { ...numbers, name: conditionName(numbers) };
}

/** Blocks with each name once, in an order shuffled by a seed, as in a run. */
export function blocksOf(
  site: string,
  names: readonly string[],
  network: NetworkCondition,
  repetitions: number,
): Trial[] {
  return makeSchedule({
    subjects: [site],
    arms: names,
    networks: [network],
    factors: { visit: ['cold'] },
    repetitions,
    order: 'shuffled',
    seed: 1,
  });
}

/**
 * One load, kept like a run's.
 * @throws Error when it did not count
 */
export async function loadIn(
  contexts: ContextPool,
  trial: Trial,
  { context }: SiteBench,
): Promise<Attempt> {
  context.signal?.throwIfAborted();
  return counted(trial, await measureTrial(trial, clientOf(context, pagesIn(contexts))));
}

/** @throws Error when a load did not count */
export function counted({ id }: Trial, made: Attempt): Attempt {
  if (made.outcome === 'ok') return made;
  throw new Error(`${id}: ${made.message}`);
}
