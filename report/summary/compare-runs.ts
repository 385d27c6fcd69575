import { conditionText } from '../../experiments/condition.ts';
import { verdictMetric } from '../../experiments/index.ts';
import type { Metric } from '../../ground/experiment.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import { variantsOf } from '../../ground/records/factors.ts';
import { conditionFieldsOf, networkKeyWithout } from '../../ground/records/network.ts';
import type { PlannedArm, RunRecord } from '../../ground/records/run.ts';
import { STACK_PROPERTIES } from '../../ground/records/stack-readings.ts';
import { EXIT, ExitError } from '../../ground/system/exit-status.ts';
import { type Estimate, ratioOf } from '../../kit/text/estimate.ts';
import { sideOf, type Verdict } from '../../kit/text/verdict.ts';
import { versionTexts } from '../../kit/text/versions.ts';
import { fixedSitesDifference } from '../../statistics/fixed-sites-difference.ts';
import { logRatios } from '../../statistics/log-ratios.ts';
import { median } from '../../statistics/median.ts';
import { type Block, blocksOf } from './blocks.ts';
import { pairedLogRatios } from './compare.ts';
import { isOfSame } from './comparison.ts';
import { estimateAt, verdictByFailures } from './family.ts';
import type { MeasuredRun } from './measured-run.ts';
import { testedPairs } from './paired-values.ts';
import { type PooledEvidence, pool } from './pooled-evidence.ts';
import { type PairNames, stackNamed } from './primary-questions.ts';
import { ratioChange } from './ratio-change.ts';
import { problemsOf } from './run-exclusions.ts';
import {
  type Both,
  COMPARE_FORMAT_VERSION,
  type ComparedCondition,
  type ComparedSite,
  type ComparedStack,
  type FactDifference,
  type OnlyInOne,
  type RunFacts,
  type RunsComparison,
} from './runs-comparison.ts';
import { seedOf } from './seed.ts';
import { SIGNIFICANCE, verdictOfInterval } from './verdict.ts';

/** Two runs cannot be compared; the message says why and suggests a remedy. */
export class CompareError extends ExitError {
  override name = 'CompareError';
  readonly exitStatus = EXIT.usage;
}

/**
 * Compares two runs: ratios of the same stacks on the same sites under the same conditions, each from its own run's pairs,
 * and their changes. Loads of different runs are never paired. Over all sites, the chance of even one wrong verdict is at
 * most 5 %, shared equally among the stacks and conditions (Bonferroni). Both summaries must have the same baseline, margin
 * and metric.
 * @throws CompareError when the runs have no condition, site or pair of stacks in common.
 */
export function compareRuns(runs: Both<MeasuredRun>): RunsComparison {
  const [first, second] = runs;
  const { baseline, marginPercent, metric } = first.summary.analysis;
  const subjects = sitesOfBoth(runs);
  const arms = stacksOfBoth(runs);
  const shared = conditionsOfBoth(runs);
  const blocks: Both<BlocksByCell> = [
    blocksOf(first.run, first.observations, first.summary.machines),
    blocksOf(second.run, second.observations, second.summary.machines),
  ];
  return {
    formatVersion: COMPARE_FORMAT_VERSION,
    runs: [factsOf(first), factsOf(second)],
    baseline,
    marginPercent,
    experiment: runs[0].run.experiment,
    metric,
    differences: differingFacts([first.run, second.run]),
    onlyIn: [onlyIn(first.run, second.run), onlyIn(second.run, first.run)],
    otherPages: namesOfBoth(runs).filter((subject) => !subjects.includes(subject)),
    conditions: shared.map((condition) => ({
      ...condition,
      arms: arms.map((arm) =>
        comparedStack({ runs, blocks, condition, subjects }, arm, {
          level: SIGNIFICANCE / (shared.length * arms.length),
        }),
      ),
    })),
  };
}

type BlocksByCell = ReadonlyMap<string, readonly Block[]>;
type SharedCondition = Omit<ComparedCondition, 'arms'>;

interface Source {
  runs: Both<MeasuredRun>;
  blocks: Both<BlocksByCell>;
  condition: SharedCondition;
  subjects: readonly string[];
}

