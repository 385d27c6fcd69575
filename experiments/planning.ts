import type { Experiment } from '../ground/experiment.ts';
import type { Check } from '../ground/host/check.ts';
import type { RunValues } from '../ground/options/common.ts';
import type { PlannedExplanation } from '../ground/records/explanation.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import type {
  ExcludedStack,
  PlannedSubject,
  PlanRecord,
  RunChoices,
  UnpinnedChoices,
} from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import type { LiveSubject, SiteToLoad } from './subjects.ts';

/** An experiment of the index, with the planning of its runs. */
export interface Slice extends Experiment {
  /** Absent: it measures sites of the cache and has no choices of its own. */
  planning?: Planning;
}

/** The parts of a command line that planning needs. */
export interface PlanRequest {
  /** Empty without --live. */
  operands: readonly string[];
  arms: readonly Stack[];
  client: string;
}

export interface KnownSubjects {
  choices: UnpinnedChoices;
  subjects: readonly SiteToLoad[];
}

/** Subjects that an experiment can measure over the machine's own network (--live). */
export interface LiveSubjects {
  /** Plural noun. */
  noun: string;
  /** Their form on the command line. */
  operands: string;
  /** What is measured without them, as a sentence without its full stop. */
  otherwise: string;
  /** @throws UsageError for operands that name no subject */
  read(operands: readonly string[]): LiveSubject[];
  /** The subject of a plan, as read from operands; null: operands cannot name it. */
  fromPlan(planned: PlannedSubject): LiveSubject | null;
  arms(values: RunValues): Stack[];
  /** Minimum time between two attempts at one page, in ms. Pages are visited once before all attempts. Absent: the subjects are hosts. */
  pauseMs?(choices: UnpinnedChoices): number;
  /** Maximum of repetitions under sequential stopping; absent: the common maximum. */
  mostRepetitions?: number;
}

/**
 * Planning of an experiment's runs by its own options. Where a function is absent, the common options decide.
 * All functions except `find` and `prepare` are pure.
 */
export interface Planning {
  /**
   * Its own choices; null: this run has no such choices.
   * @throws UsageError for incompatible options
   */
  choices?(values: RunValues, request: PlanRequest): object | null;
  /** Common choices that it overrides. */
  common?(values: RunValues): Partial<RunChoices>;
  /** Names of its subjects; absent: those of --sites. */
  subjects?(values: RunValues): readonly string[];
  /** Finds or makes its subjects; absent: they are sites of the cache. */
  find?(
    names: readonly string[],
    choices: UnpinnedChoices,
    signal?: AbortSignal,
  ): Promise<readonly SiteToLoad[]>;
  /**
   * Completes choices and subjects by what is known of the subjects, before the plan is frozen; absent: nothing depends on them.
   * @throws UsageError for subjects that do not go together, or do not allow a choice
   */
  atSubjects?(known: KnownSubjects, arms: readonly Stack[]): Promise<KnownSubjects>;
  /** Whether subjects are made from their names, so that they cannot have changed; absent: no. */
  makesSubjects?: true;
  live?: LiveSubjects;
  /** Names of the stacks, if an option other than --stacks names them. */
  stacks?(values: RunValues): readonly string[];
  /** Arms of these stacks; absent: one per stack. */
  arms?(stacks: readonly Stack[], values: RunValues): readonly Stack[];
  /**
   * Further arms that explain the results of these, and how.
   * @throws UsageError for options that exclude them
   */
  explanations?(
    values: RunValues,
    stacks: readonly Stack[],
    run: {
      baseline: string;
      choices: UnpinnedChoices;
      networks: readonly NetworkCondition[];
      /** Arms that cannot be measured here. */
      excludedStacks: readonly ExcludedStack[];
    },
  ): { stacks: readonly Stack[]; explanations: readonly PlannedExplanation[] } | null;
  /** Arms that are measured at a subject; absent: all. */
  armsAt?(
    subject: PlannedSubject,
    choices: UnpinnedChoices,
    stacks: readonly Stack[],
  ): readonly string[];
  /** @param networksOf the conditions of the common options */
  networks?(
    values: RunValues,
    networksOf: (values: RunValues) => NetworkCondition[],
  ): NetworkCondition[];
  /** @throws UsageError for incompatible arms and networks */
  assertCompatible?(
    values: RunValues,
    arms: readonly Stack[],
    networks: readonly NetworkCondition[],
  ): void;
  /** Expected duration of an attempt with its preparation, in ms; null: the common estimate. */
  expectedMs?(choices: UnpinnedChoices): number | null;
  /** Interval between the starts of rounds of all subjects, in ms; null: no pause. */
  everyMs?(choices: UnpinnedChoices): number | null;
  /** TCP receive window of the client's kernel, in bytes; null: the kernel's own. */
  receiveWindowBytes?(choices: UnpinnedChoices): number | null;
  /** Whether servers sample their senders during an attempt; absent: no. */
  samplesSenders?: true;
  /** Why no options lead to a plan, as a clause; null: some do. Schemas have been checked. */
  problem?(plan: PlanRecord): string | null;
  /** Trusted certificate authorities: system, a file, or null (certificates are not verified); absent: system. */
  trust?(choices: UnpinnedChoices): string | null;
  /** @param attempts number until the first answer */
  notices?(plan: PlanRecord, attempts: number): string[];
  /** Checks for the doctor of programs that only some options need. */
  programChecks?(): Promise<readonly Check[]>;
  /** Verifies before a run that this machine can carry out the plan. */
  prepare?(choices: UnpinnedChoices): Promise<void>;
}
