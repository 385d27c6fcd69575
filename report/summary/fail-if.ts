import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import type { Metric } from '../../ground/experiment.ts';
import { firstNames } from '../../ground/first-names.ts';
import type { AnalysisPlan, PlannedArm } from '../../ground/records/run.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { missingRatioReason } from '../../kit/text/excluded-sites.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import type { Verdict } from '../../kit/text/verdict.ts';
import { type AnswerSource, answerText, conditionOf, runsText } from '../text/answers.ts';
import type { PrimaryAnswer } from './comparison.ts';
import {
  type FailRule,
  FailRuleError,
  inverse,
  RULE_OF_RUN,
  RULE_OF_RUNS,
  type RuleOutcome,
  type RuleResult,
  type RuleState,
  readFailRule,
  stateOfRatio,
} from './fail-rule.ts';
import { isPairOf } from './fairness.ts';
import { baselineOf } from './primary-questions.ts';
import type { ComparedStack, RunsComparison } from './runs-comparison.ts';
import type { Summary } from './summary.ts';

/**
 * Reads a rule about a run; null without one.
 * @param chosen replaces every baseline of the plan
 * @throws FailRuleError when it is not valid, or about stacks that the run does not compare
 */
export function failRuleFor(
  run: {
    arms: readonly Pick<PlannedArm, 'arm' | 'comparedWith'>[];
    analysis: Pick<AnalysisPlan, 'baseline'>;
  },
  text: string | null,
  chosen?: string,
): FailRule | null {
  if (text === null) return null;
  const rule = readFailRule(text);
  const { arm, than } = rule;
  if (than === null) {
    throw new FailRuleError(
      `--fail-if ${JSON.stringify(text)}: than which stack? Expected two of one run, as in "${RULE_OF_RUN}". Two runs are held against "${RULE_OF_RUNS}" by report --compare.`,
    );
  }
  const names = run.arms.map((each) => each.arm);
  const unknown = [arm, than].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new FailRuleError(
      `--fail-if: ${unknown.join(', ')} is no stack of this run. Stacks: ${names.join(', ')}.`,
    );
  }
  const pairs = run.arms
    .map((each) => ({ a: each.arm, b: chosen ?? baselineOf(run, each) }))
    .filter(({ a, b }) => a !== b && (a === arm || a === than));
  if (pairs.some((pair) => isPairOf(pair, arm, than))) return rule;
  const compared = pairs.map(({ a, b }) => `${a} is compared with ${b}`).join(', and ');
  throw new FailRuleError(
    `--fail-if: ${compared}, not ${arm} with ${than}. Name two that are compared, or give --baseline ${shellWord(than)}.`,
  );
}

/** Checks a rule against the primary answers of a run. Their intervals are corrected for all answers and looks. */
export function outcomeOf(
  rule: FailRule,
  { primary, ...run }: Pick<Summary, 'primary'> & AnswerSource,
): RuleOutcome {
  const metric = verdictMetric(run);
  const { attempt, site } = experimentOf(run);
  const results = primary
    .filter(({ arm, baseline }) => isPairOf({ a: arm, b: baseline }, rule.arm, rule.than ?? ''))
    .map((answer): RuleResult => {
      const { excludedSites } = answer;
      const sentence = answerText(answer, run);
      const condition = conditionOf(answer);
      const state = stateOfAnswer(rule, answer, metric);
      const network = run.networks.find(({ name }) => name === answer.network);
      if (state !== 'kept' || excludedSites.length === 0 || !network)
        return { state, condition, sentence, about: answer };
      const unknown = `of ${countWithNoun(excludedSites.length, ...site)} planned ${missingRatioReason(network, metric, attempt[1])}: ${firstNames(excludedSites, 3)}`;
      return {
        state: 'undecided',
        condition,
        sentence: `${sentence} The rule is not met by that, but ${unknown}.`,
        about: answer,
      };
    });
  if (results.length > 0) return { rule, results };
  const sentence = `No load of ${rule.arm} or ${rule.than} was made.`;
  return { rule, results: [{ state: 'undecided', condition: null, sentence, about: null }] };
}

function stateOfAnswer(
  rule: FailRule,
  { ratio, arm, verdict }: PrimaryAnswer,
  metric: Metric,
): RuleState {
  const isTurned = arm !== rule.arm;
  if (ratio === null) {
    return stateByFailures(rule, isTurned ? turned(verdict) : verdict);
  }
  return stateOfRatio(rule, isTurned ? inverse(ratio) : ratio, metric);
}

function turned(verdict: Verdict): Verdict {
  if (verdict === 'faster') return 'slower';
  return verdict === 'slower' ? 'faster' : verdict;
}

/**
 * A rule about two runs that were compared.
 * @throws FailRuleError when it names a second stack, or one without a baseline in both runs
 */
export function assertRuleOfRuns(
  { arm, than, text }: FailRule,
  { conditions }: Pick<RunsComparison, 'conditions'>,
): void {
  if (than !== null) {
    throw new FailRuleError(
      `--fail-if ${JSON.stringify(text)}: with --compare, a stack of the second run is held against itself in the first. Expected one stack, as in "${RULE_OF_RUNS}".`,
    );
  }
  const stacks = conditions[0]?.arms ?? [];
  if (stacks.some((each) => each.arm === arm)) return;
  const expected = `Expected one of ${stacks.map((each) => each.arm).join(', ')}.`;
  throw new FailRuleError(
    stacks.some(({ baseline }) => baseline === arm)
      ? `--fail-if: ${arm} is the baseline, and its own times in two runs depend on the machine. ${expected}`
      : `--fail-if: ${arm} is no stack that both runs compare with another. ${expected}`,
  );
}

/** Checks a rule against the change of a stack's ratio, over all sites together. */
export function outcomeOfRuns(rule: FailRule, comparison: RunsComparison): RuleOutcome {
  const metric = verdictMetric({ ...comparison, analysis: comparison });
  const results = comparison.conditions.flatMap(({ network, variant, arms }) =>
    arms
      .filter(({ arm }) => arm === rule.arm)
      .map((stack) => ({
        state: stateOfChange(rule, stack, metric),
        condition: conditionOf({ network: network.name, variant }),
        sentence: runsText(stack, comparison),
        about: stack,
      })),
  );
  return { rule, results };
}

function stateOfChange(rule: FailRule, stack: ComparedStack, metric: Metric): RuleState {
  const { ratio, verdict, excludedSites } = stack;
  const state = ratio === null ? stateByFailures(rule, verdict) : stateOfRatio(rule, ratio, metric);
  // A site without a ratio may be beyond the limit.
  return state === 'kept' && excludedSites.flat().length > 0 ? 'undecided' : state;
}

/** Failures exceed any limit. */
function stateByFailures({ is }: FailRule, verdict: Verdict): RuleState {
  if (verdict !== 'faster' && verdict !== 'slower') return 'undecided';
  return verdict === is ? 'broken' : 'kept';
}
