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

/** Every experiment, in the order of the help. Its description is loaded when it is needed: a run needs one of them. */
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
 * The experiment of that name; undefined: this version has none.
 * @throws Error when it does not fulfil the interface, or does not go together with those that are loaded
 */
function experimentNamed(name: string): Slice | undefined {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (!load || LOADED.has(name)) return LOADED.get(name);
  const experiment = load();
  validExperiments([...LOADED.values(), experiment]);
  LOADED.set(name, experiment);
  return experiment;
}

/** Every experiment, in the order of the help. */
export function allExperiments(): readonly Slice[] {
  return Object.keys(LOADERS).flatMap((name) => experimentNamed(name) ?? []);
}
registerExperimentStacks(allExperiments);

/** The first experiment that is meant; those of these names come first, because each is loaded when it is looked at. */
function findExperiment(
  likely: Iterable<string>,
  isMeant: (experiment: Slice) => boolean,
): Slice | undefined {
  for (const name of [...likely, ...Object.keys(LOADERS)]) {
    const experiment = experimentNamed(name);
    if (experiment && isMeant(experiment)) return experiment;
  }
}

/** The experiment that a command starts; most have the same name. */
export function experimentOfCommand(name: string): Slice | undefined {
  return findExperiment([name], ({ command }) => command?.name === name);
}

/** A run that another version measured: it is whole, but this version cannot read its attempts. */
export class UnknownExperimentError extends DamagedRunError {
  override name = 'UnknownExperimentError';
}

/**
 * The experiment of a run.
 * @throws UnknownExperimentError when this version has none of that name
 * @throws DamagedRunError when its attempts are said to be in another file than theirs
 */
export function experimentOf({
  experiment,
  recordFile,
}: Pick<RunRecord, 'experiment'> & Partial<Pick<RunRecord, 'recordFile'>>): Slice {
  const found = experimentNamed(experiment);
  if (found && (recordFile ?? found.recordFile) === found.recordFile) return found;
  if (found) {
    throw new DamagedRunError(
      `run.json names the file ${recordFile} for the attempts of the experiment ${experiment}, expected ${found.recordFile}.`,
    );
  }
  throw new UnknownExperimentError(
    `run.json names the experiment ${experiment}, which this version of quic-vs-https does not have. It has: ${Object.keys(LOADERS).join(', ')}.`,
  );
}

/**
 * The files for other programs that are written of a run.
 * @param dialect of another tool, in which the attempts are to stand too; null: none
 * @throws UsageError when the experiment has no such dialect
 */
export async function tablesOf(
  { name, tables, dialects = {} }: Experiment,
  dialect: string | null,
): Promise<readonly Table[]> {
  const own = (await tables?.()) ?? [];
  if (dialect === null) return own;
  const form = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
  if (form) return [...own, await form.load()];
  const others = allExperiments().filter((each) => Object.hasOwn(each.dialects ?? {}, dialect));
  throw new UsageError(
    `--dialect ${dialect}: attempts of the experiment ${name} cannot be written so; those of ${others.map((each) => each.name).join(', ')} can.`,
  );
}

/**
 * What the verdicts of a run are about.
 * @throws DamagedRunError when its experiment has no such metric, or none that verdicts can be about
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

/** A variant in words that follow a network's numbers; empty for the usual one. */
export function variantText(variant: string): string {
  return wordsOf(variant, ({ text }) => text).join(', ');
}

/** A variant behind a network's name, `repeat visit`; empty for the usual one. */
export function variantName(variant: string): string {
  return variantPhrase(variant).replace(/^an? /, '');
}

/** A variant where a sentence begins with it, `a repeat visit`; empty for the usual one. */
export function variantPhrase(variant: string): string {
  return wordsOf(variant, ({ phrase }) => phrase ?? '').join(', ');
}

/** One value of a factor as a noun, the usual one too: `repeat visit`, `first visit`. */
export function valueName(value: string): string {
  return variantName(value) || (factorValue(value)?.text ?? value);
}

function factorValue(value: string): FactorValue | undefined {
  const factorOf = ({ factors }: Slice) =>
    Object.values(factors).find((factor) => Object.hasOwn(factor, value));
  const experiment = findExperiment(LOADED.keys(), (each) => factorOf(each) !== undefined);
  return experiment && factorOf(experiment)?.[value];
}

/** The values of a variant that do not go without saying. */
export function unusualIn(variant: string): string[] {
  const values = variant === '' ? [] : variant.split('.');
  return values.filter((value) => factorValue(value)?.phrase !== null);
}

function wordsOf(variant: string, words: (value: FactorValue) => string): string[] {
  return unusualIn(variant).map((value) =>
    words(factorValue(value) ?? { text: value, phrase: value }),
  );
}
