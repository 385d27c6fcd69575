import { mkdtemp, rm } from 'node:fs/promises';
import os, { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { siteFolder } from '../cache/catalogue.ts';
import { hostsOf, readManifest, type SiteManifest } from '../cache/manifest.ts';
import { ensureLeaves } from '../certs/leaf.ts';
import { hodgesLehmann } from '../report/statistics/hodges-lehmann.ts';
import { hodgesLehmannInterval } from '../report/statistics/hodges-lehmann-interval.ts';
import { median } from '../report/statistics/median.ts';
import { DEFAULTS } from '../runner/defaults.ts';
import { interruptSignal } from '../runner/interrupt.ts';
import { type Machine, readMachine } from '../runner/machine.ts';
import { addressOfHost } from '../runner/network/addresses.ts';
import { NOTHING_ADDED } from '../runner/network/conditions.ts';
import { withNetwork } from '../runner/network/network.ts';
import type { Path } from '../runner/network/path.ts';
import { readOptions } from '../runner/options.ts';
import { QUIET_RULE } from '../runner/quiet/rule.ts';
import { makeSchedule } from '../runner/schedule.ts';
import { type Server, withServers } from '../runner/servers.ts';
import { STACKS } from '../runner/stacks.ts';
import { runTrial, type UnnumberedLoad } from '../runner/trial.ts';
import { lookingWays, type Ways, withIsolationWays } from './harness/ways.ts';

const SITES = ['www.example.org', 'jquery-ui-demo', 'www.360.cn'];
const STACK_NAMES = ['lsquic-h3', 'bun-h2'];
const FEWEST_REPETITIONS = 6;

const { values } = parseArgs({
  options: { repetitions: { type: 'string', default: '30' } },
});
const repetitions = Number(values.repetitions);
if (!Number.isInteger(repetitions) || repetitions < FEWEST_REPETITIONS) {
  throw new Error(
    `--repetitions ${values.repetitions}: expected a whole number from ${FEWEST_REPETITIONS}`,
  );
}
const machine = readMachine();
const signal = interruptSignal();
const stacks = STACKS.filter(({ stack }) => STACK_NAMES.includes(stack));
const sites = await Promise.all(SITES.map((site) => readManifest(siteFolder(site))));

process.stderr.write('Run nothing else meanwhile.\n');
console.log(
  `${availableParallelism()} processors, load ${loadText()} at the start, ${repetitions} loads of each kind`,
);
const network = {
  ...{ python: machine.python, initcwnd: null, backend: 'auto' as const, signal },
  hosts: Math.max(...sites.map((site) => hostsOf(site).length)),
  congestionControl: DEFAULTS.congestionControl,
};
await withNetwork(network, async (networkPath) => {
  await networkPath.apply({ ...NOTHING_ADDED, seed: 1 });
  for (const manifest of sites) {
    await withSite(manifest, machine, networkPath, async (servers) => {
      await measurePhases(manifest, servers, networkPath);
      for (const server of servers) {
        const bench = { manifest, server, networkPath, chromium: machine.chromium };
        await compareWays(manifest, server, lookingWays(bench));
        await withIsolationWays(bench, (ways) => compareWays(manifest, server, ways));
      }
    });
  }
});
console.log(`\nload ${loadText()} at the end`);

/** What a load costs beside its page load time, step by step, as a run makes it. */
async function measurePhases(
  manifest: SiteManifest,
  servers: readonly Server[],
  networkPath: Path,
) {
  const choices = readOptions([])?.choices;
  if (!choices) throw new Error('no options');
  for (const server of servers) {
    const loads: UnnumberedLoad[] = [];
    for (const trial of trialsOf(manifest.site, [server.stack.stack], repetitions)) {
      signal.throwIfAborted();
      const load = await runTrial(trial, manifest, server, null, {
        ...{ chromium: machine.chromium, timeoutS: 30, versions: {}, path: networkPath, signal },
        choices: { ...choices, pinned: null },
        quietRule: QUIET_RULE,
        sitting: 'bench',
        results: { writeHar: async (id) => id },
      });
      if (load.outcome !== 'ok') throw new Error(`${load.id}: ${load.message}`);
      loads.push(load);
    }
    console.log(
      `\n${manifest.site} by ${server.stack.stack}: medians in ms of ${loads.length} loads`,
    );
    const besideMs = loads.map(
      ({ harnessMs, timingsMs }) => harnessMs.total - (timingsMs.pageLoad ?? 0),
    );
    printRow(['beside the page load time', fixed(median(besideMs))]);
    for (const step of ['launch', 'prepare', 'load', 'settle', 'tearDown', 'har'] as const) {
      printRow([`  ${step}`, fixed(median(loads.map(({ harnessMs }) => harnessMs[step])))]);
    }
    printRow([
      'page load time',
      fixed(median(loads.map(({ timingsMs }) => timingsMs.pageLoad ?? 0))),
    ]);
  }
}

/** Whether ways of loading measure the same: their page load times in shuffled blocks. */
async function compareWays({ site }: SiteManifest, server: Server, { what, ways }: Ways) {
  const times = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  const names = ways.map(({ name }) => name);
  for (const { stack: name, warmup } of trialsOf(site, names, repetitions)) {
    signal.throwIfAborted();
    const way = ways.find((each) => each.name === name);
    if (!way) throw new Error(`no way ${name}`);
    const ms = await way.load();
    if (!warmup) times.get(name)?.push(ms);
  }
  console.log(`\n${site} by ${server.stack.stack}: page load time ${what}`);
  const [first = ''] = names;
  printRow(['', 'median ms', `more than ${first}, ms (95 % interval)`]);
  for (const name of names) {
    const own = times.get(name) ?? [];
    const differences = own.map((ms, index) => ms - (times.get(first)?.[index] ?? 0));
    const interval = hodgesLehmannInterval(differences);
    const more =
      name === first || !interval
        ? ''
        : `${fixed(hodgesLehmann(differences))} (${fixed(interval.low)} to ${fixed(interval.high)})`;
    printRow([name, fixed(median(own)), more]);
  }
}

/** Blocks with everything once, in an order shuffled by a seed, as a run has them. */
function trialsOf(site: string, names: readonly string[], count: number) {
  return makeSchedule({
    ...{ sites: [site], stacks: names, networks: [NOTHING_ADDED] },
    ...{ visits: ['cold'], repetitions: count, order: 'shuffled', seed: 1 },
  });
}

async function withSite(
  manifest: SiteManifest,
  on: Machine,
  networkPath: Path,
  use: (servers: readonly Server[]) => Promise<void>,
): Promise<void> {
  const hosts = hostsOf(manifest);
  await ensureLeaves(hosts);
  const logsFolder = await mkdtemp(path.join(os.tmpdir(), 'quic-vs-https-bench-'));
  try {
    await withServers(
      {
        ...{
          machine: on,
          stacks,
          site: manifest.site,
          siteFolder: siteFolder(manifest.site),
          logsFolder,
          signal,
        },
        addresses: Object.fromEntries(hosts.map((host, index) => [host, addressOfHost(index)])),
        enter: networkPath.agent.enter('server'),
      },
      use,
    );
  } finally {
    await rm(logsFolder, { recursive: true, force: true });
  }
}

function printRow([first = '', ...others]: readonly string[]): void {
  console.log(`  ${first.padEnd(28)}${others.map((cell) => `  ${cell.padStart(10)}`).join('')}`);
}

function fixed(number: number | null): string {
  return number === null ? '-' : number.toFixed(1);
}

function loadText(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
}