interface StackOfBoth {
  arm: PlannedArm;
  baseline: PlannedArm;
}

function comparedStack(
  source: Source,
  { arm, baseline }: StackOfBoth,
  { level }: { level: number },
): ComparedStack {
  const { runs, subjects } = source;
  const { marginPercent } = runs[0].summary.analysis;
  const names = { arm: arm.arm, baseline: baseline.arm };
  const metric = verdictMetric(runs[0].summary);
  const { seen, excludedSites } = poolBothRuns(source, names);
  const [first, second] = seen;
  const ratioAt = (sites: PooledEvidence<string>['ratio']) => ratioOf(estimateAt(sites, level));
  const ratios: Both<Estimate | null> = [ratioAt(first.ratio), ratioAt(second.ratio)];
  const ratio =
    first.ratio && second.ratio && ratioAt(fixedSitesDifference(first.ratio, second.ratio));
  const evidence = {
    nPairs: first.nPairs + second.nPairs,
    nBothFailed: first.nBothFailed + second.nBothFailed,
  };
  return {
    ...names,
    label: arm.label,
    baselineLabel: baseline.label,
    nSites: first.sites.length,
    nPairs: evidence.nPairs,
    nFailed: {
      arm: first.nFailed.arm + second.nFailed.arm,
      baseline: first.nFailed.baseline + second.nFailed.baseline,
    },
    ratio,
    level,
    verdict:
      ratio === null
        ? verdictOfRunByFailures(seen, { ratios, level, metric })
        : verdictOfInterval(ratio, evidence, { marginPercent, metric }),
    ratios,
    excludedSites,
    subjects: subjects.map((subject) => measuredSite(source, names, subject)),
  };
}

/**
 * The change when failures leave one of the runs no ratio: failures are worse than any time, so that run lies beyond the
 * other if the sign test of its failures decides and the other has a limit on that side.
 */
function verdictOfRunByFailures(
  seen: Both<PooledEvidence<string>>,
  { ratios, level, metric }: { ratios: Both<Estimate | null>; level: number; metric: Metric },
): Verdict {
  const failing = ratios[0] === null ? 0 : 1;
  const other = ratios[failing === 0 ? 1 : 0];
  if (ratios[failing] !== null || other === null) return 'undecided';
  const verdict = verdictByFailures(seen[failing], level);
  const side = sideOf(verdict, metric);
  if (side === null || (side === 'above' ? other.high : other.low) === null) return 'undecided';
  const isSlowerInSecond = (verdict === 'slower') === (failing === 1);
  return isSlowerInSecond ? 'slower' : 'faster';
}

function poolBothRuns(
  { runs, blocks, condition, subjects }: Source,
  names: PairNames,
): { seen: Both<PooledEvidence<string>>; excludedSites: Both<string[]> } {
  const metric = verdictMetric(runs[0].summary);
  const { network, variant } = condition;
  const seenOf = (place: 0 | 1, sites: readonly string[]) => {
    const found = sites.map((site) => {
      const name = condition.names[place];
      const key = subjectConditionKey({ subject: site, network: { name }, variant });
      const own = blocks[place].get(key) ?? [];
      return { site, pairs: testedPairs(own, metric, names.arm, names.baseline) };
    });
    return pool(found, { network, metric }, logRatios);
  };
  const own = [seenOf(0, subjects).sites, seenOf(1, subjects).sites] as const;
  const sites = own[0].filter((site) => own[1].includes(site));
  const without = (place: 0 | 1) => subjects.filter((site) => !own[place].includes(site));
  return { seen: [seenOf(0, sites), seenOf(1, sites)], excludedSites: [without(0), without(1)] };
}

