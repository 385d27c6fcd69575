import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import type { Estimate } from '../../../../kit/text/estimate.ts';
import { compareRuns } from '../../../../report/summary/compare-runs.ts';
import { betterInPercent } from '../../../../report/summary/comparison.ts';
import { outcomeOf } from '../../../../report/summary/fail-if.ts';
import { readFailRule } from '../../../../report/summary/fail-rule.ts';
import { decidedConditions } from '../../../../report/summary/looks.ts';
import type { Summary } from '../../../../report/summary/summary.ts';
import { runsText } from '../../../../report/text/answers.ts';
import { exampleDraws } from '../example-draws.ts';
import { DELAYED, NONE, spoil } from '../fixture-run.ts';
import { summaryOf } from '../reported.ts';
import { measured } from '../two-runs.ts';
import { noiseFrom } from './simulated-blocks.ts';

/** What a made-up run has of differences, noise and failures. */
interface Scenario {
  seed: number;
  /** Of lsquic's times to Bun's. */
  ratio: number;
  spread: number;
  /** Which share of the loads of lsquic and of all others failed. */
  failing?: readonly [lsquic: number, others: number];
  subjects?: readonly string[];
  repetitions?: number;
}

const SITES = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example', 'f.example'];

const SCENARIOS: readonly Scenario[] = [
  { seed: 1, ratio: 0.85, spread: 0.03 },
  { seed: 2, ratio: 1.2, spread: 0.1, subjects: ['a.example'] },
  { seed: 3, ratio: 1, spread: 0.01, repetitions: 20 },
  { seed: 4, ratio: 1.02, spread: 0.3, repetitions: 7 },
  { seed: 5, ratio: 0.8, spread: 0.05, failing: [0.15, 0.05] },
  { seed: 6, ratio: 0.5, spread: 0.05, failing: [0.6, 0], repetitions: 20 },
  { seed: 7, ratio: 1.1, spread: 0.05, failing: [0, 0.7], subjects: ['a.example'] },
  { seed: 8, ratio: 1.3, spread: 0.05, failing: [0.3, 0.3], repetitions: 6 },
  { seed: 9, ratio: 0.9, spread: 0.02, repetitions: 3 },
];

/** The same run by its times, of which less is better, and by its rates, of which more is. */
function bothWays({ seed, ratio, spread, failing = [0, 0], ...options }: Scenario) {
  const change = () => {
    const noise = noiseFrom(seed);
    return (load: PageLoad) => {
      const isFirst = load.arm === 'lsquic-h3';
      load.metrics.pageLoadMs = 200 * (isFirst ? ratio : 1) * Math.exp(spread * noise());
      // An even number from a normal one, as far as it matters for a share of failures.
      const drawn = Math.abs(1e4 * noise()) % 1;
      if (!load.warmup && drawn < failing[isFirst ? 0 : 1]) {
        spoil(load, 'failed', 'timeout', 'Not in time.');
      }
    };
  };
  const made = (metric: 'drawnMs' | 'drawnKbps') =>
    exampleDraws(metric, {
      subjects: SITES,
      networks: [NONE, DELAYED],
      repetitions: 12,
      ...options,
      change: change(),
    });
  return [made('drawnMs'), made('drawnKbps')] as const;
}

