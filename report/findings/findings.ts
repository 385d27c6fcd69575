import { namedConditionText } from '../../experiments/condition.ts';
import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { type Estimate, estimateText, ratioText } from '../../kit/text/estimate.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { BETTER_OR_WORSE, verdictWord } from '../../kit/text/verdict.ts';
import { differenceNotes, notesOn } from '../notes.ts';
import { sitesOf } from '../site-rows.ts';
import type { PrimaryAnswer } from '../summary/comparison.ts';
import type { RuleOutcome, RuleResult, RuleState } from '../summary/fail-rule.ts';
import { problemsOf } from '../summary/run-exclusions.ts';
import type { ComparedStack, RunsComparison } from '../summary/runs-comparison.ts';
import { secondaryTo } from '../summary/secondary.ts';
import type { Summary } from '../summary/summary.ts';
import { answerText, headingOf, runsText, secondaryText } from '../text/answers.ts';
import { mixText } from '../text/mix.ts';
import { recommendationLines } from '../text/recommendation.ts';

/** Findings of a run or of a comparison, for files. */
export interface Findings {
  title: string;
  /** Recommendations and answers for the mix of visits, as sentences. */
  advice: string[];
  answers: Finding[];
  /** null: no --fail-if. */
  rule: RuleOutcome | null;
  /** Caveats, as sentences. */
  notes: string[];
  /** Attempts of each run; empty: this command measured nothing. */
  attempts: AttemptProblems[];
  report: { name: string; file: string };
}

interface AttemptProblems {
  /** `Page loads`; for a comparison also the run. */
  name: string;
  /** Why some of them do not count, as sentences; empty: all count. */
  problems: string[];
}

export interface Finding {
  condition: string;
  stacks: string;
  sentence: string;
  /** Result of the rule; null: the rule does not concern this answer. */
  state: RuleState | null;
  heads: string[];
  /** Table rows: a site and its numbers. */
  rows: string[][];
}

/** Outcome of a command. */
export interface CommandOutcome {
  /** null: the command ended too early. */
  findings: Findings | null;
  /** Why the command ended early, as a sentence; null: it did not. */
  problem: string | null;
}

/** @param file path of the report */
export function findingsOfRun(summary: Summary, rule: RuleOutcome | null, file: string): Findings {
  const [, several] = experimentOf(summary).attempt;
  return {
    title: `run ${summary.runId}`,
    advice: [
      ...summary.recommendations.flatMap((each) => recommendationLines(each, summary)),
      ...summary.mix.map((answer) => mixText(answer, summary)),
    ],
    answers: summary.primary.map((answer) => findingOf(answer, summary, rule)),
    rule,
    notes: notesOn(summary),
    attempts: [{ name: capitalize(several), problems: problemsOf(summary) }],
    report: { name: 'Report', file },
  };
}

function findingOf(answer: PrimaryAnswer, summary: Summary, rule: RuleOutcome | null): Finding {
  const metric = verdictMetric(summary);
  const { heads, sites, together } = sitesOf(answer, summary);
  const [site, arm, baseline] = heads;
  const held = ruleResultOf(rule, answer);
  return {
    condition: headingOf(answer, summary),
    stacks: `${arm} against ${baseline}`,
    sentence: [
      held?.sentence ?? answerText(answer, summary),
      ...answer.notes,
      ...secondaryTo(answer, summary).flatMap((each) => [
        secondaryText(each, summary),
        ...each.notes,
      ]),
    ].join(' '),
    state: held?.state ?? null,
    heads: [capitalize(site), `Ratio of ${metric.phrases}`, 'Verdict', arm, baseline],
    rows: [...sites, ...(together ? [together] : [])].map((row) => [
      `${row.name}${row.mark}`,
      ratioCell(row.ratio),
      verdictWord(row.verdict, metric),
      ...row.medians,
    ]),
  };
}

export function findingsOfRuns(
  comparison: RunsComparison,
  rule: RuleOutcome | null,
  file: string,
): Findings {
  const { runs, conditions } = comparison;
  const [, several] = experimentOf(comparison).attempt;
  const [first, second] = runs;
  return {
    title: `run ${second.runId} against run ${first.runId}`,
    advice: [],
    answers: conditions.flatMap(({ network, variant, arms }) =>
      arms.map((stack) => changeOf(stack, namedConditionText(network, variant), comparison, rule)),
    ),
    rule,
    notes: [
      ...runs.flatMap(({ runId, warnings }) =>
        warnings.map((sentence) => `Run ${runId}: ${sentence}`),
      ),
      ...differenceNotes(comparison),
    ],
    attempts: runs.map(({ runId, problems }) => ({
      name: `${capitalize(several)} of run ${runId}`,
      problems,
    })),
    report: { name: 'Comparison', file },
  };
}

function changeOf(
  stack: ComparedStack,
  condition: string,
  comparison: RunsComparison,
  rule: RuleOutcome | null,
): Finding {
  const experiment = experimentOf(comparison);
  const { phrases } = metricNamed(experiment, comparison.metric);
  const { subjects, nSites, ratios, ratio, verdict } = stack;
  const whole = { subject: `${countWithNoun(nSites, ...experiment.site)} together`, ratios, ratio };
  const lines = nSites > 1 ? [...subjects, { ...whole, verdict }] : subjects;
  return {
    condition,
    stacks: `${stack.label} against ${stack.baselineLabel}`,
    sentence: runsText(stack, comparison),
    state: ruleResultOf(rule, stack)?.state ?? null,
    heads: [
      capitalize(experiment.site[0]),
      `Ratio of ${phrases}, first run`,
      'Second run',
      'Second ÷ first',
      'Change',
    ],
    rows: lines.map((line) => [
      line.subject,
      ...line.ratios.map(ratioCell),
      ratioCell(line.ratio),
      verdictWord(line.verdict, { words: BETTER_OR_WORSE }),
    ]),
  };
}

function ruleResultOf(rule: RuleOutcome | null, answer: object): RuleResult | undefined {
  return rule?.results.find(({ about }) => about === answer);
}

function ratioCell(ratio: Estimate | null): string {
  return estimateText(ratio, ratioText) ?? '–';
}
