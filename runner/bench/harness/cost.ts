import { contextPoolFor } from '../../../clients/chromium/context-pool.ts';
import { pagesIn } from '../../../clients/chromium/pages.ts';
import type { Attempt } from '../../../experiments/measuring.ts';
import { clientOf } from '../../../experiments/page-load/measure.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { carryOut } from '../../carry-out.ts';
import { observationOf } from '../../observation.ts';
import { blocksOf, counted, delayed, type EachSite, loadIn, type SiteBench } from './bench.ts';
import { differenceText, medianText, printRow } from './table.ts';

const STEPS = ['prepare', 'load', 'settle', 'judge'] as const;

/** Loads in a row, as in a run or one by one. */
const STRETCH = 10;

interface TimedLoad {
  trial: Trial;
  made: Attempt;
  wholeMs: number;
}

/**
 * Prints the time of a load beyond its page load time, step by step; and whether preparing the next load while this one
 * settles delays this one's last byte and largest paint.
 */
export async function printCost(eachSite: EachSite, repetitions: number): Promise<void> {
  await eachSite(async (here) => {
    const { site } = here.manifest;
    const contexts = contextPoolFor('context', here.servers, here.settings);
    try {
      const ahead: TimedLoad[] = [];
      const inRow: TimedLoad[] = [];
      const names = here.servers.map(({ stack }) => stack.stack);
      const stretches = stretchesOf(blocksOf(site, names, delayed(0), repetitions));
      for (const [index, stretch] of stretches.entries()) {
        const trials = stretch.map((each) => ({ ...each, id: `${each.id}.${index}` }));
        ahead.push(...(await timedAhead(trials, here, contexts)));
        inRow.push(...(await timedInRow(trials, here, contexts)));
      }
      console.log(`\n${site}, no delay, a context each: medians in ms`);
      for (const name of names) printStack(name, ofStack(ahead, name), ofStack(inRow, name));
    } finally {
      await contexts.close();
    }
  });
}

function stretchesOf(trials: readonly Trial[]): Trial[][] {
  const measured = trials.filter(({ warmup }) => !warmup);
  const count = Math.ceil(measured.length / STRETCH);
  return Array.from({ length: count }, (_, index) =>
    measured.slice(index * STRETCH, (index + 1) * STRETCH),
  );
}

/** As in a run: prepares the next load while the last one settles. */
async function timedAhead(
  trials: readonly Trial[],
  { context, row }: SiteBench,
  contexts: ReturnType<typeof contextPoolFor>,
): Promise<TimedLoad[]> {
  const timed: TimedLoad[] = [];
  let lastMs = performance.now();
  const source = (async function* () {
    yield* trials;
  })();
  const written = async (trial: Trial, made: Attempt) => {
    await context.results.append(observationOf(trial, counted(trial, made), { order: 1, ...row }));
    timed.push({ trial, made, wholeMs: performance.now() - lastMs });
    lastMs = performance.now();
  };
  await carryOut(source, clientOf(context, pagesIn(contexts)), { written });
  // The first load was not prepared during another one.
  return timed.slice(1);
}

/** One by one: prepares the next load after the last one. */
async function timedInRow(
  trials: readonly Trial[],
  here: SiteBench,
  contexts: ReturnType<typeof contextPoolFor>,
): Promise<TimedLoad[]> {
  const timed: TimedLoad[] = [];
  for (const trial of trials) {
    const beginMs = performance.now();
    const made = await loadIn(contexts, { ...trial, id: `${trial.id}.in-row` }, here);
    timed.push({ trial, made, wholeMs: performance.now() - beginMs });
  }
  return timed.slice(1);
}

function ofStack(timed: readonly TimedLoad[], stack: string): TimedLoad[] {
  return timed.filter(({ trial }) => trial.arm === stack);
}

function printStack(name: string, ahead: readonly TimedLoad[], inRow: readonly TimedLoad[]): void {
  const overhead = ({ made, wholeMs }: TimedLoad) => wholeMs - pageLoadMs(made);
  printRow([name, 'as in a run', 'one by one']);
  const row = (what: string, numberOf: (timed: TimedLoad) => number) =>
    printRow([`  ${what}`, medianText(ahead.map(numberOf)), medianText(inRow.map(numberOf))]);
  row('in addition to the page load time', overhead);
  for (const step of STEPS) row(`  ${step}`, ({ made }) => made.stepsMs[step] ?? 0);
  row('page load time', ({ made }) => pageLoadMs(made));
  row('loads a minute', ({ wholeMs }) => 60_000 / wholeMs);
  for (const metric of ['lastByteMs', 'largestContentfulPaintMs']) {
    const byId = new Map(inRow.map(({ trial, made }) => [trial.id, made]));
    const differences = ahead.flatMap(({ trial, made }) => {
      const [ms, other] = [made.metrics[metric], byId.get(trial.id)?.metrics[metric]];
      return typeof ms === 'number' && typeof other === 'number' ? [ms - other] : [];
    });
    printRow([`  ${metric}, later by`, differenceText(differences)]);
  }
}

function pageLoadMs({ metrics }: Attempt): number {
  return metrics.pageLoadMs ?? 0;
}
