import type { OptionTable } from './options/row.ts';
import type { InvocationRecord } from './records/invocation.ts';
import type { PairwiseProperties } from './records/like-for-like.ts';
import type { Observation } from './records/observation.ts';
import type { UncheckedRecord } from './records/older-format.ts';
import type { OwnChoices } from './records/own-choices.ts';
import type { Protocol } from './records/protocol.ts';
import type { RunRecord } from './records/run.ts';
import type { TSchema } from './records/schema.ts';
import type { StackReadings } from './records/stack-readings.ts';
import type { Stack } from './stack.ts';
import type { Unit } from './unit.ts';

/** Codes of attempts that are not ok, with their meanings, by outcome. */
export type Codes = Readonly<
  Partial<Record<'failed' | 'invalid' | 'unsupported', Readonly<Record<string, string>>>>
>;

/** A number measured in each attempt. */
export interface Metric {
  /** Key in records and summary.json, ending with the unit: `pageLoadMs`. */
  name: string;
  /** Value of --metric: `page-load`. */
  word: string;
  /** Prefix of its columns in summary.csv. */
  column: string;
  /** For headings. */
  label: string;
  /** Within a sentence, singular and plural: `page load time`, `page load times`. */
  phrase: string;
  phrases: string;
  /** Follows `faster` and similar words; empty, or for example ` in document time`. */
  inPhrase: string;
  unit: Unit;
  /** Definition, as a sentence. */
  definition: string;
  source: string;
  /** null: neither is better, so no verdict uses the metric. */
  better: 'lower' | 'higher' | null;
  /** Words for a better and a worse arm: faster and slower, less and more. */
  words: readonly [better: string, worse: string];
  /** Arms share one resource, so results say how many times as much an arm gets; absent: how much better an arm is. */
  divided?: true;
  /** Comparison of two arms. Counts that may be zero have no ratio. Verdicts use ratios. */
  scale: 'ratio' | 'difference';
  /** How an attempt counts that failed by its own arm: worse than all that succeeded, or missing. Verdicts use worst. */
  failed: 'worst' | 'absent';
  /** Why an attempt lacks the number, as a clause after "no value because". */
  missing(attempt: Observation): string;
}

/** Common fields of metrics that are times. */
export const TIME = {
  unit: 'ms',
  better: 'lower',
  words: ['faster', 'slower'],
  scale: 'ratio',
  failed: 'worst',
} as const;

/** Texts for one value of a factor. */
export interface FactorValue {
  /** Follows the network's numbers: `repeat visit with a filled cache`. */
  text: string;
  /** At the start of a sentence: `a repeat visit`. null: the default value, which is not mentioned. */
  phrase: string | null;
}

/** Values of a factor, the default first. */
export type Factor = Readonly<Record<string, FactorValue>>;

/** Positional argument of a command. */
export interface Operand {
  name: string;
  help: string;
  needed?: boolean;
  /** May be repeated. */
  many?: boolean;
  /** A program of the user with its arguments; all words after the first belong to it. */
  isCommand?: boolean;
}

/** What one experiment alone needs on the machine. */
interface SetUpNeeds {
  /** Purpose of its system programs, as an object of "looking for". */
  about: string;
  /** System programs with the Debian and Ubuntu packages that contain them. */
  programs: readonly { program: string; from: string }[];
  files: readonly PackageFile[];
}

/** A file of an npm package that is loaded into pages. */
export interface PackageFile {
  title: string;
  /** Folder with the package-lock.json, relative to the project. */
  folder: string;
  /** Below node_modules. */
  file: string;
  /** Absolute path of the copy that set-up makes. */
  place: string;
}

/** A command as its help shows it; its options are those of every run, and one for each factor. */
interface ExperimentCommand {
  /** An npm script has the same name. */
  name: string;
  /** One line for lists of commands. */
  summary: string;
  /** Positional arguments; absent: none. */
  operands?: readonly Operand[];
  /** Arguments with their effect. */
  examples: readonly (readonly [words: string, what: string])[];
}

