import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { TIME } from '../../../ground/experiment.ts';
import {
  type Decision,
  decideAtEnd,
  decideFamily,
  type Evidence,
  estimateAt,
  isPrecise,
  type QuestionLook,
} from '../../../report/summary/family.ts';
import { firstLook } from '../../../runner/campaign/sequential-stopping.ts';
import { blocksPerLook, blocksPerRound } from '../../../runner/schedule.ts';
import { fixedSites } from '../../fixed-sites.ts';
import { mean } from '../../mean.ts';
import { median } from '../../median.ts';

interface Outcome {
  /** Share of runs with even one wrong verdict: a direction that is not so, or `same` at or beyond the margin. */
  wrong: number;
  /** Share of the last intervals that hold the truth. */
  covered: number;
  /** Share of questions that have a verdict. */
  decided: number;
  /** Share of runs in which the second family finds a false difference in at least one further metric, decided when the question's loads end. */
  further: number;
  /** As `further`, if each metric were decided at the whole level of its share, whenever its loads end. */
  furtherAtOnce: number;
  /** Mean of the repetitions until a question's loads end. */
  repetitions: number;
  /** Median of half the intervals, in percent. */
  halfWidthPercent: number;
  /** Mean log ratio over the true one, for questions whose loads ended before the run had to; null: no such question, or no difference. */
  exaggeration: number | null;
}

const MARGIN_PERCENT = 5;

/** Repetitions of a plan; the budget may end it earlier. */
const PLANNED_REPETITIONS = 60;

/** Repetitions that exhaust the budget, by pages: one page and two stacks complete the plan, four pages and three stacks have five minutes, thirty pages their own budget. */
const MOST_REPETITIONS: Readonly<Record<number, number>> = { 1: 60, 4: 15, 30: 24 };

interface Question {
  effect: number;
  /** True effect of each site. */
  own: readonly number[];
  /** Pairs of each site, in groups. */
  samples: number[][][];
  /** Pairs by a further metric in the worst case: without true difference, with the random deviations of the metric that ends the run. */
  alike: number[][][];
  looks: QuestionLook[];
  alikeLooks: QuestionLook[];
  /** Repetitions at which its loads ended; null: they continue. */
  end: number | null;
  decision: Decision | null;
}

/** Simulates runs that stop by the rule of real runs, with one question for each effect of the scenario. Deterministic. */
export function simulate(scenario: Scenario, subjects: number, runs: number): Outcome {
  // One page has two stacks, several pages have the three stacks of a default run.
  const arms = subjects === 1 ? 2 : 3;
  const draws = drawsFrom(subjects);
  const all = Array.from({ length: runs }, () => runOnce(scenario, { subjects, arms }, draws));
  const questions = all.flat();
  const most = MOST_REPETITIONS[subjects] ?? PLANNED_REPETITIONS;
  const shareOf = <Each>(list: readonly Each[], is: (each: Each) => boolean) =>
    list.filter(is).length / list.length;
  const early = questions.filter(
    ({ end, effect }) => end !== null && end < most && Math.abs(effect) > 0,
  );
  return {
    wrong: shareOf(all, (run) => run.some(isWrong)),
    further: shareOf(all, (run) =>
      run.some(({ alikeLooks }) => isCalledDifferent(alikeLooks, run.length)),
    ),
    furtherAtOnce: shareOf(all, (run) =>
      run.some(({ alikeLooks }) =>
        isCalledDifferent(
          alikeLooks.slice(-1).map(({ evidence }) => ({ fraction: 1, evidence })),
          run.length,
        ),
      ),
    ),
    covered: shareOf(questions, (question) => {
      const { low, high } = intervalOf(question);
      return low <= question.effect && question.effect <= high;
    }),
    decided: shareOf(questions, ({ decision }) => decision?.verdict !== 'undecided'),
    repetitions: mean(questions.map(({ end }) => end ?? most)) as number,
    halfWidthPercent:
      100 *
      (median(
        questions.map((question) => {
          const { low, high } = intervalOf(question);
          return (high - low) / 2;
        }),
      ) as number),
    exaggeration: mean(
      early.map(({ looks, effect }) => (looks.at(-1)?.evidence.ratio?.estimate ?? 0) / effect),
    ),
  };
}

