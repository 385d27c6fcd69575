import type { OptionTable } from './options/row.ts';
import type { InvocationRecord } from './records/invocation.ts';
import type { PairwiseProperties } from './records/like-for-like.ts';
import type { Observation } from './records/observation.ts';
import type { OwnChoices } from './records/own-choices.ts';
import type { Protocol } from './records/protocol.ts';
import type { UncheckedRecord } from './records/older-format.ts';
import type { PlannedSubject, RunRecord } from './records/run.ts';
import type { TSchema } from './records/schema.ts';
import type { StackReadings } from './records/stack-readings.ts';
import type { Stack } from './stack.ts';
import type { Unit } from './unit.ts';

/** One number that an experiment takes of each attempt. */
export interface Metric {
  /** Its key in records and in summary.json, with its unit at the end: `pageLoadMs`. */
  name: string;
  /** What --metric calls it: `page-load`. */
  word: string;
  /** What its columns in summary.csv begin with. */
  column: string;
  /** For headings. */
  label: string;
  /** Within a sentence, of one attempt and of several: `page load time`, `page load times`. */
  phrase: string;
  phrases: string;
  /** Follows `faster` and the like: empty where it goes without saying, else ` in document time`. */
  inPhrase: string;
  unit: Unit;
  /** What exactly is measured, as a sentence. */
  definition: string;
  /** Where the number comes from. */
  source: string;
  /** Which is better; null: neither, so that no verdict is about it. */
  better: 'lower' | 'higher' | null;
  /** What a better and a worse arm are called: faster and slower, less and more. */
  words: readonly [better: string, worse: string];
  /** Arms divide it among them: an answer tells how many times as much of it one gets; absent: by how much an arm is better. */
  divided?: true;
  /** How two arms are compared: some numbers, like counts that may be zero, have no ratio. Verdicts are about ratios. */
  scale: 'ratio' | 'difference';
  /** What an attempt counts as that its own arm made fail: as worse than all that ended, or as a gap. Verdicts count it as worst. */
  failed: 'worst' | 'absent';
  /** Why an attempt has no such number, as a clause that can follow "no value because". */
  missing(attempt: Observation): string;
}

/** What metrics that are times have in common. */
export const TIME = {
  unit: 'ms',
  better: 'lower',
  words: ['faster', 'slower'],
  scale: 'ratio',
  failed: 'worst',
} as const;

/** One value of a factor, in words. */
export interface FactorValue {
  /** Behind the network's numbers: `repeat visit with a filled cache`. */
  text: string;
  /** Where a sentence begins with it: `a repeat visit`. null: the usual value, which goes without saying. */
  phrase: string | null;
}

/** What a factor's values are, the usual one first. */
export type Factor = Readonly<Record<string, FactorValue>>;

/** A word of a command line that is no option. */
export interface Operand {
  name: string;
  help: string;
  needed?: boolean;
  /** There can be several. */
  many?: boolean;
  /** A program of the user's with its arguments: whatever stands behind its first word is its own. */
  isCommand?: boolean;
}

/** What an experiment needs on the machine that other experiments do not. */
interface SetUpNeeds {
  /** What its programs of the system are for, as an object of "looking for". */
  about: string;
  /** Programs of the system, with the packages of Debian and Ubuntu that have them. */
  programs: readonly { program: string; from: string }[];
  files: readonly PackageFile[];
}

/** A file of an npm package that is loaded into pages. */
export interface PackageFile {
  title: string;
  /** The folder below the project's that has the package-lock.json. */
  folder: string;
  /** Below node_modules. */
  file: string;
  /** Where set-up puts it, an absolute path. */
  place: string;
}

/** A command as its help has it; its options are those of every run, and one for each factor. */
interface ExperimentCommand {
  /** An npm script has the same name. */
  name: string;
  /** One line for lists of commands. */
  summary: string;
  /** What stands behind its name, beside options; absent: nothing. */
  operands?: readonly Operand[];
  /** Words behind the command, with what they do. */
  examples: readonly (readonly [words: string, what: string])[];
}

/**
 * What one experiment adds to the frame: data and pure functions, so that the report may import it. How an attempt is made is in the
 * file `measure.ts` beside it, which the runner alone loads.
 */