function close(actual: number | null | undefined, expected: number | null | undefined): void {
  if (actual == null || expected == null) {
    assert.equal(actual ?? null, expected ?? null);
    return;
  }
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${actual}, expected ${expected}`,
  );
}

function mirrored(actual: Estimate | null, expected: Estimate | null): void {
  const turned = (value: number | null | undefined) => (value == null ? null : 1 / value);
  close(actual?.estimate, turned(expected?.estimate));
  close(actual?.low, turned(expected?.high));
  close(actual?.high, turned(expected?.low));
}

const SAME_COMPARISON = ['nPairs', 'verdict', 'morePairsNeeded', 'notes'] as const;
const SAME_ANSWER = ['nSites', 'nPairs', 'nFailed', 'verdict', 'verdicts'] as const;

for (const scenario of SCENARIOS) {
  test(`rates get the verdicts of their times, mirrored in nothing but their numbers: ${JSON.stringify(scenario)}`, () => {
    const [times, rates] = bothWays(scenario).map((made) => summaryOf(made)) as [Summary, Summary];
    assert.equal(rates.analysis.metric, 'drawnKbps');
    assert.ok(times.comparisons.length > 0);
    for (const [index, one] of rates.comparisons.entries()) {
      const other = times.comparisons[index];
      assert.ok(other);
      for (const field of SAME_COMPARISON) assert.deepEqual(one[field], other[field], field);
      mirrored(one.ratio, other.ratio);
      for (const field of ['p', 'pHolm', 'detectablePercent'] as const) {
        close(one[field], other[field]);
      }
      close(one.cliffsDelta, other.cliffsDelta === null ? null : -other.cliffsDelta);
      close(betterInPercent(one, { better: 'higher' }), other.lowerInPercent);
    }
    for (const [index, one] of rates.primary.entries()) {
      const other = times.primary[index];
      assert.ok(other);
      for (const field of SAME_ANSWER) assert.deepEqual(one[field], other[field], field);
      mirrored(one.ratio, other.ratio);
      close(one.level, other.level);
      assert.equal(one.decidedAfterPairs, other.decidedAfterPairs);
      for (const rule of [
        'lsquic-h3 slower than bun-h2 by 5%',
        'bun-h2 slower than lsquic-h3 by 10%',
        'lsquic-h3 faster than bun-h2 by 0%',
        'bun-h2 faster than lsquic-h3 by 12.5%',
      ].map(readFailRule)) {
        const statesOf = (summary: Summary, answer: typeof one) =>
          outcomeOf(rule, { ...summary, primary: [answer] }).results.map(({ state }) => state);
        assert.deepEqual(statesOf(rates, one), statesOf(times, other), rule.text);
      }
    }
    for (const [index, row] of rates.rows.entries()) {
      assert.deepEqual(row.loads, times.rows[index]?.loads);
    }
    assert.deepEqual(rates.warnings, times.warnings);
    for (const [index, { rows, ...sweep }] of rates.sweeps.entries()) {
      assert.deepEqual(sweep.networks, times.sweeps[index]?.networks);
      // Round trips add up in times alone.
      for (const { line } of rows) assert.equal(line, null);
    }
  });
}

test('a run ends at the same look, whichever way its metric is better', () => {
  for (const scenario of SCENARIOS) {
    const looks = [10, 40, 80, 200].map((order, index) => ({ order, fraction: (index + 1) / 4 }));
    const [times, rates] = bothWays(scenario).map(({ run, observations, invocations }) =>
      looks.map((_, index) =>
        decidedConditions(run, { invocations, observations, looks: looks.slice(0, index + 1) }),
      ),
    );
    assert.deepEqual(rates, times);
  }
});

test('the scenarios have all verdicts, and failures that leave no ratio', () => {
  const primary = SCENARIOS.flatMap((scenario) => summaryOf(bothWays(scenario)[1]).primary);
  const found = new Set(primary.map(({ verdict }) => verdict));
  assert.deepEqual([...found].toSorted(), ['faster', 'same', 'slower', 'undecided']);
  const byFailures = primary.filter(({ ratio }) => ratio === null).map(({ verdict }) => verdict);
  assert.ok(byFailures.includes('slower') && byFailures.includes('faster'), `${byFailures}`);
});

test('between two runs a rate whose ratio is higher did better, and a time worse', () => {
  const runs = [0.8, 1.3].map((ratio, seed) => bothWays({ seed, ratio, spread: 0.02 }));
  const sentenceOf = (which: 0 | 1) => {
    const [first, second] = runs.map((both) => measured(both[which]));
    assert.ok(first && second);
    const comparison = compareRuns([first, second]);
    const stack = comparison.conditions[0]?.arms[0];
    return stack ? runsText(stack, comparison) : '';
  };
  assert.match(
    sentenceOf(0),
    /comes off \d+ % worse.*First run: 20 % faster.*Second run: 30 % slower/,
  );
  assert.match(
    sentenceOf(1),
    /comes off \d+ % worse.*First run: 25 % faster.*Second run: 23 % slower/,
  );
});