function runOnce(
  scenario: Scenario,
  { subjects, arms }: { subjects: number; arms: number },
  draws: Draws,
): Question[] {
  const most = MOST_REPETITIONS[subjects] ?? PLANNED_REPETITIONS;
  const questions = scenario.effects.map((effect) =>
    questionOf(effect, { scenario, subjects }, draws),
  );
  const comparisons = subjects * questions.length;
  const [perRound, perLook] = [blocksPerRound(arms), blocksPerLook(arms, comparisons)];
  const first = firstLook(perLook, { arms, subjects, comparisons });
  for (let made = perRound; made <= most; made += perRound) {
    const ongoing = questions.filter(({ end }) => end === null);
    for (const { own, samples, alike } of ongoing) {
      for (const [subject, effect] of own.entries()) {
        const group = groupOf(effect, { pairs: perRound, subject, scenario }, draws);
        samples[subject]?.push(group);
        alike[subject]?.push(group.map((each) => (each === 0 ? 0 : each - effect)));
      }
    }
    const isPlanned = made >= first && made % perLook === 0;
    const isLook = (isPlanned || scenario.isInterrupted) && !scenario.isFixed;
    if (!isLook && made < most) continue;
    const fraction = made >= most ? 1 : made / PLANNED_REPETITIONS;
    for (const { looks, alikeLooks, samples, alike } of ongoing) {
      looks.push({ fraction, evidence: evidenceOf(samples) });
      alikeLooks.push({ fraction, evidence: evidenceOf(alike) });
    }
    const decisions = decideFamily(
      questions.map(({ looks }) => looks),
      { marginPercent: MARGIN_PERCENT, metric: TIME },
    );
    for (const [index, question] of questions.entries()) {
      const decision = decisions[index] as Decision;
      question.decision = decision;
      const evidence = question.looks.at(-1)?.evidence as Evidence;
      const precision = { marginPercent: MARGIN_PERCENT, isOnly: questions.length === 1 };
      if (made >= first && isPrecise(evidence, decision, precision)) question.end ??= made;
    }
    if (questions.every(({ end }) => end !== null)) break;
  }
  return questions;
}

function questionOf(
  effect: number,
  { scenario, subjects }: { scenario: Scenario; subjects: number },
  draws: Draws,
): Question {
  const drawn = Array.from(
    { length: subjects },
    () => effect + scenario.betweenSites * draws.normal(),
  );
  // Exactly the effect on average: the question is about these sites.
  const off = (mean(drawn) as number) - effect;
  const own = drawn.map((each) => each - off);
  return {
    effect,
    own,
    samples: own.map(() => []),
    alike: own.map(() => []),
    looks: [],
    alikeLooks: [],
    end: null,
    decision: null,
  };
}

function isWrong({ effect, decision }: Question): boolean {
  const verdict = decision?.verdict;
  if (verdict === 'same') return Math.abs(effect) >= Math.log1p(MARGIN_PERCENT / 100) - 1e-12;
  if (verdict === 'slower') return effect <= 0;
  return verdict === 'faster' && effect >= 0;
}

function intervalOf({ looks, decision }: Question): { low: number; high: number } {
  const ratio = looks.at(-1)?.evidence.ratio ?? null;
  const estimate = estimateAt(ratio, decision?.level ?? 0);
  return {
    low: estimate?.low ?? Number.NEGATIVE_INFINITY,
    high: estimate?.high ?? Number.POSITIVE_INFINITY,
  };
}

function isCalledDifferent(looks: readonly QuestionLook[], questions: number): boolean {
  const settings = { marginPercent: MARGIN_PERCENT, metric: TIME };
  const { verdict } = decideAtEnd(looks, 0.05 / questions, settings);
  return verdict === 'faster' || verdict === 'slower';
}

function evidenceOf(samples: readonly (readonly number[][])[]): Evidence {
  const values = samples.flat(2);
  return {
    nPairs: values.length,
    ratio: fixedSites(samples),
    nBothFailed: 0,
    failures: values.filter((value) => !Number.isFinite(value)).map(Math.sign),
  };
}

function groupOf(
  effect: number,
  { pairs, subject, scenario }: { pairs: number; subject: number; scenario: Scenario },
  draws: Draws,
): number[] {
  const { betweenBrowsers, betweenPairs } = scenario;
  const betweenLoads = (betweenPairs[subject % betweenPairs.length] as number) / Math.SQRT2;
  const shared = betweenBrowsers * (draws.normal() - draws.normal());
  return Array.from({ length: pairs }, () => {
    const [own, other] = [0, 1].map(() => loadOf(betweenLoads, scenario, draws)) as [
      number,
      number,
    ];
    return own === other ? 0 : effect + shared + own - other;
  });
}

