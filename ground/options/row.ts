import { type OwnChoices, ownChoices } from '../records/own-choices.ts';
import type { RunRecord } from '../records/run.ts';
import type { Static, TSchema } from '../records/schema.ts';

/** Parses the text of an option. Throws UsageError with the expected value. */
export interface Reader<T> {
  (option: string, text: string): T;
  /** The valid words; absent: not a fixed set. */
  words?: readonly string[];
  /** Accepts several words, separated by commas. */
  several?: boolean;
}

export type Line = [name: string, text: string];

/** Names in help texts that other parts define. */
export interface KnownNames {
  quickSites: readonly string[];
  stacks: readonly string[];
  defaultStacks: readonly string[];
  baseline: string;
  networks: readonly string[];
  /** QUIC's initial window, in packets. */
  matchedInitcwnd: number;
  /** Metrics of page loads that verdicts can use. */
  metrics: readonly string[];
  /** Presets with their experiment and purpose; null: not listed in the help. */
  presets: readonly { name: string; of: string; about: string | null }[];
  /** Windows of recorded pages, as `1366x768`, and the description of a phone. */
  desktop: string;
  phone: string;
}

/** Nouns of an experiment for the texts of options; an alias, so that declaration files can spell it out. */
type ExperimentWords = {
  attempt: readonly [one: string, several: string];
  metrics: readonly { name: string; phrase: string }[];
};

/** Report lines about a choice of a run. */
type ChoiceText<Text> = (run: RunRecord, experiment: ExperimentWords) => Text;

/** A single report line about a choice. */
export function reportLine(name: string, text: ChoiceText<string>): ChoiceText<Line[]> {
  return (run, experiment) => [[name, text(run, experiment)]];
}

/** Report lines about an experiment's own choices. */
export function ownChoiceLines<Schema extends TSchema>(
  own: OwnChoices<Schema>,
  lines: (choices: Static<Schema>) => Line[],
): ChoiceText<Line[]> {
  return (run) => {
    const choices = ownChoices(run, own);
    return choices === null ? [] : lines(choices);
  };
}

/** An option of a command; all texts about it derive from its row. */
export interface OptionRow<T = unknown> {
  /** Placeholder of its value in the help, in brackets if the value is optional; null: no value. */
  argument: string | null;
  /** Its heading in the help. */
  group: string;
  /** Its effect; the default is appended. */
  help: string | ((known: KnownNames) => string);
  read: Reader<T>;
  /** Default; absent: no default, or it depends on other options. */
  byDefault?: T;
  /** Text of the default in the help; absent: the value itself. */
  defaultText?: string;
  /** plan: loads; analysis: evaluation, which can change after the run; invocation: neither, so it can be combined with a frozen plan. */
  decides: 'plan' | 'analysis' | 'invocation';
  /** Conflicting options. */
  conflicts?: readonly string[];
  /** Required option. */
  needs?: string;
  /** May be repeated; its reader gets the texts as lines. */
  repeats?: true;
  /** Report lines under "Chosen before the run"; or the option whose lines include it. */
  lines?: ChoiceText<Line[]> | { by: string };
}

export type OptionTable = Readonly<Record<string, OptionRow>>;

type GroupDefaults = Pick<OptionRow, 'group' | 'decides'>;

/** Options under one heading of the help, with a common default of `decides`. */
export function optionGroup<
  Rows extends Readonly<
    Record<string, Omit<OptionRow, keyof GroupDefaults> & Partial<GroupDefaults>>
  >,
>(group: string, decides: OptionRow['decides'], rows: Rows) {
  const entries = Object.entries(rows).map(([name, row]) => [name, { group, decides, ...row }]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name] & GroupDefaults };
}

export type Values<Table extends OptionTable> = {
  [Name in keyof Table]:
    | ReturnType<Table[Name]['read']>
    | (Table[Name] extends { byDefault: unknown } ? never : null);
};

/** The user's options by name; empty text: without a value. */
export type RawOptions = Readonly<Partial<Record<string, string>>>;