function measuredSite(
  { runs, blocks, condition }: Source,
  names: PairNames,
  subject: string,
): ComparedSite {
  const { variant } = condition;
  const metric = verdictMetric(runs[0].summary);
  const of = <T>(each: (place: 0 | 1, network: string) => T): Both<T> => [
    each(0, condition.names[0]),
    each(1, condition.names[1]),
  ];
  const logRatiosOfBoth = of((place, network) => {
    const key = subjectConditionKey({ subject, network: { name: network }, variant });
    const found = blocks[place].get(key) ?? [];
    return pairedLogRatios(found, metric, names.arm, names.baseline);
  });
  const own = of((place, network) =>
    runs[place].summary.comparisons.find(
      (each) => each.subject === subject && isOfSame(each, { network, variant, arm: names.arm }),
    ),
  );
  const seeds = of((place) => runs[place].run.seed);
  const ratio = ratioChange(...logRatiosOfBoth, {
    seed: seedOf(seeds[0], 'change', String(seeds[1]), subject, ...nameWords(condition, names)),
  });
  return {
    subject,
    nPairs: of((place) => logRatiosOfBoth[place].length),
    ratios: of((place) => own[place]?.ratio ?? null),
    verdicts: of((place) => own[place]?.verdict ?? null),
    ratio,
    verdict: ratio
      ? verdictOfInterval(
          ratio,
          { nPairs: 1, nBothFailed: 0 },
          { marginPercent: runs[0].summary.analysis.marginPercent, metric },
        )
      : 'undecided',
  };
}

function nameWords({ network, variant }: SharedCondition, { arm, baseline }: PairNames): string[] {
  return [network.name, variant, arm, baseline];
}

function namesOfBoth([first, second]: Both<MeasuredRun>): string[] {
  const names = new Set(siteNames(second.run));
  return siteNames(first.run).filter((subject) => names.has(subject));
}

/** Sites whose page is the same to the byte. */
function sitesOfBoth(runs: Both<MeasuredRun>): string[] {
  const [first, second] = runs;
  const named = namesOfBoth(runs);
  if (named.length === 0) {
    throw new CompareError(
      `The runs have no site in common: ${list(siteNames(first.run))}; and ${list(siteNames(second.run))}. Choose two runs with some of the same sites.`,
    );
  }
  const pageOf = ({ run }: MeasuredRun, name: string) =>
    run.subjects.find(({ subject }) => subject === name)?.manifestSha256;
  const alike = named.filter((subject) => pageOf(first, subject) === pageOf(second, subject));
  if (alike.length === 0) {
    throw new CompareError(
      `The pages of ${list(named)} were not the same in the two runs (run.json, manifestSha256): their times cannot be compared. Run both with the same site cache.`,
    );
  }
  return alike;
}

/** @throws CompareError where they have no stack in common, or compare one with another stack each */
function stacksOfBoth([first, second]: Both<MeasuredRun>): StackOfBoth[] {
  const { baseline: usual, pairs } = first.summary.analysis;
  const baselines = new Map(
    second.summary.analysis.pairs.map(({ arm, baseline }) => [arm, baseline]),
  );
  const shared = pairs.filter(({ arm }) => baselines.has(arm));
  if (shared.length === 0) {
    const [own, further] = [stackNames(first.run), stackNames(second.run)];
    throw new CompareError(
      `The runs have no stack in common except the baseline ${usual}: ${list(own)}; and ${list(further)}. Choose another --baseline, or two runs with the same stacks.`,
    );
  }
  return shared.map(({ arm, baseline }) => {
    const other = baselines.get(arm);
    if (other !== baseline) {
      throw new CompareError(
        `${arm} is compared with ${baseline} in the first run, and with ${other} in the second: expected the same stack. Choose one for all with --baseline.`,
      );
    }
    return { arm: stackNamed(first.run, arm), baseline: stackNamed(first.run, baseline) };
  });
}

