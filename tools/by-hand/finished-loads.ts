import { existsSync } from 'node:fs';
import { conditionName } from '../../experiments/condition.ts';
import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { numberOf } from '../../ground/experiment.ts';
import { firstNames } from '../../ground/first-names.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import { variantOf } from '../../ground/records/factors.ts';
import { inFolder } from '../../ground/records/file-name.ts';
import { eachObservation, readRun } from '../../ground/records/read.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { valueWithUnit } from '../../kit/text/value.ts';
import { type LoadWithFiles, loadWithFiles, medianLoads } from '../../runner/kept-files.ts';

interface FinishedLoad extends LoadWithFiles {
  id: string;
  /** Key of its site and condition. */
  siteCondition: string;
  /** `www.example.org, 50ms`. */
  where: string;
  /** Its value or failure: `277 ms`, `timeout`. */
  result: string;
  /** HAR file; null: not recorded or not kept. */
  har: string | null;
}

export type LoadWithHar = FinishedLoad & { har: string };

function hasHar(load: FinishedLoad): load is LoadWithHar {
  return load.har !== null;
}

export interface FinishedRun {
  folder: string;
  arms: readonly string[];
  harsKept: RunRecord['choices']['hars'];
  /** In the order run. */
  loads: FinishedLoad[];
}

/**
 * Reads the loads of a run, and which HARs exist.
 * @throws DamagedRunError; UsageError if the experiment records no HARs
 */
export async function readFinishedRun(
  folder: string,
  warn: (line: string) => void,
): Promise<FinishedRun> {
  const run = await readRun(folder);
  const experiment = experimentOf(run);
  const metric = verdictMetric(run);
  const loads: FinishedLoad[] = [];
  for await (const load of eachObservation(folder, experiment, warn)) {
    const { id, subject, network, factors, outcome, code, files } = load;
    const value = numberOf(load, metric);
    loads.push({
      ...loadWithFiles(load, metric),
      id,
      siteCondition: subjectConditionKey(load),
      where: `${subject}, ${conditionName({ network, variant: variantOf(factors) })}`,
      result: value === null ? (code ?? outcome) : valueWithUnit(value, metric.unit),
      har: files.har === undefined ? null : fileIn(folder, files.har),
    });
  }
  if (!loads.some(({ files }) => files.har !== undefined)) {
    const [, several] = experiment.attempt;
    throw new UsageError(
      `The run in ${folder} has ${loads.length === 0 ? 'no loads yet' : `${loads.length} ${several} without HARs`}. Page loads have HARs: npm run benchmark.`,
    );
  }
  const arms = run.arms.map(({ arm }) => arm);
  return { folder, arms, harsKept: run.choices.hars, loads };
}

/** A file of the run; null: it does not exist. */
function fileIn(folder: string, file: string): string | null {
  const place = inFolder(folder, file);
  return existsSync(place) ? place : null;
}

/**
 * The loads that the operands name.
 * @param words ids, or unique parts of ids
 * @throws UsageError if a word matches no load, several loads, or a load without a HAR
 */
export function loadsNamed(run: FinishedRun, words: readonly string[]): LoadWithHar[] {
  return [...new Set(words.map((word) => loadNamed(run, word)))];
}

function loadNamed({ folder, loads, harsKept }: FinishedRun, word: string): LoadWithHar {
  const withHar = loads.filter(hasHar);
  const found = matchingLoads(withHar, word);
  const [load] = found;
  if (load && found.length === 1) return load;
  if (load) throw new UsageError(`${word} matches ${listIds(found)}. Name one of them.`);
  const [without] = matchingLoads(loads, word);
  const available = `Loads with a HAR: ${listIds(withHar)}.`;
  if (without === undefined) {
    throw new UsageError(`${word}: no id of a load in ${folder} contains this. ${available}`);
  }
  const { id, files, result } = without;
  throw new UsageError(
    files.har === undefined
      ? `${id} has no HAR: ${result}. ${available}`
      : `The HAR of ${id} is not in ${folder}: ${KEPT[harsKept]} ${available}`,
  );
}

const KEPT: Readonly<Record<FinishedRun['harsKept'], string>> = {
  all: 'the file was removed.',
  median: 'of ok loads the run keeps only median HARs (--hars median); --hars all keeps all.',
  none: 'of ok loads the run keeps no HARs (--hars none); --hars all keeps all.',
};

function matchingLoads<Load extends FinishedLoad>(loads: readonly Load[], word: string): Load[] {
  const exact = loads.find(({ id }) => id === word);
  return exact ? [exact] : loads.filter(({ id }) => id.includes(word));
}

function listIds(loads: readonly FinishedLoad[]): string {
  return firstNames(loads.map(({ id }) => id)) || 'none';
}

export function whyNoMedians({ folder, loads, harsKept }: FinishedRun): string {
  const withHar = loads.filter(hasHar);
  return withHar.length === 0
    ? `There is no HAR in ${folder}: ${KEPT[harsKept]}`
    : `The run in ${folder} has no HAR of a load that counts. Name the load to open: ${listIds(withHar)}.`;
}

/** The median loads with HARs, by site and condition, in the order run. */
export function medianLoadsWithHars({ arms, loads }: FinishedRun): LoadWithHar[][] {
  return [...Map.groupBy(loads, ({ siteCondition }) => siteCondition).values()]
    .map((own) => [...medianLoads(own, arms)].filter(hasHar))
    .filter((medians) => medians.length > 0)
    .map((medians) => medians.toSorted((a, b) => arms.indexOf(a.arm) - arms.indexOf(b.arm)));
}
