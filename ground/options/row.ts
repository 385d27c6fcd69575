import { type OwnChoices, ownChoices } from '../records/own-choices.ts';
import type { RunRecord } from '../records/run.ts';
import type { Static, TSchema } from '../records/schema.ts';

/** Reads the text of an option. Throws UsageError with what was expected. */
export interface Reader<T> {
  (option: string, text: string): T;
  /** The only words that it takes; absent: there are others. */
  words?: readonly string[];
  /** Several of them, with commas between. */
  several?: boolean;
}

/** A name and a text, for a table of facts. */
export type Line = [name: string, text: string];

/** Names that options take and others decide. */
export interface KnownNames {
  quickSites: readonly string[];
  stacks: readonly string[];
  defaultStacks: readonly string[];
  baseline: string;
  networks: readonly string[];
  /** Packets that QUIC's server starts with. */
  matchedInitcwnd: number;
  /** What verdicts can be about, of page loads. */
  metrics: readonly string[];
  /** Presets with the name of their experiment and their purpose; null: the help leaves the preset out. */
  presets: readonly { name: string; of: string; about: string | null }[];
  /** Windows of recorded pages, as `1366x768`, and what makes a phone. */
  desktop: string;
  phone: string;
}

/** Words of an experiment that options are told in. */
interface ExperimentWords {
  attempt: readonly [one: string, several: string];
  metrics: readonly { name: string; phrase: string }[];
}

/** What is said of a choice of a run. */
type ChoiceText<Text> = (run: RunRecord, experiment: ExperimentWords) => Text;

/** What the report says of a choice, where that is one line. */
export function reportLine(name: string, text: ChoiceText<string>): ChoiceText<Line[]> {
  return (run, experiment) => [[name, text(run, experiment)]];
}

/** What the report says of an experiment's own choices. */
export function ownChoiceLines<Schema extends TSchema>(
  own: OwnChoices<Schema>,
  lines: (choices: Static<Schema>) => Line[],
): ChoiceText<Line[]> {
  return (run) => {
    const choices = ownChoices(run, own);
    return choices === null ? [] : lines(choices);
  };
}

/** One option of a command: everything that is said of it anywhere derives from its row. */
export interface OptionRow<T = unknown> {
  /** What stands for its value in the help, in brackets where the value may be left out; null: it has none. */
  argument: string | null;
  /** The heading that it stands under in the help. */
  group: string;
  /** What it does; the default is added. */
  help: string | ((known: KnownNames) => string);
  read: Reader<T>;
  /** The value where the option is not given; absent: there is none, or it depends. */
  byDefault?: T;
  /** How the help writes that value; absent: as its own text. */
  defaultText?: string;
  /**
   * plan: what is loaded and how; analysis: what is made of it, which can be chosen again after the run; invocation: neither, so
   * that it may stand beside a frozen plan.
   */
  decides: 'plan' | 'analysis' | 'invocation';
  /** Options that it does not go with. */
  conflicts?: readonly string[];
  /** The option that it is nothing without. */
  needs?: string;
  /** Whether it may stand there several times; its reader gets the texts as lines. */
  repeats?: true;
  /** What the report says of the choice under "Chosen before the run"; or the option that says it too. */
  said?: ChoiceText<Line[]> | { by: string };
}

/** Options by their names. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

type GroupDefaults = Pick<OptionRow, 'group' | 'decides'>;

/** Options of one heading of the help, which decide the same unless one says otherwise. */
export function optionGroup<
  Rows extends Readonly<
    Record<string, Omit<OptionRow, keyof GroupDefaults> & Partial<GroupDefaults>>
  >,
>(group: string, decides: OptionRow['decides'], rows: Rows) {
  const entries = Object.entries(rows).map(([name, row]) => [name, { group, decides, ...row }]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name] & GroupDefaults };
}

/** The values of a table's options. */
export type Values<Table extends OptionTable> = {
  [Name in keyof Table]:
    | ReturnType<Table[Name]['read']>
    | (Table[Name] extends { byDefault: unknown } ? never : null);
};

/** Options as the user gave them, by name; empty text: without a value. */
export type RawOptions = Readonly<Partial<Record<string, string>>>;