function conditionsOfBoth([first, second]: Both<MeasuredRun>): SharedCondition[] {
  const further = variantsOf(second.run);
  const variants = variantsOf(first.run).filter((variant) => further.includes(variant));
  const found = first.run.networks.flatMap((network) => {
    const other = second.run.networks.find(
      (each) => networkKeyWithout(each) === networkKeyWithout(network),
    );
    if (!other) return [];
    const names: Both<string> = [network.name, other.name];
    return variants.map((variant) => ({
      network: conditionFieldsOf(network),
      variant,
      names,
      measuredRttMs: [first, second].map(({ summary }, place) =>
        median(
          summary.rows.flatMap((row) =>
            row.network.name === names[place] && row.variant === variant
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

function onlyIn(run: RunRecord, other: RunRecord): OnlyInOne {
  const alone = (namesOf: (run: RunRecord) => string[]) => {
    const names = new Set(namesOf(other));
    return namesOf(run).filter((name) => !names.has(name));
  };
  return {
    subjects: alone(siteNames),
    conditions: alone(conditionTexts),
    arms: alone(stackNames),
  };
}

function siteNames({ subjects }: RunRecord): string[] {
  return subjects.map(({ subject }) => subject);
}

/** Without controls. */
function stackNames({ arms }: RunRecord): string[] {
  return arms.filter(({ controlOf }) => controlOf === null).map(({ arm }) => arm);
}

function conditionTexts(run: RunRecord): string[] {
  return run.networks.flatMap((network) =>
    variantsOf(run).map((variant) => conditionText(network, variant)),
  );
}

function factsOf({ run, summary }: MeasuredRun): RunFacts {
  const { runId, backend, host, versions } = run;
  const { startedAt, rows, warnings } = summary;
  const nLoads = rows.reduce((sum, { n }) => sum + n, 0);
  const problems = problemsOf(summary);
  return { runId, startedAt, backend, host, versions, nLoads, problems, warnings };
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/**
 * Differences between the plans, machines, versions and path ends of two runs. Sites, stacks, networks, visits and facts
 * about stacks of one run are excluded: other fields have them.
 */
export function differingFacts([first, second]: Both<RunRecord>): FactDifference[] {
  const ofOne = new Set([...onlyIn(first, second).arms, ...onlyIn(second, first).arms]);
  const [facts, secondFacts] = [comparableFacts(first, ofOne), comparableFacts(second, ofOne)];
  const names = new Set([...facts.keys(), ...secondFacts.keys()]);
  return [...names].flatMap((fact) => {
    const values: Both<string | null> = [facts.get(fact) ?? null, secondFacts.get(fact) ?? null];
    return values[0] === values[1] || isRandom(fact, values) ? [] : [{ fact, values }];
  });
}

/** Systems report up to this share more or less memory after each start. */
const MEMORY_TOLERANCE = 0.02;

/** Differs between runs without a change: signatures vary in length, and the system keeps some memory for itself. */
function isRandom(fact: string, values: Both<string | null>): boolean {
  if (values.includes(null)) return false;
  const [first, second] = values.map(Number) as Both<number>;
  const distance = Math.abs(first - second);
  if (/^fairness\.readings\..*\.certificateChainBytes$/.test(fact)) {
    return distance <= STACK_PROPERTIES.certificateChainBytes.toleranceAbsolute;
  }
  return fact === 'host.memoryMb' && distance < MEMORY_TOLERANCE * Math.max(first, second);
}

function comparableFacts(run: RunRecord, ofOne: ReadonlySet<string>): Map<string, string> {
  const { command, seed, repetitions, stopping, timeoutS, backend, choices } = run;
  const { analysis, interferenceRule } = run;
  const { client, server, ...known } = run.fairness;
  const ofBoth = (stacks: object) =>
    Object.fromEntries(Object.entries(stacks).filter(([name]) => !ofOne.has(name)));
  const [stacks, readings] = [ofBoth(known.stacks), ofBoth(known.readings)];
  const { loadAverage1m: _, ...host } = run.host ?? { loadAverage1m: null };
  const facts = new Map<string, string>();
  const add = (name: string, value: unknown) => {
    for (const [path, text] of leavesOf(name, value)) facts.set(path, text);
  };
  add('command', command.join(' '));
  add('', { seed, repetitions, stopping, timeoutS, backend });
  add('', { choices, analysis, interferenceRule, host, versions: versionTexts(run) });
  add('fairness', { client, server, stacks, readings });
  const arms = run.arms.map(({ arm, label, own }) => [arm, { label, own }]);
  add('arms', ofBoth(Object.fromEntries(arms)));
  return facts;
}

/** The single values below a value, with their paths; of a reading only its value, not its source. */
function leavesOf(path: string, value: unknown): [path: string, text: string][] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  const { value: read, from, ...further } = value as Record<string, unknown>;
  if (typeof from === 'string' && Object.keys(further).length === 0) return leavesOf(path, read);
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(path === '' ? name : `${path}.${name}`, member),
  );
}
