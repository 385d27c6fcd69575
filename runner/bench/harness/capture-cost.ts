import { contextPoolFor } from '../../../clients/chromium/context-pool.ts';
import type { ContextPool } from '../../../clients/chromium/load-context.ts';
import { load, settle, watchTab } from '../../../clients/chromium/visit.ts';
import { blocksOf, delayed, type EachSite, type SiteBench } from './bench.ts';
import { differenceText, medianText, printRow } from './table.ts';

const MODES = ['nothing', 'HAR'];

/** Prints page load times with and without recording the data of a HAR. */
export async function printCaptureCost(eachSite: EachSite, repetitions: number): Promise<void> {
  await eachSite(async (here) => {
    const { site } = here.manifest;
    const contexts = contextPoolFor('context', here.servers, here.settings);
    try {
      await here.context.path.apply({ ...delayed(0), seed: 1 });
      for (const { stack } of here.servers) {
        const times = new Map<string, number[]>(MODES.map((way) => [way, []]));
        for (const trial of blocksOf(site, MODES, delayed(0), repetitions)) {
          here.context.signal?.throwIfAborted();
          const ms = await pageLoadMs(here, contexts, stack.stack, trial.arm === 'HAR');
          if (!trial.warmup) times.get(trial.arm)?.push(ms);
        }
        print(`${site} by ${stack.stack}`, times);
      }
    } finally {
      await contexts.close();
    }
  });
}

async function pageLoadMs(
  { manifest: { url } }: SiteBench,
  contexts: ContextPool,
  stack: string,
  capture: boolean,
): Promise<number> {
  const context = await contexts.open(stack);
  try {
    const options = { url, isReload: false, timeoutS: 30, script: null, capture };
    const loaded = await load(context, await watchTab(context, options), options);
    const { timings, failure } = await settle(context, loaded);
    const ms = timings?.loadEventEndMs ?? null;
    if (failure || ms === null) throw new Error(`${url} by ${stack}: ${failure?.message}`);
    return ms;
  } finally {
    await context.leave();
  }
}

function print(heading: string, times: ReadonlyMap<string, number[]>): void {
  const [without = [], kept = []] = times.values();
  const differences = kept.map((ms, index) => ms - (without[index] ?? 0));
  console.log(`\n${heading}: page load time in ms, median`);
  printRow(['nothing kept', medianText(without)]);
  printRow(['HAR kept', medianText(kept), `more by ${differenceText(differences)}`]);
}
