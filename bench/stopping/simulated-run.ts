import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { TIME } from '../../experiments/experiment.ts';
import { type Evidence, estimateAt, tellFamily } from '../../report/summary/family.ts';
import { firstLook } from '../../runner/campaign/until-told.ts';
import { blocksPerLook, blocksPerRound } from '../../runner/schedule.ts';
import { fixedSites } from '../../statistics/fixed-sites.ts';
import { mean } from '../../statistics/mean.ts';
import type { Scenario } from './scenarios.ts';

/** What came of many runs. */
export interface Outcome {
  /** Share of runs with even one wrong verdict: a direction that is not so, or `same` at or beyond the margin. */
  wrong: number;
  /** Share of the last intervals that hold the truth. */
  covered: number;
  /** Share of questions that were told. */
  told: number;
  /** Mean of the repetitions until a question was told, or the run ended. */
  repetitions: number;
}

const MARGIN_PERCENT = 5;

/** So many repetitions use up the budget: about what four minutes are enough for with one and with four pages, and half an hour with thirty. */
const MOST_REPETITIONS: Readonly<Record<number, number>> = { 1: 60, 4: 18, 30: 12 };

/** Makes runs of as many questions as the scenario has effects, which stop by the rule of a real one. The same every time. */
export function simulate(scenario: Scenario, subjects: number, runs: number): Outcome {
  // One page is asked about with two stacks, more of them with all three of a plain run.
  const arms = subjects === 1 ? 2 : 3;
  const draws = drawsFrom(subjects);
  const most = MOST_REPETITIONS[subjects] ?? 60;
  let wrong = 0;
  const covered: number[] = [];
  const told: number[] = [];
  const repetitions: number[] = [];
  for (let run = 0; run < runs; run++) {
    const truths = scenario.effects.map((effect) => {
      const own = Array.from(
        { length: subjects },
        () => effect + scenario.betweenSites * draws.normal(),
      );
      // Exactly the effect on average: that is what is asked of these sites.
      const off = (mean(own) as number) - effect;
      return own.map((each) => each - off);
    });
    const looks: { fraction: number; evidence: Evidence[] }[] = [];
    const samples = truths.map((own) => own.map((): number[][] => []));
    let answers = [] as ReturnType<typeof tellFamily>;
    const perRound = blocksPerRound(arms);
    const ends: (number | null)[] = truths.map(() => null);
    for (let made = perRound; made <= most; made += perRound) {
      for (const [question, own] of truths.entries()) {
        for (const [subject, effect] of own.entries()) {
          samples[question]?.[subject]?.push(groupOf(effect, perRound, scenario, draws));
        }
      }
      const perLook = blocksPerLook(arms);
      const isLook =
        made >= firstLook(perLook, { arms, subjects }) && made % perLook === 0 && !scenario.isFixed;
      if (!isLook && made < most) continue;
      looks.push({ fraction: made / most, evidence: samples.map(evidenceOf) });
      answers = tellFamily(looks, { marginPercent: MARGIN_PERCENT, metric: TIME });
      for (const [index, { afterPairs }] of answers.entries()) {
        if (afterPairs !== null) ends[index] ??= made;
      }
      if (answers.every(({ afterPairs }) => afterPairs !== null)) break;
    }
    const isWrong = answers.some(({ verdict }, index) => {
      const effect = scenario.effects[index] as number;
      if (verdict === 'same') return Math.abs(effect) >= Math.log1p(MARGIN_PERCENT / 100) - 1e-12;
      if (verdict === 'slower') return effect <= 0;
      return verdict === 'faster' && effect >= 0;
    });
    wrong += isWrong ? 1 : 0;
    for (const [index, { level, afterPairs }] of answers.entries()) {
      const estimate = estimateAt(looks.at(-1)?.evidence[index]?.ratio ?? null, level);
      const effect = scenario.effects[index] as number;
      const isInside = (estimate?.low ?? -99) <= effect && effect <= (estimate?.high ?? 99);
      covered.push(Number(isInside));
      told.push(Number(afterPairs !== null));
      repetitions.push(ends[index] ?? most);
    }
  }
  return {
    wrong: wrong / runs,
    covered: mean(covered) as number,
    told: mean(told) as number,
    repetitions: mean(repetitions) as number,
  };
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

/** The log ratios of pairs that were made in the same two browsers. */
function groupOf(effect: number, pairs: number, scenario: Scenario, draws: Draws): number[] {
  const { betweenBrowsers } = scenario;
  const shared = betweenBrowsers * (draws.normal() - draws.normal());
  return Array.from({ length: pairs }, () => {
    const [own, other] = [loadOf(scenario, draws), loadOf(scenario, draws)];
    return own === other ? 0 : effect + shared + own - other;
  });
}

function loadOf({ betweenLoads, late, failing }: Scenario, draws: Draws): number {
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