export interface Experiment {
  /** Its folder. */
  name: string;
  /** What starts it; null: tests alone do. */
  command: ExperimentCommand | null;
  /** Options that it has alone, and common ones that it words or reads otherwise; absent: none. */
  options?: OptionTable;
  /** Common options that have no meaning for it; absent: all have one. */
  without?: readonly string[];
  /** Its own part of a run's choices; absent: it has none. */
  choices?: OwnChoices;
  /** Whether an attempt is the load of a page in a browser, of which there is a HAR; absent: no. */
  loadsPages?: true;
  /** What one attempt is called, and several: `load`, `loads`. */
  attempt: readonly [one: string, several: string];
  /** What an attempt is made at, and several: `page`, `pages`. */
  subject: readonly [one: string, several: string];
  /** What subjects are called in tables and headings: `site`, `sites`; a site has one page. */
  site: readonly [one: string, several: string];
  /** What --stacks offers; absent: the stacks that pages can be asked of. */
  stacks?: readonly Stack[];
  /** Which of them are measured where --stacks names none; absent: those that are so by their own description. */
  stacksByDefault?: readonly string[];
  /** The program that asks unless --client names another one: a folder of clients/. */
  client: string;
  /** What `npm run setup -- --for NAME` brings for it, beside what every run needs; absent: nothing. */
  setUp?: SetUpNeeds;
  /** What --client offers; absent: there is no choice. */
  clients?: readonly string[];
  /** What readers know it as: `browser`. */
  clientNoun: string;
  /** The file of a run's folder that has a line for each attempt. */
  recordFile: string;
  /** Schema of what only its records have. */
  details: TSchema;
  /** Whether one attempt measures all arms of a block at once, each with a record of its own; absent: one after the other. */
  together?: boolean;
  /** What multiplies conditions beside the network, by name. */
  factors: Readonly<Record<string, Factor>>;
  /** Which value of the same factor one is to an arm of that protocol: those that are one and the same to it have one; absent: each its own. */
  valueFor?(value: string, protocol: Protocol): string;
  /** What attempts of one stack say of it, for the comparison of stacks. */
  readings(attempts: readonly Observation[]): StackReadings;
  /** Compares what readings of one stack alone cannot say; absent: there is nothing of the kind. It is given all attempts of the run first. */
  comparerOf?(attempts: readonly Observation[]): PairComparer;
  /** What to do about subjects of which no attempt can be ok, as sentences. */
  remedies?(attempts: readonly Observation[], subjects: readonly PlannedSubject[]): string[];
  /** What readers should know of the attempts before they read the verdicts, as sentences. */
  cautions?(
    attempts: readonly Observation[],
    run: Pick<RunRecord, 'arms' | 'analysis' | 'choices'>,
  ): string[];
  /** What its reports are about, for their title; absent: the metric that verdicts are about. */
  question?: string;
  /** The first is what verdicts are about unless another one is asked for. */
  metrics: readonly Metric[];
  /** Names of further metrics that every run decides, once at its end, as a second family; absent: none. */
  secondaryMetrics?: readonly string[];
  /** The name of the one that takes its place where something happens to the path in mid-attempt; absent: none does. */
  metricOfEvents?: string;
  /** What matters most of what two arms of one server program differ in, as a sentence; null or absent: their protocols. */
  differIn?(protocol: Protocol, other: Protocol): string | null;
  /** Loads its files beside summary.csv, for other programs. */
  tables?(): Promise<readonly Table[]>;
  /** The same in the form of another study's files, by its name; absent: there are none. */
  dialects?: Readonly<Record<string, Dialect>>;
  /** Whether tables that others measured can be read as its attempts, by the file `read.ts` beside it; absent: no. */
  hasReading?: boolean;
  /** Whether servers that run already can be measured: they say nothing of what they do; absent: no. */
  takesOwnServers?: boolean;
  /** Whether a server is asked by what --via or the browser chooses, so that it may offer two versions of HTTP at one address; absent: no. */
  choosesVersion?: boolean;
  /** Gives an attempt of format 5 the fields of today; absent: it has them. */
  upgraded?(attempt: UncheckedRecord): UncheckedRecord;
  /** Whether it has sections of its own in the report of a run: those of the file `sections.ts` beside it (sections-of.ts). */
  hasSections?: boolean;
}

/** Attempts in the form of another study's files. */
export interface Dialect {
  /** What is written, for the help. */
  help: string;
  load(): Promise<Table>;
}

/** A stack with its attempts that count, at one subject under one condition. */
export interface CountedOfStack {
  name: string;
  attempts: readonly Observation[];
}

/** Compares two stacks by their attempts in the same cell. */
export type PairComparer = (a: CountedOfStack, b: CountedOfStack) => PairwiseProperties;

/** A file of a run's folder for other programs, made of its records. */
export interface Table {
  file: string;
  /** Its text, whole. */
  text(
    run: RunRecord,
    attempts: readonly Observation[],
    invocations: readonly InvocationRecord[],
  ): string;
}

/** The number that an attempt has, or null. */
export function numberOf(
  { metrics }: Pick<Observation, 'metrics'>,
  { name }: Metric,
): number | null {
  return metrics[name] ?? null;
}

/** By how much worse a number of a metric is that is greater by so much, be it a difference or the logarithm of a ratio; below 0: better. */
export function worsening(increase: number, { better }: Pick<Metric, 'better'>): number {
  return better === 'higher' ? -increase : increase;
}

/** The metrics that verdicts can be about: those of which it is known which direction is better. */
export function verdictMetrics({ metrics }: Experiment): Metric[] {
  return metrics.filter(({ better }) => better !== null);
}

/** The metrics of the second family of a run whose verdicts are about this one. */
export function secondaryMetricsOf(
  experiment: Pick<Experiment, 'name' | 'metrics' | 'secondaryMetrics'>,
  primary: Pick<Metric, 'name'>,
): Metric[] {
  return (experiment.secondaryMetrics ?? [])
    .filter((name) => name !== primary.name)
    .map((name) => metricNamed(experiment, name));
}

/** A metric of an experiment by its name. */
export function metricNamed(
  { name: experiment, metrics }: Pick<Experiment, 'name' | 'metrics'>,
  name: string,
): Metric {
  const found = metrics.find((metric) => metric.name === name);
  if (!found) throw new Error(`the experiment ${experiment} has no metric ${name}`);
  return found;
}
