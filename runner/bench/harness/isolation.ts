import { contextPoolFor, openContextIn } from '../../../clients/chromium/context-pool.ts';
import type { ContextPool, LoadContext } from '../../../clients/chromium/load-context.ts';
import { runBrowser } from '../../../clients/chromium/running-browser.ts';
import { firstTab, openTab } from '../../../clients/chromium/tab.ts';
import { load, settle, watchTab } from '../../../clients/chromium/visit.ts';
import { waitForStartUp } from '../../../clients/start-up.ts';
import { serverOf } from '../../../experiments/measuring.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { PROTOCOL_PAIR } from '../../../servers/index.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { standardDeviation } from '../../../statistics/standard-deviation.ts';
import { tQuantile } from '../../../statistics/t-distribution.ts';
import { blocksOf, delayed, type EachSite, loadIn, type SiteBench } from './bench.ts';
import { fixed, printRow } from './table.ts';

const [{ stack: H3 }, { stack: H2 }] = PROTOCOL_PAIR;

/** First visits that are compared: by a new browser, by one that has loaded another host's page, and by a context of a kept one. */
const MODES = ['process', 'warmed', 'context'] as const;
type Mode = (typeof MODES)[number];

/** Kept browsers are closed after this number of blocks, so that there are enough of them to estimate their variance. */
const BLOCKS_PER_BROWSER = 5;

interface MeasuredLoad {
  way: Mode;
  stack: string;
  block: number;
  ms: number;
  browser: string;
  attemptsBefore: number;
}

/** Logarithm of the ratio of HTTP/3 to HTTP/2 in each block, by mode. */
type LogRatios = Record<Mode, number[]>;

/** Prints whether contexts measure the same ratios as processes, and how much browsers differ. */
export async function printIsolation(
  eachSite: EachSite,
  repetitions: number,
  rttsMs: readonly number[],
): Promise<void> {
  const cells: { rttMs: number; logRatios: LogRatios }[] = [];
  await eachSite(async (here) => {
    for (const rttMs of rttsMs) {
      const loads = await measure(rttMs, repetitions, here);
      const logRatios = logRatiosOf(loads);
      cells.push({ rttMs, logRatios });
      printCell(`${here.manifest.site}, ${rttMs} ms`, loads, logRatios);
    }
  });
  console.log('\nAll sites: h3:h2 by a context, over h3:h2 by the other way (90 % interval)');
  for (const rttMs of rttsMs) {
    const own = cells.filter((cell) => cell.rttMs === rttMs);
    for (const way of ['warmed', 'process'] as const) {
      printRow([`${rttMs} ms, over ${way}`, overallText(own.map((cell) => changes(cell, way)))]);
    }
  }
  for (const way of ['warmed', 'process'] as const) {
    printRow([`all, over ${way}`, overallText(cells.map((cell) => changes(cell, way)))]);
  }
}

async function measure(
  rttMs: number,
  repetitions: number,
  here: SiteBench,
): Promise<MeasuredLoad[]> {
  const kept = contextPoolFor('context', here.servers, here.settings);
  const placesOf: Record<Mode, ContextPool> = {
    process: contextPoolFor('process', here.servers, here.settings),
    warmed: warmedBrowsers(here),
    context: kept,
  };
  const names = MODES.flatMap((way) => [`${way}.${H3}`, `${way}.${H2}`]);
  const loads: MeasuredLoad[] = [];
  try {
    for (const trial of blocksOf(here.manifest.site, names, delayed(rttMs), repetitions)) {
      const [way, stack] = trial.arm.split('.') as [Mode, string];
      if (way === 'context') await renew(kept, trial, here);
      const { client, metrics } = await loadIn(placesOf[way], { ...trial, arm: stack }, here);
      const ms = metrics.pageLoadMs ?? null;
      if (trial.warmup || client === null || ms === null) continue;
      loads.push({
        way,
        stack,
        block: trial.block,
        ms,
        browser: client.id,
        attemptsBefore: client.attemptsBefore,
      });
    }
  } finally {
    await kept.close();
  }
  return loads;
}

const renewedFor = new WeakMap<ContextPool, number>();

/** New kept browsers for every few blocks, each with its warm-up. */
async function renew(kept: ContextPool, trial: Trial, here: SiteBench): Promise<void> {
  const group = Math.ceil(trial.block / BLOCKS_PER_BROWSER);
  if (trial.warmup || renewedFor.get(kept) === group) return;
  renewedFor.set(kept, group);
  await kept.close();
  for (const each of [H3, H2]) {
    await loadIn(kept, { ...trial, id: `${trial.id}.warm-up.${each}`, arm: each }, here);
  }
}

function logRatiosOf(loads: readonly MeasuredLoad[]): LogRatios {
  const ofWay = (mode: Mode) => {
    const blocks = Map.groupBy(
      loads.filter((load) => load.way === mode),
      ({ block }) => block,
    );
    return [...blocks]
      .toSorted(([a], [b]) => a - b)
      .map(([, both]) => {
        const msOf = (name: string) => both.find(({ stack }) => stack === name)?.ms ?? Number.NaN;
        return Math.log(msOf(H3) / msOf(H2));
      });
  };
  return { process: ofWay('process'), warmed: ofWay('warmed'), context: ofWay('context') };
}

/** Log ratio by contexts minus that by another mode, block by block. */
function changes({ logRatios }: { logRatios: LogRatios }, way: 'warmed' | 'process'): number[] {
  return logRatios.context.map((ratio, block) => ratio - (logRatios[way][block] ?? Number.NaN));
}

