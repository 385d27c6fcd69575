import type { Experiment, Metric } from '../ground/experiment.ts';
import { UNITS } from '../ground/unit.ts';

/**
 * Validates experiments, each by itself and all together, for experiments that were not type-checked.
 * @throws Error with the experiment and what is missing or wrong
 */
export function validExperiments<Kind extends Experiment>(
  experiments: readonly Kind[],
): readonly Kind[] {
  for (const experiment of experiments) {
    const { name = 'without a name' } = experiment;
    const missing = PARTS.filter((part) => experiment[part] === undefined);
    if (missing.length > 0) throw new Error(`The experiment ${name} lacks ${missing.join(', ')}.`);
    const problem = problemOf(experiment);
    if (problem !== null) throw new Error(`experiments/${name}/experiment.ts: ${problem}.`);
  }
  assertOnce('name', experiments, ({ name }) => [name]);
  assertOnce('record file', experiments, ({ recordFile }) => [recordFile]);
  // A variant's words are found by its values alone.
  assertOnce('value of a factor', experiments, valuesOf);
  return experiments;
}

function assertOnce(
  what: string,
  experiments: readonly Experiment[],
  namesOf: (experiment: Experiment) => readonly string[],
): void {
  const names = experiments.flatMap(namesOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two experiments have the ${what} ${twice}.`);
}

function problemOf(experiment: Experiment): string | null {
  const { name, recordFile, factors, metrics, secondaryMetrics = [] } = experiment;
  if (!/^[a-z]+(-[a-z]+)*$/.test(name)) return `its name is ${name}, expected words with hyphens`;
  if (!/^[a-z-]+\.jsonl$/.test(recordFile)) {
    return `its record file is ${recordFile}, expected a name that ends with .jsonl`;
  }
  const [first] = metrics;
  if (first === undefined || first.better === null) {
    return 'its first metric has no direction, expected lower or higher for better';
  }
  const dotted = valuesOf({ factors }).find((value) => value.includes('.'));
  if (dotted !== undefined) return `the factor value ${dotted} has a dot, which separates values`;
  const undecidable = secondaryMetrics.find(
    (each) => metrics.find((metric) => metric.name === each)?.better == null,
  );
  if (undecidable !== undefined) {
    return `its secondary metric ${undecidable} is not one of its metrics with a direction`;
  }
  return metrics.map(problemOfMetric).find((problem) => problem !== null) ?? null;
}

function problemOfMetric({ name, unit, column, better, scale, failed }: Metric): string | null {
  const { ending } = UNITS[unit];
  if (!name.endsWith(ending)) {
    return `the metric ${name} is in ${unit}, expected a name that ends with ${ending}`;
  }
  // Margins, intervals and charts of verdicts are about ratios and include failures.
  if (better !== null && (scale !== 'ratio' || failed !== 'worst')) {
    return `the metric ${name} has a direction with scale ${scale} and failed attempts as ${failed}, expected ratio and worst, or null for better`;
  }
  return /^[a-z_]+$/.test(column)
    ? null
    : `the metric ${name} has the column ${column}, expected small letters and underscores`;
}

const PARTS = [
  'name',
  'command',
  'attempt',
  'client',
  'recordFile',
  'details',
  'factors',
  'metrics',
  'readings',
] as const satisfies readonly (keyof Experiment)[];

function valuesOf({ factors }: Pick<Experiment, 'factors'>): string[] {
  return Object.values(factors).flatMap(Object.keys);
}
