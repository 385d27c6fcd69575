import { experimentOf } from '../../experiments/index.ts';
import { metricNamed, verdictMetrics } from '../../ground/experiment.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { type Mix, mixProblem } from '../../ground/records/mix.ts';
import { type AnalysisPlan, type RunRecord, runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { EXIT, ExitError } from '../../ground/system/exit-status.ts';
import { type PairNames, pairNames } from './primary-questions.ts';

export const analysisUsedSchema = s.object(
  {
    ...runSchema.properties.analysis.properties,
    chosenAfterTheRun: s.flag(
      'true: chosen in knowledge of the results, and not by the plan; results/README.md says why that matters.',
    ),
    pairs: s.list(
      s.object(
        {
          arm: s.name('Name of a stack.'),
          baseline: s.name('What it is compared with.'),
        },
        'Two stacks that are compared.',
      ),
      'Every stack but the baseline and controls, in the order of the plan.',
    ),
    nTests: s.count(
      'Verdicts that the correction after Holm and Tarone is over: comparisons with enough pairs for a test.',
    ),
  },
  'What the comparisons are based on.',
);

type AnalysisUsed = s.Static<typeof analysisUsedSchema>;

/** The same before the comparisons. */
export type ChosenAnalysis = Omit<AnalysisUsed, 'nTests'>;

/** Replaces the plan's choices; the metric by the word of --metric or by its name. */
export interface AnalysisChoice extends Partial<AnalysisPlan> {
  /** Stacks to compare; default: every stack with its baseline. */
  pairs?: readonly PairNames[];
  /** Number of answers of the family that those of the run belong to, if it has answers of other runs, too. */
  family?: number;
}

/** The run does not allow the chosen analysis; the message says what it allows. */
export class AnalysisChoiceError extends ExitError {
  override name = 'AnalysisChoiceError';
  readonly exitStatus = EXIT.usage;
}

/**
 * The plan's analysis, or the one chosen instead.
 * @throws AnalysisChoiceError when the baseline is not a stack of the run or is a control, the margin is not above 0, verdicts cannot be about the metric, or the mix does not fit
 * @throws DamagedRunError when the plan's own baseline is not one of its stacks
 */
export function analysisOf(
  run: Pick<RunRecord, 'experiment' | 'analysis' | 'arms' | 'networks'>,
  choice: AnalysisChoice = {},
): ChosenAnalysis {
  const { analysis, arms } = run;
  const { baseline, marginPercent } = { ...analysis, ...choice };
  const metric = metricOf(run, choice);
  const possible = arms.flatMap(({ arm, controlOf }) => (controlOf === null ? [arm] : []));
  if (!possible.includes(baseline)) {
    const problem = `The baseline is ${baseline}, expected a stack of this run: ${possible.join(', ')}.`;
    throw refusal(problem, choice.baseline);
  }
  if (!(marginPercent > 0 && marginPercent < Number.POSITIVE_INFINITY)) {
    const problem = `The margin is ${marginPercent} %, expected a number above 0, for example 5.`;
    throw refusal(problem, choice.marginPercent);
  }
  const mix = mixOf(run, choice, metric);
  return {
    baseline,
    marginPercent,
    metric,
    ...(mix && { mix }),
    pairs: [...(choice.pairs ?? pairNames(run, choice.baseline))],
    chosenAfterTheRun:
      baseline !== analysis.baseline ||
      (choice.baseline !== undefined &&
        arms.some(({ comparedWith }) => comparedWith !== undefined)) ||
      marginPercent !== analysis.marginPercent ||
      metric !== analysis.metric,
  };
}

/** An error of the plan, or of the choice that replaces it. */
function refusal(problem: string, chosen: unknown): ExitError {
  return chosen === undefined
    ? new DamagedRunError(`run.json: ${problem}`)
    : new AnalysisChoiceError(problem);
}

function metricOf(
  run: Pick<RunRecord, 'experiment' | 'analysis'>,
  { metric: chosen }: AnalysisChoice,
): string {
  const metrics = verdictMetrics(experimentOf(run));
  const wanted = chosen ?? run.analysis.metric;
  const found = metrics.find(({ name, word }) => name === wanted || word === wanted);
  if (found) return found.name;
  const problem = `The metric is ${wanted}, expected one of ${metrics.map(({ word }) => word).join(', ')}.`;
  throw refusal(problem, chosen);
}

/** null: no mix. */
function mixOf(
  run: Pick<RunRecord, 'experiment' | 'analysis' | 'networks'>,
  choice: AnalysisChoice,
  metric: string,
): Mix | null {
  const mix = choice.mix ?? run.analysis.mix;
  if (mix === undefined) return null;
  const problem = mixProblem(mix, run.networks, metricNamed(experimentOf(run), metric));
  if (problem === null) return mix;
  throw refusal(problem, choice.mix);
}
