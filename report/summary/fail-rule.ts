import { type Metric, worsening } from '../../ground/experiment.ts';
import { EXIT, ExitError } from '../../ground/system/exit-status.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { PROTOCOL_PAIR } from '../../servers/index.ts';

/** When a command, for example in a build, fails: a stack is slower (worse), or faster (better), by more than a percentage. */
export interface FailRule {
  arm: string;
  is: 'slower' | 'faster';
  /** Another stack of the run; null: the same one in the first of two runs. */
  than: string | null;
  /** 0 to 1000. */
  byPercent: number;
  /** As the user gave it. */
  text: string;
}

/** The rule is not valid or does not fit the run; the message says what is expected. */
export class FailRuleError extends ExitError {
  override name = 'FailRuleError';
  readonly exitStatus = EXIT.usage;
}

const [{ stack: QUIC }, { stack: TCP }] = PROTOCOL_PAIR;

export const RULE_OF_RUN = `${QUIC} slower than ${TCP} by 5%`;

export const RULE_OF_RUNS = `${QUIC} slower by 5%`;

/**
 * Reads a rule that is written like RULE_OF_RUN or RULE_OF_RUNS.
 * @throws FailRuleError
 */
export function readFailRule(text: string): FailRule {
  const [, arm, is, than = null, percent] =
    /^\s*(\S+)\s+(slower|faster)(?:\s+than\s+(\S+))?\s+by\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ??
    [];
  if (!arm || !is || arm === than || !(Number(percent) <= 1000)) {
    throw new FailRuleError(
      `--fail-if ${JSON.stringify(text)}: expected two stacks and a percentage, as in "${RULE_OF_RUN}"; with report --compare one stack, as in "${RULE_OF_RUNS}".`,
    );
  }
  return { arm, is: is as FailRule['is'], than, byPercent: Number(percent), text: text.trim() };
}

/** kept: the rule is not met. undecided: neither is shown, which is not a pass. */
export type RuleState = 'broken' | 'kept' | 'undecided';

/** Result of a rule for one answer, under one condition. */
export interface RuleResult {
  state: RuleState;
  /** Name of the condition; null: no condition. */
  condition: string | null;
  sentence: string;
  /** The answer; null: no answer concerns the rule. */
  about: object | null;
}

export interface RuleOutcome {
  rule: FailRule;
  results: RuleResult[];
}

/**
 * Compares an interval with a limit: broken if it lies beyond the limit, kept if it lies within, else undecided.
 * @param ratio of the metric, the rule's arm above
 */
export function stateOfRatio(
  { is, byPercent }: FailRule,
  ratio: Estimate,
  metric: Pick<Metric, 'better'>,
): RuleState {
  // As for a time, of which less is better.
  const [least, most] = endsOf(worsening(1, metric) > 0 ? ratio : inverse(ratio));
  const limit = is === 'slower' ? 1 + byPercent / 100 : 1 / (1 + byPercent / 100);
  if (is === 'slower') return least > limit ? 'broken' : most <= limit ? 'kept' : 'undecided';
  return most < limit ? 'broken' : least >= limit ? 'kept' : 'undecided';
}

/** The same ratio the other way round. */
export function inverse({ estimate, low, high }: Estimate): Estimate {
  return {
    estimate: 1 / estimate,
    low: high === null ? null : 1 / high,
    high: low === null ? null : 1 / low,
  };
}

function endsOf({ low, high }: Estimate): [least: number, most: number] {
  return [low ?? 0, high ?? Number.POSITIVE_INFINITY];
}

/** One broken answer breaks the rule; else one that is undecided leaves it so. */
export function stateOfAll({ results }: RuleOutcome): RuleState {
  const has = (state: RuleState) => results.some((answer) => answer.state === state);
  return has('broken') ? 'broken' : has('undecided') ? 'undecided' : 'kept';
}

const STATUSES: Readonly<Record<RuleState, number | null>> = {
  broken: EXIT.failIf,
  undecided: EXIT.undecided,
  kept: null,
};

/** The exit status of an outcome; null: it sets no status. */
export function statusOf(outcome: RuleOutcome): number | null {
  return STATUSES[stateOfAll(outcome)];
}

function textOf({ condition, sentence }: RuleResult): string {
  return condition === null ? sentence : `${condition}: ${sentence}`;
}

export function sentencesOf({ results }: RuleOutcome, state: RuleState): string[] {
  return results.flatMap((answer) => (answer.state === state ? textOf(answer) : []));
}

/** An outcome for a terminal, a line for each condition under which the rule is not kept. */
export function outcomeLines(outcome: RuleOutcome): string[] {
  const { text } = outcome.rule;
  return [
    ...sentencesOf(outcome, 'broken').map((sentence) => `--fail-if "${text}" is met: ${sentence}`),
    ...sentencesOf(outcome, 'undecided').map(
      (sentence) => `--fail-if "${text}" could not be decided: ${sentence}`,
    ),
  ];
}
