import type { Experiment, Metric } from '../ground/experiment.ts';
import { UNITS } from '../ground/unit.ts';

/**
 * Experiments that fulfil the interface, each by itself and all together.
 * @throws Error with the experiment and what is missing or wrong
 */
export function checked<Kind extends Experiment>(experiments: readonly Kind[]): readonly Kind[] {
  for (const experiment of checkedSlices(
    { noun: 'experiment', parts: PARTS, nameOf },
    experiments,
  )) {
    const problem = problemOf(experiment);
    if (problem === null) continue;
    throw new Error(`experiments/${experiment.name}/experiment.ts: ${problem}.`);
  }
  const once = (what: string, namesOf: (experiment: Experiment) => readonly string[]) =>
    assertOnce('experiment', what, experiments.flatMap(namesOf));
  once('record file', ({ recordFile }) => [recordFile]);
  // A variant's words are looked up by its values alone.
  once('value of a factor', valuesOf);
  return experiments;
}

const nameOf = ({ name }: Experiment) => name;

function problemOf(experiment: Experiment): string | null {
  const { name, recordFile, factors, metrics, secondaryMetrics = [] } = experiment;
  if (!/^[a-z]+(-[a-z]+)*$/.test(name)) return `its name is ${name}, expected words with hyphens`;
  if (!/^[a-z-]+\.jsonl$/.test(recordFile)) {
    return `its record file is ${recordFile}, expected a name that ends with .jsonl`;
  }
  const [first] = metrics;
  if (first === undefined || first.better === null) {
    return 'its first metric has to be one that verdicts can be about: better is lower or higher';
  }
  const dotted = valuesOf({ factors }).find((value) => value.includes('.'));
  if (dotted !== undefined) return `the factor value ${dotted} has a dot, which joins several`;
  const undecidable = secondaryMetrics.find(
    (each) => metrics.find((metric) => metric.name === each)?.better == null,
  );
  if (undecidable !== undefined) {
    return `its secondary metric ${undecidable} is not one of its metrics that verdicts can be about`;
  }
  return metrics.map(problemOfMetric).find((problem) => problem !== null) ?? null;
}

function problemOfMetric({ name, unit, column, better, scale, failed }: Metric): string | null {
  const { ending } = UNITS[unit];
  if (!name.endsWith(ending)) {
    return `the metric ${name} is in ${unit}, expected a name that ends with ${ending}`;
  }
  // Margins, intervals and pictures of verdicts are those of ratios, in which failures have a place.
  if (better !== null && (scale !== 'ratio' || failed !== 'worst')) {
    return `verdicts can be about the metric ${name}, its scale is ${scale} and failed attempts are ${failed}: expected ratio and worst, or null for better`;
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

/** What a kind of slices has to be checked for. */
export interface SliceKind<Slice> {
  /** What one is called: `stack`. */
  noun: string;
  /** Parts that every one has. */
  parts: readonly (keyof Slice)[];
  /** Its name; no other one of the kind has it. */
  nameOf(slice: Slice): string;
}

/**
 * The slices of an index, each with every part of its interface and a name of its own. TypeScript says this of a slice that was
 * type-checked; nothing else does of one that was not.
 * @throws Error with the slice and what is missing
 */
export function checkedSlices<Slice extends object>(
  { noun, parts, nameOf }: SliceKind<Slice>,
  slices: readonly Slice[],
): readonly Slice[] {
  for (const [index, slice] of slices.entries()) {
    const missing = parts.filter((part) => slice[part] === undefined);
    if (missing.length === 0) continue;
    const name = nameOf(slice) ?? `at place ${index + 1} of the index`;
    throw new Error(`The ${noun} ${name} lacks ${missing.join(', ')}.`);
  }
  assertOnce(noun, 'name', slices.map(nameOf));
  return slices;
}

/** @throws Error with what two slices of a kind have the same of */
function assertOnce(noun: string, what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two ${noun}s have the ${what} ${twice}.`);
}
