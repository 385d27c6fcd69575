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
import { checked } from './checked.ts';
import { connect } from './connect/experiment.ts';
import { example } from './example/experiment.ts';
import { pageLoad } from './page-load/experiment.ts';
import type { Slice } from './planning.ts';
import { share } from './share/experiment.ts';
import { sockets } from './sockets/experiment.ts';
import { transfer } from './transfer/experiment.ts';
import { video } from './video/experiment.ts';

/** Every experiment, in the order of the help. */
export const EXPERIMENTS: readonly Slice[] = checked([
  pageLoad,
  connect,
  sockets,
  transfer,
  share,
  video,
  example,
]);

/**
 * The experiment of a run.
 * @throws DamagedRunError when this version has none of that name, or its attempts are said to be in another file than theirs
 */
export function experimentOf({
  experiment,
  recordFile,
}: Pick<RunRecord, 'experiment'> & Partial<Pick<RunRecord, 'recordFile'>>): Slice {
  const found = EXPERIMENTS.find(({ name }) => name === experiment);
  if (found && (recordFile ?? found.recordFile) === found.recordFile) return found;
  if (found) {
    throw new DamagedRunError(
      `run.json names the file ${recordFile} for the attempts of the experiment ${experiment}, expected ${found.recordFile}.`,
    );
  }
  throw new DamagedRunError(
    `run.json names the experiment ${experiment}, which this version of quic-vs-https does not have. It has: ${EXPERIMENTS.map(({ name }) => name).join(', ')}.`,
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
  const others = EXPERIMENTS.filter((each) => Object.hasOwn(each.dialects ?? {}, dialect));
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
  return variantName(value) || (FACTOR_VALUES.get(value)?.text ?? value);
}

const FACTOR_VALUES = new Map(
  EXPERIMENTS.flatMap(({ factors }) =>
    Object.values(factors).flatMap((factor) => Object.entries(factor)),
  ),
);

/** The values of a variant that do not go without saying. */
export function unusualIn(variant: string): string[] {
  const values = variant === '' ? [] : variant.split('.');
  return values.filter((value) => FACTOR_VALUES.get(value)?.phrase !== null);
}

function wordsOf(variant: string, words: (value: FactorValue) => string): string[] {
  return unusualIn(variant).map((value) =>
    words(FACTOR_VALUES.get(value) ?? { text: value, phrase: value }),
  );
}
