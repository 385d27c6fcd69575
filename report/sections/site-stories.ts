import { conditionName } from '../../experiments/condition.ts';
import { verdictMetric } from '../../experiments/index.ts';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { numberOf } from '../../ground/experiment.ts';
import { cellKey, subjectConditionKey } from '../../ground/records/cell.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { median } from '../../statistics/median.ts';
import { countedLoadIds } from '../summary/blocks.ts';
import type { Summary } from '../summary/summary.ts';
import { readHarFile, UnreadableHarError } from './har-file.ts';
import { harOf, isKept, type KeptHars } from './hars.ts';
import { stackWhy } from './stack-why.ts';
import { type SiteStory, stackOf } from './view.ts';
import { MOST_ROWS, type StackWaterfall, waterfallMarkup } from './waterfall.ts';
import { waterfallLoad } from './waterfall-load.ts';
import { type Why, whyTable } from './why.ts';

/**
 * Limit for all waterfalls of a report together, with at least LEAST_ROWS rows each. The report of 30 sites, 3 stacks and
 * 2 conditions then stays below 3 MB and opens at once.
 */
const MOST_CHARACTERS = 1_250_000;

/** Fewer rows show too little. */
const LEAST_ROWS = 12;

/**
 * Waterfalls and causes for each site under each condition, without controls. Reads HARs one by one, and only those of the
 * median loads. If one cannot be read, the reason takes its place.
 * @param folder the run's folder
 * @param kept its HARs, if not all were kept
 */
export async function siteStories(
  folder: string,
  run: RunRecord,
  summary: Summary,
  observations: readonly Observation[],
  kept: KeptHars = null,
): Promise<SiteStory[]> {
  const ids = countedLoadIds(run, observations, summary.machines);
  const counted = observations.filter(({ id }) => ids.has(id));
  const loadsOfCell = Map.groupBy(counted, cellKey);
  const loadOfId = new Map(counted.map((load) => [load.id, load]));
  const metric = verdictMetric(summary);
  const timeOf = (load: Observation) => numberOf(load, metric) ?? Number.NaN;
  const rows = summary.rows.filter(({ controlOf }) => controlOf === null);
  const found: { story: Omit<SiteStory, 'markup'>; why: Why; waterfalls: StackWaterfall[] }[] = [];
  for (const cells of Map.groupBy(rows, subjectConditionKey).values()) {
    const [first] = cells;
    if (first === undefined) continue;
    const { subject, network, variant } = first;
    const waterfalls: StackWaterfall[] = [];
    for (const row of cells) {
      const middle = loadOfId.get(row.loads?.median ?? '');
      const own = loadsOfCell.get(cellKey(row)) ?? [];
      const shown = middle && nearestKept(middle, own, { kept, timeOf });
      const load = await loadOf(folder, shown, kept, row.network.measuredRttMs);
      waterfalls.push({
        arm: stackOf({ run }, row.arm),
        har: harOf(shown),
        inPlace: shown !== middle,
        load,
      });
    }
    const why = {
      name: `${subject}, ${conditionName({ network, variant })}`,
      arms: cells.flatMap((row) => {
        const own = (loadsOfCell.get(cellKey(row)) ?? []) as PageLoad[];
        return stackWhy(stackOf({ run }, row.arm), own, hostOf(run, subject)) ?? [];
      }),
      pairs: summary.analysis.pairs,
      rttMs: median(cells.flatMap((row) => row.network.measuredRttMs ?? [])),
    };
    found.push({ story: { subject, network: network.name, variant }, why, waterfalls });
  }
  const drawings = fittingDrawings(found);
  return found.map(({ story, why }, index) => ({
    ...story,
    markup: html`${whyTable(why)}${drawings[index]}`,
  }));
}

interface Drawable {
  why: Pick<Why, 'name'>;
  waterfalls: readonly StackWaterfall[];
}

/** Drawings with as many rows as fit. The size of a row depends on its address and its phases. */
function fittingDrawings(found: readonly Drawable[]): Markup[] {
  const whole: (Markup | undefined)[] = [];
  const draw = (mostRows: number) =>
    found.map(({ why: { name }, waterfalls }, index) => {
      if (mostRows < mostRequests(waterfalls)) return waterfallMarkup(name, waterfalls, mostRows);
      // Every request already has a row.
      whole[index] ??= waterfallMarkup(name, waterfalls, MOST_ROWS);
      return whole[index];
    });
  let fitting = draw(LEAST_ROWS);
  let [low, high] = [LEAST_ROWS, MOST_ROWS + 1];
  let characters = charactersOf(fitting);
  for (let isGuess = true; high - low > 1; isGuess = !isGuess) {
    // Rows have similar sizes; alternating with halving bounds the number of guesses.
    const guess = Math.floor((low * MOST_CHARACTERS) / characters);
    const middle = Math.floor((low + high) / 2);
    const rows = isGuess ? Math.max(low + 1, Math.min(high - 1, guess)) : middle;
    const drawn = draw(rows);
    if (charactersOf(drawn) > MOST_CHARACTERS) high = rows;
    else [low, fitting, characters] = [rows, drawn, charactersOf(drawn)];
  }
  return fitting;
}

function mostRequests(waterfalls: readonly StackWaterfall[]): number {
  return Math.max(
    0,
    ...waterfalls.map(({ load }) => ('missing' in load ? 0 : load.requests.length)),
  );
}

function charactersOf(drawings: readonly Markup[]): number {
  return drawings.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * The median load; without its HAR, the nearest load with one: merged parts of a run kept the HARs of their own median
 * loads.
 */
function nearestKept(
  median: Observation,
  loads: readonly Observation[],
  { kept, timeOf }: { kept: KeptHars; timeOf: (load: Observation) => number },
): Observation {
  const isThere = (load: Observation) => {
    const file = harOf(load);
    return file !== null && isKept(kept, file);
  };
  if (harOf(median) === null || isThere(median)) return median;
  const distanceOf = (load: Observation) => Math.abs(timeOf(load) - timeOf(median));
  const [nearest = median] = loads
    .filter((load) => isThere(load) && distanceOf(load) >= 0)
    .sort((a, b) => distanceOf(a) - distanceOf(b));
  return nearest;
}

async function loadOf(
  folder: string,
  load: Observation | undefined,
  kept: KeptHars,
  rttMs: number | null,
): Promise<StackWaterfall['load']> {
  const pageLoadMs = load?.metrics.pageLoadMs ?? null;
  if (load === undefined || pageLoadMs === null) return { missing: 'it has no load that counts' };
  const file = harOf(load);
  if (file === null) return { missing: 'its median load has no HAR' };
  if (!isKept(kept, file)) return { missing: 'the HARs of its loads were not kept' };
  try {
    const har = await readHarFile(folder, file);
    return waterfallLoad(har, { ...load.metrics, pageLoadMs }, rttMs);
  } catch (error) {
    if (!(error instanceof UnreadableHarError)) throw error;
    return { missing: `the HAR of its median load ${error.message}` };
  }
}

function hostOf({ subjects }: RunRecord, name: string): string {
  const url = subjects.find(({ subject }) => subject === name)?.url ?? '';
  return URL.parse(url)?.hostname ?? '';
}
