import { createRequire } from 'node:module';
import {
  type Experiment,
  type FactorValue,
  type Metric,
  type Table,
  verdictMetrics,
} from '../ground/experiment.ts';
import { DamagedRunError } from '../ground/records/damaged-run.ts';
import type { RunRecord } from '../ground/records/run.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import type { Slice } from './planning.ts';
import { registerExperimentStacks } from './stacks.ts';
import { validExperiments } from './valid-experiments.ts';

const require = createRequire(import.meta.url);

/** In the order of the help. Experiments are loaded on demand, because a run needs only one. */
const LOADERS: Readonly<Record<string, () => Slice>> = {
  'page-load': () => require('./page-load/experiment.ts').pageLoad,
  connect: () => require('./connect/experiment.ts').connect,
  sockets: () => require('./sockets/experiment.ts').sockets,
  transfer: () => require('./transfer/experiment.ts').transfer,
  share: () => require('./share/experiment.ts').share,
  video: () => require('./video/experiment.ts').video,
  example: () => require('./example/experiment.ts').example,
};

const LOADED = new Map<string, Slice>();

/**
 * undefined: this version has no experiment of that name.
 * @throws Error if it violates the interface or conflicts with a loaded experiment
 */
function experimentNamed(name: string): Slice | undefined {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (!load || LOADED.has(name)) return LOADED.get(name);
  const experiment = load();
  validExperiments([...LOADED.values(), experiment]);
  LOADED.set(name, experiment);
  return experiment;
}

/** In the order of the help. */
export function allExperiments(): readonly Slice[] {
  return Object.keys(LOADERS).flatMap((name) => experimentNamed(name) ?? []);
}
registerExperimentStacks(allExperiments);

/** The first experiment that matches. Likely names come first, because each inspected experiment is loaded. */
function findExperiment(
  likely: Iterable<string>,
  matches: (experiment: Slice) => boolean,
): Slice | undefined {
  for (const name of [...likely, ...Object.keys(LOADERS)]) {
    const experiment = experimentNamed(name);
    if (experiment && matches(experiment)) return experiment;
  }
}

/** The experiment that a command starts; most commands have its name. */
export function experimentOfCommand(name: string): Slice | undefined {
  return findExperiment([name], ({ command }) => command?.name === name);
}

/** An intact run of another version, whose attempts this version cannot read. */
export class UnknownExperimentError extends DamagedRunError {
  override name = 'UnknownExperimentError';
}

/**
 * The experiment of a run.
 * @throws UnknownExperimentError if this version does not have it
 * @throws DamagedRunError if the run names another file of attempts
 */
export function experimentOf({
  experiment,
  recordFile,
}: Pick<RunRecord, 'experiment'> & Partial<Pick<RunRecord, 'recordFile'>>): Slice {
  const found = experimentNamed(experiment);
  if (found && (recordFile ?? found.recordFile) === found.recordFile) return found;
  if (found) {
    throw new DamagedRunError(
      `run.json names the file ${recordFile} for attempts of the experiment ${experiment}, expected ${found.recordFile}.`,
    );
  }
  throw new UnknownExperimentError(
    `run.json names the experiment ${experiment}, expected one of this version of quic-vs-https: ${Object.keys(LOADERS).join(', ')}.`,
  );
}

/**
 * Tables of a run for other programs.
 * @param dialect an additional table in the format of another tool; null: no such table
 * @throws UsageError if the experiment has no such dialect
 */
export async function tablesOf(
  { name, tables, dialects = {} }: Experiment,
  dialect: string | null,
): Promise<readonly Table[]> {
  const own = (await tables?.()) ?? [];
  if (dialect === null) return own;
  const form = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
  if (form) return [...own, await form.load()];
  const supporting = allExperiments().filter((each) => Object.hasOwn(each.dialects ?? {}, dialect));
  throw new UsageError(
    `--dialect ${dialect}: not available for the experiment ${name}, only for ${supporting.map((each) => each.name).join(', ')}.`,
  );
}

/**
 * The metric of a run's verdicts.
 * @throws DamagedRunError if its experiment has no such metric for verdicts
 */
export function verdictMetric(run: {
  experiment: string;
  analysis: Pick<RunRecord['analysis'], 'metric'>;
}): Metric {
  const { metric } = run.analysis;
  const metrics = verdictMetrics(experimentOf(run));
  const found = metrics.find(({ name }) => name === metric);
  if (found) return found;
  throw new DamagedRunError(
    `run.json: analysis.metric is ${metric}, expected one of ${metrics.map(({ name }) => name).join(', ')}.`,
  );
}

/** A variant in words that follow a network's numbers; empty for the default variant. */
export function variantText(variant: string): string {
  return wordsOf(variant, ({ text }) => text).join(', ');
}

/** A variant after a network's name, `repeat visit`; empty for the default variant. */
export function variantName(variant: string): string {
  return variantPhrase(variant).replace(/^an? /, '');
}

/** A variant at the beginning of a sentence, `a repeat visit`; empty for the default variant. */
export function variantPhrase(variant: string): string {
  return wordsOf(variant, ({ phrase }) => phrase ?? '').join(', ');
}

/** A value of a factor as a noun, including the default: `repeat visit`, `first visit`. */
export function valueName(value: string): string {
  return variantName(value) || (factorValue(value)?.text ?? value);
}

function factorValue(value: string): FactorValue | undefined {
  const factorOf = ({ factors }: Slice) =>
    Object.values(factors).find((factor) => Object.hasOwn(factor, value));
  const experiment = findExperiment(LOADED.keys(), (each) => factorOf(each) !== undefined);
  return experiment && factorOf(experiment)?.[value];
}

/** The values of a variant that are not the default. */
export function unusualIn(variant: string): string[] {
  const values = variant === '' ? [] : variant.split('.');
  return values.filter((value) => factorValue(value)?.phrase !== null);
}

function wordsOf(variant: string, words: (value: FactorValue) => string): string[] {
  return unusualIn(variant).map((value) =>
    words(factorValue(value) ?? { text: value, phrase: value }),
  );
}