function printCell(heading: string, loads: readonly MeasuredLoad[], logRatios: LogRatios): void {
  console.log(`\n${heading}: page load time in ms, median and standard deviation`);
  printRow(['', 'h3', 'SD', 'h2', 'SD', 'h3:h2']);
  for (const way of MODES) {
    const of = (name: string) =>
      loads.filter((load) => load.way === way && load.stack === name).map(({ ms }) => ms);
    const cells = [H3, H2].flatMap((name) => [
      fixed(median(of(name))),
      fixed(standardDeviation(of(name))),
    ]);
    printRow([way, ...cells, fixed(Math.exp(mean(logRatios[way]) ?? Number.NaN), 3)]);
  }
  for (const way of ['warmed', 'process'] as const) {
    printRow([`context over ${way}`, overallText([changes({ logRatios }, way)])]);
  }
  printAgeing(loads);
  for (const name of [H3, H2]) printBrowsers(name, loads);
}

/** The ratio by contexts, by the number of loads that their browsers had made before. */
function printAgeing(loads: readonly MeasuredLoad[]): void {
  const kept = loads.filter(({ way }) => way === 'context');
  const ages = Map.groupBy(kept, ({ attemptsBefore }) => attemptsBefore);
  const cells = [...ages]
    .toSorted(([a], [b]) => a - b)
    .map(([before, own]) => {
      const ratio = Math.exp(mean(logRatiosOf(own).context) ?? Number.NaN);
      return `after ${before}: ${fixed(ratio, 3)}`;
    });
  printRow(['context h3:h2', ...cells]);
}

/** The mean of some sites' mean changes, each with its own error, as a ratio with its 90 % interval. */
function overallText(sites: readonly (readonly number[])[]): string {
  const means = sites.map((site) => mean(site) ?? Number.NaN);
  const variances = sites.map((site) => (standardDeviation(site) ?? Number.NaN) ** 2 / site.length);
  const estimate = mean(means) ?? Number.NaN;
  const total = variances.reduce((sum, each) => sum + each, 0);
  const variance = total / sites.length ** 2;
  // Welch and Satterthwaite: degrees of freedom of a sum of variances.
  const freedom =
    total ** 2 /
    variances.reduce((sum, each, index) => sum + each ** 2 / ((sites[index]?.length ?? 2) - 1), 0);
  const half = tQuantile(0.95, Math.max(1, Math.floor(freedom))) * Math.sqrt(variance);
  const ratio = (log: number) => fixed(Math.exp(log), 3);
  return `${ratio(estimate)} (${ratio(estimate - half)} to ${ratio(estimate + half)})`;
}

/** Variance between kept browsers of one stack, separate from that between their loads: one-way analysis of variance. */
function printBrowsers(stack: string, loads: readonly MeasuredLoad[]): void {
  const own = loads.filter((load) => load.way === 'context' && load.stack === stack);
  const browsers = [...Map.groupBy(own, ({ browser }) => browser).values()].map((each) =>
    each.map(({ ms }) => Math.log(ms)),
  );
  const size = mean(browsers.map(({ length }) => length)) ?? Number.NaN;
  const within =
    browsers.reduce(
      (sum, each) => sum + (standardDeviation(each) ?? 0) ** 2 * (each.length - 1),
      0,
    ) /
    (own.length - browsers.length);
  const between = (standardDeviation(browsers.map((each) => mean(each) ?? 0)) ?? Number.NaN) ** 2;
  const component = Math.max(0, between - within / size);
  const percent = (variance: number) => fixed(100 * Math.sqrt(variance));
  printRow([
    `${browsers.length} browsers, ${stack}`,
    `between ${percent(component)} %`,
    `within ${percent(within)} %`,
    `F ${fixed((between * size) / within, 2)}`,
  ]);
}

/** Loads of another host's page, which warm up each process of a browser. */
const LOADS_BEFORE = 5;

/**
 * Makes a browser for each load. It first loads another host's page by the same protocol, each time in a new context: its
 * code has run, but it knows nothing of the site. The load itself uses the browser's own profile.
 */
function warmedBrowsers(bench: SiteBench): ContextPool {
  return { isWorn: false, open: (stack) => openWarmed(stack, bench), close: async () => {} };
}

async function openWarmed(stack: string, bench: SiteBench): Promise<LoadContext> {
  const running = await runBrowser(joined(stack, bench), bench.settings);
  const { root, pid } = running;
  try {
    const tab = await firstTab(root);
    for (let count = 0; count < LOADS_BEFORE; count++) {
      const { browserContextId } = await root.send('Target.createBrowserContext');
      const leave = async () => {
        await root.send('Target.disposeBrowserContext', { browserContextId });
      };
      const context = await openContextIn(running, {
        tab: await openTab(root, browserContextId),
        leave,
      });
      await loadOther(context, stack, bench.otherUrl);
      await context.leave();
    }
    await waitForStartUp(pid);
    return await openContextIn(running, { tab, leave: running.close });
  } catch (error) {
    await running.close();
    throw error;
  }
}

async function loadOther(context: LoadContext, stack: string, url: string): Promise<void> {
  const options = { url, isReload: false, timeoutS: 30, script: null, capture: false };
  const { failure } = await settle(
    context,
    await load(context, await watchTab(context, options), options),
  );
  if (failure) throw new Error(`the other page by ${stack}: ${failure.message}`);
}

/** A server of a stack with the origins of both pages. */
function joined(stack: string, { servers, otherServers }: SiteBench) {
  const own = serverOf(stack, servers);
  const other = serverOf(stack, otherServers);
  return {
    stack: own.stack,
    origins: { ...own.origins, ...other.origins },
    spkiPins: [...own.spkiPins, ...other.spkiPins],
  };
}
