import type { AskedNetwork } from '../../records/network.ts';
import type { PlannedStack, RunRecord } from '../../records/run.ts';
import { type Block, blocksOf } from '../analysis/blocks.ts';
import { siteConditionKey } from '../analysis/cell.ts';
import { pairedLogRatios } from '../analysis/compare.ts';
import type { Estimate } from '../analysis/comparison.ts';
import { seedOf } from '../analysis/seed.ts';
import { askedOf, conditionKey, conditionText } from '../condition.ts';
import { verdictMetric } from '../metrics/verdict-metric.ts';
import { hierarchicalBootstrap } from '../statistics/hierarchical-bootstrap.ts';
import { median } from '../statistics/median.ts';
import { changeSentence } from './change-sentence.ts';
import { changeVerdict } from './change-verdict.ts';
import { differingFacts } from './differing-facts.ts';
import type { MeasuredRun } from './measured-run.ts';
import { pooledChange, ratioChange } from './ratio-change.ts';
import {
  type Both,
  COMPARE_FORMAT_VERSION,
  type ComparedCondition,
  type ComparedSite,
  type ComparedStack,
  type OnlyInOne,
  type RunFacts,
  type RunsComparison,
} from './runs-comparison.ts';

/** Two runs cannot be compared; the message says why, and what to do about it. */
export class CompareError extends Error {
  override name = 'CompareError';
}

/**
 * Sets two runs side by side: ratios of the same stacks on the same sites under the same conditions, each from its own
 * run's pairs, and by how much they changed. Loads of different runs are never paired. Both summaries must have the same
 * baseline, margin and metric. Pure: the same input gives the same numbers.
 * @throws CompareError when the runs have no condition, site or pair of stacks in common.
 */
export function compareRuns(runs: Both<MeasuredRun>): RunsComparison {
  const [first, second] = runs;
  const { baseline, marginPercent, metric } = first.summary.analysis;
  const sites = sitesOfBoth(runs);
  const stacks = stacksOfBoth(runs, baseline);
  const shared = conditionsOfBoth(runs);
  const blocks: Both<BlocksByCell> = [
    blocksOf(first.run, first.pageLoads, first.summary.machines),
    blocksOf(second.run, second.pageLoads, second.summary.machines),
  ];
  return {
    formatVersion: COMPARE_FORMAT_VERSION,
    runs: [factsOf(first), factsOf(second)],
    baseline,
    marginPercent,
    metric,
    differences: differingFacts([first.run, second.run]),
    onlyIn: [onlyIn(first.run, second.run), onlyIn(second.run, first.run)],
    otherPages: namesOfBoth(runs).filter((site) => !sites.includes(site)),
    conditions: shared.map((condition) => ({
      ...condition,
      stacks: stacks.map((stack) => comparedStack({ runs, blocks, condition, sites }, stack)),
    })),
  };
}

type BlocksByCell = ReadonlyMap<string, readonly Block[]>;
type SharedCondition = Omit<ComparedCondition, 'stacks'>;

/** What the comparison of one stack is made from. */
interface Source {
  runs: Both<MeasuredRun>;
  blocks: Both<BlocksByCell>;
  condition: SharedCondition;
  sites: readonly string[];
}

/** A stack of both runs, and the baseline, as the first run has them. */
interface StackOfBoth {
  stack: PlannedStack;
  baseline: PlannedStack;
}

function comparedStack(source: Source, { stack, baseline }: StackOfBoth): ComparedStack {
  const { runs, condition, sites } = source;
  const { marginPercent } = runs[0].summary.analysis;
  const names = { stack: stack.stack, baseline: baseline.stack };
  const measured = sites.map((site) => measuredSite(source, names, site));
  const whole = measured.filter(({ compared }) => compared.change !== null);
  const ratios = [0, 1].map((place) => {
    const logRatios = whole.map((each) => each.logRatios[place] ?? []);
    const seed = seedOf(
      runs[place]?.run.seed ?? 0,
      'pooled of both',
      ...nameWords(condition, names),
    );
    const pooled = hierarchicalBootstrap(logRatios, { seed });
    return pooled && { estimate: pooled.ratio, low: pooled.low, high: pooled.high };
  }) as Both<Estimate | null>;
  const change = pooledChange(whole.flatMap(({ compared }) => compared.change ?? []));
  const numbers = {
    ...names,
    label: stack.label,
    baselineLabel: baseline.label,
    nSites: whole.length,
    ratios,
    change,
    verdict: changeVerdict(change, marginPercent),
    sites: measured.map(({ compared }) => compared),
  };
  return {
    ...numbers,
    sentence: changeSentence(condition, numbers, runs[0].summary.analysis),
  };
}