function loadOf(betweenLoads: number, { late, failing }: Scenario, draws: Draws): number {
  if (draws.uniform() < failing) return Number.POSITIVE_INFINITY;
  const delay = draws.uniform() < late ? -0.3 * Math.log(draws.uniform()) : 0;
  return betweenLoads * draws.normal() + delay;
}

type Draws = ReturnType<typeof drawsFrom>;

function drawsFrom(seed: number) {
  const generator = xoroshiro128plus(seed);
  const uniform = () => ((generator.next() >>> 0) + 0.5) / 2 ** 32;
  // Box and Muller.
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** True differences of stacks, and variation of their loads. */
interface Scenario {
  name: string;
  /** True log ratio of each question, on average over the sites. */
  effects: readonly number[];
  /** Standard deviation of the sites' effects around it. */
  betweenSites: number;
  /** Standard deviation of the log ratio of a pair of loads, by site. */
  betweenPairs: readonly number[];
  /** Standard deviation of a browser's effect on all its loads. */
  betweenBrowsers: number;
  /** Share of loads that are slower than usual, by a third on average. */
  late: number;
  /** Share of loads that fail, with any stack. */
  failing: number;
  /** Has one look, at the end, as a run with a fixed number of repetitions. */
  isFixed?: boolean;
  /** Interrupted after every balanced set of blocks, read, and resumed. */
  isInterrupted?: boolean;
}

/** The pairs of the default run's four pages without delay, as measured. */
const MEASURED: Omit<Scenario, 'name' | 'effects'> = {
  betweenSites: 0.1,
  betweenPairs: [0.12, 0.07, 0.12, 0.2],
  betweenBrowsers: 0,
  late: 0.05,
  failing: 0,
};

const NONE = [0, 0, 0, 0];
const MARGIN = Math.log(1.05);
const TENTH = Math.log(1.1);
const FIFTH = Math.log(1.2);

export const SCENARIOS: readonly Scenario[] = [
  { ...MEASURED, name: 'nothing differs', effects: NONE },
  { ...MEASURED, name: 'pairs vary by 7 %', effects: NONE, betweenPairs: [0.07] },
  { ...MEASURED, name: 'pairs vary by 20 %', effects: NONE, betweenPairs: [0.2] },
  { ...MEASURED, name: 'browsers differ by 3 %', effects: NONE, betweenBrowsers: 0.03 },
  { ...MEASURED, name: 'browsers differ by 6 %', effects: NONE, betweenBrowsers: 0.06 },
  { ...MEASURED, name: 'browsers differ by 10 %', effects: NONE, betweenBrowsers: 0.1 },
  {
    ...MEASURED,
    name: 'both: 7 % and 10 %',
    effects: NONE,
    betweenPairs: [0.07],
    betweenBrowsers: 0.1,
  },
  { ...MEASURED, name: '5 % of loads fail', effects: NONE, failing: 0.05 },
  { ...MEASURED, name: 'nothing differs, one look', effects: NONE, isFixed: true },
  { ...MEASURED, name: 'interrupted at every set', effects: NONE, isInterrupted: true },
  { ...MEASURED, name: 'all differ by the margin', effects: [MARGIN, MARGIN, -MARGIN, -MARGIN] },
  { ...MEASURED, name: 'two of four differ by 10 %', effects: [0, 0, TENTH, TENTH] },
  { ...MEASURED, name: 'all differ by 3 %', effects: [0.03, 0.03, -0.03, -0.03] },
  { ...MEASURED, name: 'all differ by 10 %', effects: [TENTH, TENTH, -TENTH, -TENTH] },
  { ...MEASURED, name: 'all differ by 20 %', effects: [FIFTH, FIFTH, -FIFTH, -FIFTH] },
  { ...MEASURED, name: 'one question, no difference', effects: [0] },
  { ...MEASURED, name: 'one, browsers by 10 %', effects: [0], betweenBrowsers: 0.1 },
  { ...MEASURED, name: 'one question, 10 %', effects: [TENTH] },
  { ...MEASURED, name: 'one, 10 %, pairs by 7 %', effects: [TENTH], betweenPairs: [0.07] },
];
