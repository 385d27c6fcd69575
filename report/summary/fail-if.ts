import { type Metric, worsening } from '../../experiments/experiment.ts';
import { verdictMetric } from '../../experiments/index.ts';
import type { AnalysisPlan, PlannedArm } from '../../records/run.ts';
import { PROTOCOL_PAIR } from '../../servers/index.ts';
import { EXIT, ExitError } from '../../system/exit-status.ts';
import type { PrimaryAnswer } from './comparison.ts';
import { isPairOf } from './fairness.ts';
import { baselineOf } from './primary-questions.ts';
import type { Summary } from './summary.ts';

/** What is to be told to whoever started the run, a build for example: one stack is slower (worse), or faster (better), than another by more than so much. */
export interface FailRule {
  arm: string;
  is: 'slower' | 'faster';
  than: string;
  /** 0 to 1000. */
  byPercent: number;
  /** As it was given. */
  text: string;
}

/** The rule is not one, or the run has nothing that it could be asked of; the message says what is expected. */
export class FailRuleError extends ExitError {
  override name = 'FailRuleError';
  readonly exitStatus = EXIT.usage;
}

const [{ stack: QUIC }, { stack: TCP }] = PROTOCOL_PAIR;

/** A rule as it is written. */
const FAIL_RULE_EXAMPLE = `${QUIC} slower than ${TCP} by 5%`;

/**
 * Reads a rule that is written like FAIL_RULE_EXAMPLE.
 * @throws FailRuleError
 */
export function readFailRule(text: string): FailRule {
  const [, arm, is, than, percent] =
    /^\s*(\S+)\s+(slower|faster)\s+than\s+(\S+)\s+by\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  if (!arm || !is || !than || arm === than || !(Number(percent) <= 1000)) {
    throw new FailRuleError(
      `--fail-if ${JSON.stringify(text)}: expected two stacks and a percentage, as in "${FAIL_RULE_EXAMPLE}".`,
    );
  }
  return { arm, is: is as FailRule['is'], than, byPercent: Number(percent), text: text.trim() };
}

/**
 * Reads a rule about a run; null without one.
 * @throws FailRuleError when it is no rule, or about stacks that the run does not compare
 */
export function failRuleFor(
  run: {
    arms: readonly Pick<PlannedArm, 'arm' | 'comparedWith'>[];
    analysis: Pick<AnalysisPlan, 'baseline'>;
  },
  text: string | null,
): FailRule | null {
  if (text === null) return null;
  const rule = readFailRule(text);
  const { arm, than } = rule;
  const names = run.arms.map((each) => each.arm);
  const unknown = [arm, than].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new FailRuleError(
      `--fail-if: ${unknown.join(', ')} is no stack of this run. Stacks: ${names.join(', ')}.`,
    );
  }
  const pairs = run.arms
    .map((each) => ({ a: each.arm, b: baselineOf(run, each) }))
    .filter(({ a, b }) => a !== b && (a === arm || a === than));
  if (pairs.some((pair) => isPairOf(pair, arm, than))) return rule;
  const compared = pairs.map(({ a, b }) => `${a} is compared with ${b}`).join(', and ');
  throw new FailRuleError(
    `--fail-if: ${compared}, so that nothing is said of ${arm} and ${than}. Name two that are compared, or give --baseline ${than}.`,
  );
}

/** What a rule says of a run, condition by condition, as sentences. */
export interface RuleOutcome {
  /** The whole interval lies beyond the limit. */
  broken: string[];
  /** The interval lies on both sides of the limit, or there is none: neither kept nor broken. */
  undecided: string[];
}

/** Holds the primary answers of a run against a rule. Their intervals are corrected over all of them, and over all looks. */
export function outcomeOf(
  rule: FailRule,
  { primary, ...run }: Pick<Summary, 'primary' | 'experiment' | 'analysis'>,
): RuleOutcome {
  const metric = verdictMetric(run);
  const asked = primary.filter(({ arm, baseline }) =>
    isPairOf({ a: arm, b: baseline }, rule.arm, rule.than),
  );
  const of = (state: State) =>
    asked
      .filter((answer) => stateOf(rule, answer, metric) === state)
      .map(({ sentence }) => sentence);
  const outcome = { broken: of('broken'), undecided: of('undecided') };
  return asked.length > 0
    ? outcome
    : { ...outcome, undecided: [`No load of ${rule.arm} or ${rule.than} was made.`] };
}

/** The exit status that an outcome asks for; null: none of its own. */
export function statusOf({ broken, undecided }: RuleOutcome): number | null {
  if (broken.length > 0) return EXIT.failIf;
  return undecided.length > 0 ? EXIT.undecided : null;
}

/** An outcome for a terminal, a line for each condition. */
export function outcomeLines({ text }: FailRule, { broken, undecided }: RuleOutcome): string[] {
  return [
    ...broken.map((sentence) => `--fail-if "${text}" is so: ${sentence}`),
    ...undecided.map((sentence) => `--fail-if "${text}" could not be decided: ${sentence}`),
  ];
}

type State = 'kept' | 'broken' | 'undecided';

function stateOf(
  { arm, is, byPercent }: FailRule,
  { ratio, arm: compared, verdict }: PrimaryAnswer,
  metric: Metric,
): State {
  const isTurned = compared !== arm;
  if (ratio === null) {
    if (verdict !== 'faster' && verdict !== 'slower') return 'undecided';
    // Failures are worse than any limit.
    return (verdict === is) !== isTurned ? 'broken' : 'kept';
  }
  const low = ratio.low ?? 0;
  const high = ratio.high ?? Number.POSITIVE_INFINITY;
  // As the ratio of a time, of which less is better, with the rule's arm above.
  const isInverted = worsening(isTurned ? -1 : 1, metric) < 0;
  const [least, most] = isInverted ? [1 / high, 1 / low] : [low, high];
  const limit = is === 'slower' ? 1 + byPercent / 100 : 1 / (1 + byPercent / 100);
  if (is === 'slower') return least > limit ? 'broken' : most <= limit ? 'kept' : 'undecided';
  return most < limit ? 'broken' : least >= limit ? 'kept' : 'undecided';
}