function measuredSite(
  { runs, blocks, condition, sites: _ }: Source,
  names: { stack: string; baseline: string },
  site: string,
): { logRatios: Both<number[]>; compared: ComparedSite } {
  const { visit } = condition;
  const metric = verdictMetric(runs[0].summary.analysis);
  const of = <T>(each: (place: 0 | 1, network: string) => T): Both<T> => [
    each(0, condition.names[0]),
    each(1, condition.names[1]),
  ];
  const logRatios = of((place, network) => {
    const key = siteConditionKey({ site, network: { name: network }, visit });
    const found = blocks[place].get(key) ?? [];
    return pairedLogRatios(found, metric, names.stack, names.baseline);
  });
  const own = of((place, network) =>
    runs[place].summary.comparisons.find(
      (each) =>
        each.site === site &&
        each.network === network &&
        each.visit === visit &&
        each.stack === names.stack,
    ),
  );
  const seeds = of((place) => runs[place].run.seed);
  const change = ratioChange(...logRatios, {
    seed: seedOf(seeds[0], 'change', String(seeds[1]), site, ...nameWords(condition, names)),
  });
  const compared = {
    site,
    nPairs: of((place) => logRatios[place].length),
    ratios: of((place) => own[place]?.ratio ?? null),
    verdicts: of((place) => own[place]?.verdict ?? null),
    change,
    verdict: changeVerdict(change, runs[0].summary.analysis.marginPercent),
  };
  return { logRatios, compared };
}

function nameWords(
  { network, visit }: SharedCondition,
  { stack, baseline }: { stack: string; baseline: string },
): string[] {
  return [network.name, visit, stack, baseline];
}

function namesOfBoth([first, second]: Both<MeasuredRun>): string[] {
  const names = new Set(second.run.sites.map(({ site }) => site));
  return first.run.sites.map(({ site }) => site).filter((site) => names.has(site));
}

/** Sites whose page is the same to the byte: a page that changed is another one. */
function sitesOfBoth(runs: Both<MeasuredRun>): string[] {
  const [first, second] = runs;
  const named = namesOfBoth(runs);
  if (named.length === 0) {
    throw new CompareError(
      `The runs have no site in common: ${list(first.run.sites.map(({ site }) => site))}; and ${list(second.run.sites.map(({ site }) => site))}. Choose two runs with some of the same sites.`,
    );
  }
  const pageOf = ({ run }: MeasuredRun, name: string) =>
    run.sites.find(({ site }) => site === name)?.manifestSha256;
  const alike = named.filter((site) => pageOf(first, site) === pageOf(second, site));
  if (alike.length === 0) {
    throw new CompareError(
      `The pages of ${list(named)} were not the same in the two runs (run.json, manifestSha256): their times cannot be compared. Run both with the same site cache.`,
    );
  }
  return alike;
}

function stacksOfBoth([first, second]: Both<MeasuredRun>, baseline: string): StackOfBoth[] {
  const [own, others] = [stacksOf(first.run), stacksOf(second.run)];
  const base = own.find(({ stack }) => stack === baseline);
  const shared = own.filter(
    ({ stack }) => stack !== baseline && others.some((other) => other.stack === stack),
  );
  if (!base || shared.length === 0) {
    throw new CompareError(
      `The runs have no stack in common beside the baseline ${baseline}: ${list(own.map(({ stack }) => stack))}; and ${list(others.map(({ stack }) => stack))}. Choose another --baseline, or two runs with the same stacks.`,
    );
  }
  return shared.map((stack) => ({ stack, baseline: base }));
}

function conditionsOfBoth([first, second]: Both<MeasuredRun>): SharedCondition[] {
  const visits = first.run.visits.filter((visit) => second.run.visits.includes(visit));
  const found = first.run.networks.flatMap((network) => {
    const other = second.run.networks.find((each) => numbersKey(each) === numbersKey(network));
    if (!other) return [];
    const names: Both<string> = [network.name, other.name];
    return visits.map((visit) => ({
      network: askedOf(network),
      visit,
      names,
      measuredRttMs: [first, second].map(({ summary }, place) =>
        median(
          summary.rows.flatMap((row) =>
            row.network.name === names[place] && row.visit === visit
              ? (row.network.measuredRttMs ?? [])
              : [],
          ),
        ),
      ) as Both<number | null>,
    }));
  });
  if (found.length === 0) {
    throw new CompareError(
      `The runs have no condition in common: ${list(conditionTexts(first.run))}; and ${list(conditionTexts(second.run))}. Choose two runs with some of the same networks and visits.`,
    );
  }
  return found;
}

/** The same for networks with the same numbers, whatever they are called. */
function numbersKey(network: AskedNetwork): string {
  return conditionKey({ ...network, name: '' });
}

function stacksOf({ stacks }: RunRecord): PlannedStack[] {
  return stacks.filter(({ controlOf }) => controlOf === null);
}

function onlyIn(run: RunRecord, other: RunRecord): OnlyInOne {
  const sites = new Set(other.sites.map(({ site }) => site));
  const stacks = new Set(stacksOf(other).map(({ stack }) => stack));
  const conditions = new Set(conditionTexts(other));
  return {
    sites: run.sites.map(({ site }) => site).filter((site) => !sites.has(site)),
    conditions: conditionTexts(run).filter((text) => !conditions.has(text)),
    stacks: stacksOf(run)
      .map(({ stack }) => stack)
      .filter((stack) => !stacks.has(stack)),
  };
}

function conditionTexts({ networks, visits }: RunRecord): string[] {
  return networks.flatMap((network) => visits.map((visit) => conditionText(network, visit)));
}

function factsOf({ run, summary }: MeasuredRun): RunFacts {
  const { runId, startedAt, backend, host, versions } = run;
  const nLoads = summary.rows.reduce((sum, { n }) => sum + n, 0);
  return { runId, startedAt, backend, host, versions, nLoads, warnings: summary.warnings };
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
