import type { Experiment } from '../ground/experiment.ts';
import type { Check } from '../ground/host/check.ts';
import type { RunValues } from '../ground/options/common.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import type {
  PlannedSubject,
  PlanRecord,
  RunChoices,
  UnpinnedChoices,
} from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import type { LiveSubject, SiteToLoad } from './subjects.ts';

/** An experiment with how its runs are planned: what one line of the index names. */
export interface Slice extends Experiment {
  /** Absent: it measures sites of the cache, and has nothing to choose. */
  planning?: Planning;
}

/** What the command line said of a run, as far as it is read. */
export interface PlanRequest {
  /** Empty without --live. */
  operands: readonly string[];
  arms: readonly Stack[];
  client: string;
}

/** What an experiment can measure over the machine's own network (--live). */
export interface LiveSubjects {
  /** What they are called, several of them. */
  noun: string;
  /** How they are named on the command line. */
  operands: string;
  /** What is measured without them, as a sentence without its stop. */
  otherwise: string;
  /** @throws UsageError for operands that name none */
  read(operands: readonly string[]): LiveSubject[];
  /** The subject that a plan names, as operands would have named it; null: none could have. */
  fromPlan(planned: PlannedSubject): LiveSubject | null;
  arms(values: RunValues): Stack[];
  /** The least time between two attempts at one of them, in ms, for pages in a browser, each of which is visited once before all attempts; absent: hosts. */
  pauseMs?(choices: UnpinnedChoices): number;
  /** The most repetitions where a rule stops them; absent: as for others. */
  mostRepetitions?: number;
}

/**
 * How runs of an experiment are planned: what its own options decide. Functions that are absent leave things as the common options say.
 * All but `find` and `prepare` are pure.
 */
export interface Planning {
  /**
   * Its own choices; null: this run has none.
   * @throws UsageError for options that do not go together
   */
  choices?(values: RunValues, request: PlanRequest): object | null;
  /** Common choices that it decides otherwise. */
  common?(values: RunValues): Partial<RunChoices>;
  /** Names of its subjects; absent: those of --sites. */
  subjects?(values: RunValues): readonly string[];
  /** Finds its subjects, or makes them; absent: they are sites of the cache. */
  find?(
    names: readonly string[],
    choices: UnpinnedChoices,
    signal?: AbortSignal,
  ): Promise<readonly SiteToLoad[]>;
  /** Whether subjects are made of their names, so that none can have changed; absent: no. */
  makesSubjects?: true;
  live?: LiveSubjects;
  /** Names of the stacks, where other options than --stacks name them. */
  stacks?(values: RunValues): readonly string[];
  /** The arms that stacks become; absent: each is one. */
  arms?(stacks: readonly Stack[], values: RunValues): readonly Stack[];
  /** The arms that are measured at a subject; absent: all. */
  armsAt?(subject: string, choices: UnpinnedChoices, stacks: readonly Stack[]): readonly string[];
  /** @param networksOf the conditions that common options describe */
  networks?(
    values: RunValues,
    networksOf: (values: RunValues) => NetworkCondition[],
  ): NetworkCondition[];
  /** @throws UsageError where arms and networks do not go together */
  assertCompatible?(
    values: RunValues,
    arms: readonly Stack[],
    networks: readonly NetworkCondition[],
  ): void;
  /** How long an attempt takes with all that is around it, in ms; null: as long as others. */
  expectedMs?(choices: UnpinnedChoices): number | null;
  /** How often a round of all subjects begins, in ms; null: one after the other. */
  everyMs?(choices: UnpinnedChoices): number | null;
  /** The window that the client's kernel offers by TCP, in bytes; null: its own. */
  receiveWindowBytes?(choices: UnpinnedChoices): number | null;
  /** Whether servers tell what their senders do during an attempt; absent: no. */
  samplesSenders?: true;
  /** What options could not have said of a plan, as a clause; null: nothing. Schemas have been checked. */
  problem?(plan: PlanRecord): string | null;
  /** Authorities that a plan trusts: system, a file, or null for none; absent: system. */
  trust?(choices: UnpinnedChoices): string | null;
  /** @param attempts how many there are until the first answer */
  notices?(plan: PlanRecord, attempts: number): string[];
  /** Checks of programs that only some of its options need, for the doctor. */
  programChecks?(): Promise<readonly Check[]>;
  /** Makes sure that this machine can do what the plan asks for, before it begins. */
  prepare?(choices: UnpinnedChoices): Promise<void>;
}