/** Data and pure functions of one experiment, which the report can import. Its `measure.ts` makes the attempts; only the runner loads it. */
export interface Experiment {
  /** Name of its folder. */
  name: string;
  /** null: only tests start it. */
  command: ExperimentCommand | null;
  /** Options of its own, and common options with another help or reader. */
  options?: OptionTable;
  /** Common options that do not apply; absent: all apply. */
  without?: readonly string[];
  /** Its own choices in a run's record; absent: none. */
  choices?: OwnChoices;
  /** An attempt loads a page in a browser and has a HAR. */
  loadsPages?: true;
  /** Singular and plural of an attempt: `load`, `loads`. */
  attempt: readonly [one: string, several: string];
  /** Singular and plural of a subject: `page`, `pages`. */
  subject: readonly [one: string, several: string];
  /** Subjects in tables and headings: `site`, `sites`; a site has one page. */
  site: readonly [one: string, several: string];
  /** Values of --stacks; absent: all stacks that serve pages. */
  stacks?: readonly Stack[];
  /** Default of --stacks; absent: the stacks that are `byDefault`. */
  stacksByDefault?: readonly string[];
  /** Default of --client: a folder of clients/. */
  client: string;
  /** What `npm run setup -- --for NAME` installs in addition to the needs of every run; absent: nothing. */
  setUp?: SetUpNeeds;
  /** Values of --client; absent: only `client`. */
  clients?: readonly string[];
  /** Why Firefox cannot make its attempts, as a clause; absent: it can, or no browser makes them. */
  notInFirefox?: string;
  /** Client in texts: `browser`. */
  clientNoun: string;
  /** File in the run's folder with one line for each attempt. */
  recordFile: string;
  /** Schema of `details` in its records. */
  details: TSchema;
  /** Codes that only its attempts have; absent: none. */
  codes?: Codes;
  /** All arms of a block are measured at the same time, each with its own record; absent: one after the other. */
  together?: boolean;
  /** Factors that multiply conditions in addition to the network, by name. */
  factors: Readonly<Record<string, Factor>>;
  /** Maps a value of a factor to the representative of its equivalent values for an arm of this protocol; absent: all values differ. */
  valueFor?(value: string, protocol: Protocol): string;
  /** Reads properties of one stack from its attempts, for the comparison of stacks. */
  readings(attempts: readonly Observation[]): StackReadings;
  /** Compares properties that need attempts of both stacks. Receives all attempts of the run first. */
  comparerOf?(attempts: readonly Observation[]): PairComparer;
  /** Remedies for subjects whose attempts can never be ok, as sentences. */
  remedies?(attempts: readonly Observation[], run: RunRecord): string[];
  /** Caveats about the attempts, shown before the verdicts, as sentences. */
  cautions?(attempts: readonly Observation[], run: RunRecord): string[];
  /** Title of its reports; absent: the metric of the verdicts. */
  question?: string;
  /** Verdicts use the first one by default. */
  metrics: readonly Metric[];
  /** Names of metrics that every run also decides, once at its end, as a second family. */
  secondaryMetrics?: readonly string[];
  /** Metrics that only filmed attempts have; absent: none. */
  filmedMetrics?: readonly Pick<Metric, 'name' | 'label' | 'unit'>[];
  /** What a run leaves open about turning HTTP/3 on for an arm, as clauses; absent: no recommendation. */
  notMeasured?(
    run: Pick<RunRecord, 'factors' | 'networks' | 'subjects' | 'choices'>,
    arm: Pick<RunRecord['arms'][number], 'protocol'>,
  ): string[];
  /** Name of the default metric where a path event happens during an attempt. */
  metricOfEvents?: string;
  /** Main difference of two arms of one server program, as a sentence; null or absent: their protocols. */
  differIn?(protocol: Protocol, other: Protocol): string | null;
  /** Loads its tables for other programs, in addition to summary.csv. */
  tables?(): Promise<readonly Table[]>;
  /** The attempts in the file format of other studies, by name. */
  dialects?: Readonly<Record<string, Dialect>>;
  /** Its `read.ts` imports tables of other measurements as attempts. */
  hasReading?: boolean;
  /** Servers that already run can be measured, though they report nothing about themselves. */
  takesOwnServers?: boolean;
  /** An option or the browser chooses the version of HTTP, so that a server may offer two versions at one address. */
  choosesVersion?: boolean;
  /** Gives attempts of format 5 the fields of today; absent: the fields are the same. */
  upgrade?(attempt: UncheckedRecord): UncheckedRecord;
  /** Its `sections.ts` adds sections to the report of a run (sections-of.ts). */
  hasSections?: boolean;
}

/** File format of another study. */
export interface Dialect {
  /** Description for the help. */
  help: string;
  load(): Promise<Table>;
}

/** A stack with its counted attempts at one subject under one condition. */
export interface CountedOfStack {
  name: string;
  attempts: readonly Observation[];
}

export type PairComparer = (a: CountedOfStack, b: CountedOfStack) => PairwiseProperties;

/** A file in a run's folder for other programs, derived from the records. */
export interface Table {
  file: string;
  /** Content of the whole file. */
  text(
    run: RunRecord,
    attempts: readonly Observation[],
    invocations: readonly InvocationRecord[],
  ): string;
}

/** An attempt's value of a metric; null: missing. */
export function numberOf(
  { metrics }: Pick<Observation, 'metrics'>,
  { name }: Metric,
): number | null {
  return metrics[name] ?? null;
}

/** How much worse a value gets by an increase, which is a difference or the logarithm of a ratio; below 0: better. */
export function worsening(increase: number, { better }: Pick<Metric, 'better'>): number {
  return better === 'higher' ? -increase : increase;
}

/** Metrics that verdicts can use: those with a known better direction. */
export function verdictMetrics({ metrics }: Experiment): Metric[] {
  return metrics.filter(({ better }) => better !== null);
}

/** Metrics of the second family of a run with this primary metric. */
export function secondaryMetricsOf(
  experiment: Pick<Experiment, 'name' | 'metrics' | 'secondaryMetrics'>,
  primary: Pick<Metric, 'name'>,
): Metric[] {
  return (experiment.secondaryMetrics ?? [])
    .filter((name) => name !== primary.name)
    .map((name) => metricNamed(experiment, name));
}

export function metricNamed(
  { name: experiment, metrics }: Pick<Experiment, 'name' | 'metrics'>,
  name: string,
): Metric {
  const found = metrics.find((metric) => metric.name === name);
  if (!found) throw new Error(`the experiment ${experiment} has no metric ${name}`);
  return found;
}
