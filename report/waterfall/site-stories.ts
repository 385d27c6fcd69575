import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord } from '../../records/run.ts';
import { countedLoadIds } from '../analysis/blocks.ts';
import { cellKey, siteConditionKey } from '../analysis/cell.ts';
import { html, type Markup } from '../html/markup.ts';
import { conditionName } from '../html/name.ts';
import type { SiteStory } from '../html/site-section.ts';
import { isKept, type KeptHars } from '../kept-hars.ts';
import { verdictMetric } from '../metrics/verdict-metric.ts';
import { median } from '../statistics/median.ts';
import type { Summary } from '../summary.ts';
import { stackWhy } from '../why/stack-why.ts';
import { type Why, whyTable } from '../why/why-table.ts';
import { readHarFile, UnreadableHarError } from './har-file.ts';
import { waterfallLoad } from './waterfall-load.ts';
import { MOST_ROWS, type StackWaterfall, waterfallMarkup } from './waterfalls.ts';

/**
 * All waterfalls of a report together stay within this size, as far as they can with LEAST_ROWS each, so that the report
 * of 30 sites, 3 stacks and 2 conditions stays below 3 MB and opens at once.
 */
const MOST_CHARACTERS = 1_250_000;

/** Fewer rows than these would say nothing. */
const LEAST_ROWS = 12;

/**
 * Waterfalls and causes for each site under each condition, controls left out. Reads one HAR after another, and of those
 * only the median load's of each stack; one that cannot be read is a reason in its place.
 * @param folder the run's folder
 * @param kept its HARs, where not all were kept
 */
export async function siteStories(
  folder: string,
  run: RunRecord,
  summary: Summary,
  pageLoads: readonly PageLoad[],
  kept: KeptHars = null,
): Promise<SiteStory[]> {
  const ids = countedLoadIds(run, pageLoads, summary.machines);
  const counted = pageLoads.filter(({ id }) => ids.has(id));
  const loadsOfCell = Map.groupBy(counted, cellKey);
  const loadOfId = new Map(counted.map((load) => [load.id, load]));
  const metric = verdictMetric(summary.analysis);
  const timeOf = (load: PageLoad) => metric.of(load).value ?? Number.NaN;
  const rows = summary.rows.filter(({ controlOf }) => controlOf === null);
  const found: { story: Omit<SiteStory, 'markup'>; why: Why; waterfalls: StackWaterfall[] }[] = [];
  for (const cells of Map.groupBy(rows, siteConditionKey).values()) {
    const [first] = cells;
    if (first === undefined) continue;
    const { site, network, visit } = first;
    const waterfalls: StackWaterfall[] = [];
    for (const row of cells) {
      const middle = loadOfId.get(row.loads?.median ?? '');
      const own = loadsOfCell.get(cellKey(row)) ?? [];
      const shown = middle && nearestKept(middle, own, { kept, timeOf });
      const load = await loadOf(folder, shown, kept);
      const stack = { label: row.label, place: placeOf(run, row.stack) };
      waterfalls.push({ stack, har: shown?.har ?? null, inPlace: shown !== middle, load });
    }
    const why = {
      name: `${site}, ${conditionName({ network, visit })}`,
      stacks: cells.flatMap((row) => {
        const stack = { stack: row.stack, label: row.label, place: placeOf(run, row.stack) };
        return stackWhy(stack, loadsOfCell.get(cellKey(row)) ?? [], hostOf(run, site)) ?? [];
      }),
      baseline: summary.analysis.baseline,
      rttMs: median(cells.flatMap((row) => row.network.measuredRttMs ?? [])),
    };
    found.push({ story: { site, network: network.name, visit }, why, waterfalls });
  }
  const drawings = fittingDrawings((mostRows) =>
    found.map(({ why, waterfalls }) => waterfallMarkup(why.name, waterfalls, mostRows)),
  );
  return found.map(({ story, why }, index) => ({
    ...story,
    markup: html`${whyTable(why)}${drawings[index]}`,
  }));
}

/** Drawings with as many rows as fit, found by halving: what a row takes depends on its address and its phases. */
function fittingDrawings(draw: (mostRows: number) => Markup[]): Markup[] {
  const whole = draw(MOST_ROWS);
  if (fits(whole)) return whole;
  let fitting = draw(LEAST_ROWS);
  let [low, high] = [LEAST_ROWS, MOST_ROWS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const drawn = draw(middle);
    if (fits(drawn)) [low, fitting] = [middle, drawn];
    else high = middle;
  }
  return fitting;
}

function fits(drawings: readonly Markup[]): boolean {
  return drawings.reduce((sum, { text }) => sum + text.length, 0) <= MOST_CHARACTERS;
}

/**
 * The median load; where its HAR was not kept, the load nearest to it whose HAR was: parts of a run that were merged kept
 * those of their own median loads.
 */
function nearestKept(
  median: PageLoad,
  loads: readonly PageLoad[],
  { kept, timeOf }: { kept: KeptHars; timeOf: (load: PageLoad) => number },
): PageLoad {
  if (median.har === null || isKept(kept, median.har)) return median;
  const distanceOf = (load: PageLoad) => Math.abs(timeOf(load) - timeOf(median));
  const [nearest = median] = loads
    .filter((load) => load.har !== null && isKept(kept, load.har) && distanceOf(load) >= 0)
    .sort((a, b) => distanceOf(a) - distanceOf(b));
  return nearest;
}

async function loadOf(
  folder: string,
  load: PageLoad | undefined,
  kept: KeptHars,
): Promise<StackWaterfall['load']> {
  const pageLoad = load?.timingsMs.pageLoad ?? null;
  if (load === undefined || pageLoad === null) return { missing: 'none of its loads counts' };
  if (load.har === null) return { missing: 'its median load has no HAR' };
  if (!isKept(kept, load.har)) return { missing: 'the HARs of its loads were not kept' };
  try {
    const har = await readHarFile(folder, load.har);
    return waterfallLoad(har, { ...load.timingsMs, pageLoad });
  } catch (error) {
    if (!(error instanceof UnreadableHarError)) throw error;
    return { missing: `the HAR of its median load ${error.message}` };
  }
}

function placeOf({ stacks }: RunRecord, name: string): number {
  return stacks.findIndex(({ stack }) => stack === name);
}

function hostOf({ sites }: RunRecord, name: string): string {
  const url = sites.find(({ site }) => site === name)?.url ?? '';
  return URL.canParse(url) ? new URL(url).hostname : '';
}
