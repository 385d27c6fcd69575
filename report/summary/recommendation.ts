import { isProtocolPair } from '../../experiments/stacks.ts';
import type { Experiment } from '../../ground/experiment.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import type { Verdict } from '../../kit/text/verdict.ts';
import type { PrimaryAnswer, SecondaryAnswer } from './comparison.ts';
import { condition, stacks } from './fields.ts';
import type { MixAnswer } from './mix.ts';
import type { PlannedPair } from './primary-questions.ts';

const effects = (description: string) =>
  s.list(
    s.object(
      { ...condition, metric: s.name('Metric with this verdict.') },
      'A verdict under a condition.',
    ),
    description,
  );

export const recommendationSchema = s.object(
  {
    ...stacks,
    advice: s.oneOf(
      ['on', 'off', 'same', 'depends', 'undecided'],
      'Turn HTTP/3 on; do not; visitors see no difference; it depends on the condition or the metric; undecided. docs/explanation/recommendation.md has the rule.',
    ),
    decidedBy: s.oneOf(
      ['failures', 'conditions', 'mix'],
      'What decided: the stack that fails more often, the verdicts under the conditions, or the mix of visits.',
    ),
    gains: effects('Where HTTP/3 is better.'),
    losses: effects('Where it is worse.'),
    undecided: effects('Where that is undecided.'),
    notMeasured: s.list(s.text('A clause.'), 'What the run does not answer.'),
  },
  'Whether to turn HTTP/3 on, by a fixed rule.',
);

export type Recommendation = s.Static<typeof recommendationSchema>;
type Effect = Recommendation['gains'][number];

interface Answers {
  primary: readonly PrimaryAnswer[];
  secondary: readonly SecondaryAnswer[];
  mix: readonly MixAnswer[];
}

/** One recommendation for each HTTP/3 stack with its HTTP/2 twin; empty: the run does not compare them by what visitors see. */
export function recommendationsOf(
  run: RunRecord,
  experiment: Experiment,
  { metric, pairs, ...answers }: Answers & { metric: string; pairs: readonly PlannedPair[] },
): Recommendation[] {
  const { notMeasured, metrics, secondaryMetrics = [] } = experiment;
  if (!notMeasured || ![metrics[0]?.name, ...secondaryMetrics].includes(metric)) return [];
  return pairs.flatMap(([arm, baseline]) => {
    const isTwin = isLiveRun(run) || isProtocolPair(arm.arm, baseline.arm);
    const isUpgrade = ['h3', 'h2+h3'].includes(arm.protocol) && baseline.protocol === 'h2';
    if (!isTwin || !isUpgrade) return [];
    const isOfPair = (each: { arm: string; baseline: string }) =>
      each.arm === arm.arm && each.baseline === baseline.arm;
    const primary = answers.primary.filter(isOfPair);
    if (primary.length === 0) return [];
    return {
      arm: arm.arm,
      baseline: baseline.arm,
      ...recommend(
        primary.map((each) => ({ ...each, metric })),
        answers.secondary.filter(isOfPair),
        answers.mix.filter(isOfPair),
      ),
      notMeasured: notMeasured(run, arm),
    };
  });
}

interface Answer extends Effect {
  verdict: Verdict;
  ratio: unknown;
  nPairs: number;
}

/**
 * The rule of docs/explanation/recommendation.md.
 * @param primary answers by the primary metric, one for each condition
 * @param secondary answers by the further metrics
 * @param mix one for each variant; empty: no mix
 */
export function recommend(
  primary: readonly Answer[],
  secondary: readonly Answer[],
  mix: readonly Pick<MixAnswer, 'verdict'>[],
): Pick<Recommendation, 'advice' | 'decidedBy' | 'gains' | 'losses' | 'undecided'> {
  // Without a ratio the verdict says which stack failed more often.
  const failing = primary.filter(
    ({ ratio, verdict }) => ratio === null && (verdict === 'faster' || verdict === 'slower'),
  );
  // Pages without a paint have no pair by that metric.
  const answers =
    failing.length > 0 ? failing : [...primary, ...secondary.filter(({ nPairs }) => nPairs > 0)];
  const having = (wanted: Verdict) =>
    answers
      .filter(({ verdict }) => verdict === wanted)
      .map(({ network, variant, metric }) => ({ network, variant, metric }));
  const [gains, losses, undecided] = [having('faster'), having('slower'), having('undecided')];
  const found = { gains, losses, undecided };
  const byConditions = adviceOf(found);
  if (failing.length > 0) return { advice: byConditions, decidedBy: 'failures', ...found };
  const [ofMix, ...further] = new Set(mix.map(({ verdict }) => verdict));
  if (byConditions !== 'depends' || !ofMix || ofMix === 'undecided' || further.length > 0) {
    return { advice: byConditions, decidedBy: 'conditions', ...found };
  }
  return { advice: ADVICE_OF_MIX[ofMix], decidedBy: 'mix', ...found };
}

const ADVICE_OF_MIX = { faster: 'on', slower: 'off', same: 'same' } as const;

function adviceOf({
  gains,
  losses,
  undecided,
}: Pick<Recommendation, 'gains' | 'losses' | 'undecided'>): Recommendation['advice'] {
  if (gains.length > 0) return losses.length > 0 ? 'depends' : 'on';
  if (losses.length > 0) return 'off';
  return undecided.length > 0 ? 'undecided' : 'same';
}
