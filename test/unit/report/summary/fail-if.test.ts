import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import type { Estimate } from '../../../../kit/text/estimate.ts';
import type { Verdict } from '../../../../kit/text/verdict.ts';
import { compareRuns } from '../../../../report/summary/compare-runs.ts';
import type { PrimaryAnswer } from '../../../../report/summary/comparison.ts';
import {
  assertRuleOfRuns,
  failRuleFor,
  outcomeOf,
  outcomeOfRuns,
} from '../../../../report/summary/fail-if.ts';
import {
  FailRuleError,
  outcomeLines,
  type RuleState,
  readFailRule,
  sentencesOf,
  stateOfAll,
  statusOf,
} from '../../../../report/summary/fail-rule.ts';
import type { RunsComparison } from '../../../../report/summary/runs-comparison.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { runsText } from '../../../../report/text/answers.ts';
import { approve } from '../../approve.ts';
import { fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';
import { measured, twoRuns } from '../two-runs.ts';

const RULE = readFailRule('lsquic-h3 slower than bun-h2 by 5%');

/** A run of page loads. */
const ABOUT = summarise(fixtureRun().run, []);

/**
 * A made-up answer of lsquic against Bun with such an interval; without one, failures decide or
 * there is nothing.
 */
function answer(
  ends: [low: number | null, high: number | null] | null,
  changes: Partial<PrimaryAnswer> = {},
): PrimaryAnswer {
  const ratio: Estimate | null = ends && { estimate: 1, low: ends[0], high: ends[1] };
  const verdict: Verdict = 'undecided';
  return {
    arm: 'lsquic-h3',
    baseline: 'bun-h2',
    network: 'none',
    variant: 'cold',
    nSites: 1,
    nPairs: 12,
    nFailed: { arm: 0, baseline: 0 },
    ratio,
    difference: null,
    verdict,
    excludedSites: [],
    ...changes,
  } as unknown as PrimaryAnswer;
}

/** Result of a rule for a single answer. */
function stateOf(text: string, one: PrimaryAnswer): RuleState {
  const outcome = outcomeOf(readFailRule(text), { ...ABOUT, primary: [one] });
  assert.equal(outcome.results.length, 1);
  return stateOfAll(outcome);
}

test('reads a rule as two stacks, a direction and a percentage', () => {
  assert.deepEqual(RULE, {
    arm: 'lsquic-h3',
    is: 'slower',
    than: 'bun-h2',
    byPercent: 5,
    text: 'lsquic-h3 slower than bun-h2 by 5%',
  });
  assert.equal(readFailRule(' a-h3  faster than  b by 12.5 % ').byPercent, 12.5);
});

test('reads a rule about two runs as one stack, a direction and a percentage', () => {
  assert.deepEqual(readFailRule('lsquic-h3  faster by 5%'), {
    arm: 'lsquic-h3',
    is: 'faster',
    than: null,
    byPercent: 5,
    text: 'lsquic-h3  faster by 5%',
  });
});

test('rejects anything else, with an example', () => {
  for (const text of [
    '',
    'lsquic-h3',
    'lsquic-h3 slower than bun-h2',
    'a slower than b by 5',
    'a slower b by 5%',
    'a better than b by 5%',
    'a slower than a by 5%',
    'a slower than b by -5%',
    'a slower than b by 1001%',
    'a slower than b by x%',
  ]) {
    assert.throws(
      () => readFailRule(text),
      (error) =>
        error instanceof FailRuleError && /lsquic-h3 slower than bun-h2 by 5%/.test(error.message),
      text,
    );
  }
});

test('accepts only stacks that the run compares with each other', () => {
  const arms = ['lsquic-h3', 'bun-h2', 'flask-h1'];
  const ruleFor = (names: readonly string[], baseline: string) =>
    failRuleFor({ arms: names.map((arm) => ({ arm })), analysis: { baseline } }, RULE.text);
  assert.deepEqual(ruleFor(arms, 'bun-h2'), RULE);
  assert.deepEqual(ruleFor(arms, 'lsquic-h3'), RULE);
  assert.throws(
    () =>
      failRuleFor(
        { arms: arms.map((arm) => ({ arm })), analysis: { baseline: 'bun-h2' } },
        'lsquic-h3 slower by 5%',
      ),
    /than which stack\? Expected two of one run, .* report --compare/,
  );
  assert.throws(() => ruleFor(['bun-h2'], 'bun-h2'), /lsquic-h3 is no stack/);
  assert.throws(() => ruleFor(arms, 'flask-h1'), /compared with flask-h1/);
  const twins = [
    { arm: 'bun-h2' },
    { arm: 'mine-h3', comparedWith: 'mine-h2' },
    { arm: 'mine-h2' },
  ];
  const ofTwins = (text: string) =>
    failRuleFor({ arms: twins, analysis: { baseline: 'bun-h2' } }, text);
  assert.ok(ofTwins('mine-h3 slower than mine-h2 by 5%'));
  assert.ok(ofTwins('bun-h2 faster than mine-h2 by 5%'));
  assert.throws(
    () => ofTwins('mine-h3 slower than bun-h2 by 5%'),
    /mine-h3 is compared with mine-h2, not mine-h3 with bun-h2\. .*--baseline bun-h2/,
  );
  const chosen = { arms: twins, analysis: { baseline: 'bun-h2' } };
  assert.ok(failRuleFor(chosen, 'mine-h3 slower than bun-h2 by 5%', 'bun-h2'));
});

test('is broken when the whole interval lies beyond its limit, and kept when the whole of it lies within', () => {
  assert.equal(stateOf(RULE.text, answer([1.06, 1.3])), 'broken');
  assert.equal(stateOf(RULE.text, answer([1.05, 1.3])), 'undecided', 'the limit itself is allowed');
  assert.equal(stateOf(RULE.text, answer([0.9, 1.3])), 'undecided');
  assert.equal(stateOf(RULE.text, answer([0.9, 1.05])), 'kept');
  assert.equal(stateOf(RULE.text, answer([0.5, 0.6])), 'kept');
});

test('ignores the verdict against 1: the limit is the rule’s own', () => {
  assert.equal(stateOf(RULE.text, answer([1.06, 1.3], { verdict: 'slower' })), 'broken');
  assert.equal(stateOf(RULE.text, answer([1.01, 1.04], { verdict: 'slower' })), 'kept');
  assert.equal(stateOf(RULE.text, answer([1.01, 1.3], { verdict: 'slower' })), 'undecided');
});

test('treats a missing limit as open: only the existing one can decide', () => {
  assert.equal(stateOf(RULE.text, answer([1.06, null])), 'broken');
  assert.equal(stateOf(RULE.text, answer([1.01, null])), 'undecided');
  assert.equal(stateOf(RULE.text, answer([null, 1.04])), 'kept');
  assert.equal(stateOf(RULE.text, answer([null, null])), 'undecided');
  const turned = 'bun-h2 faster than lsquic-h3 by 5%';
  assert.equal(stateOf(turned, answer([1.06, null])), 'broken');
  assert.equal(stateOf(turned, answer([null, 1.04])), 'kept');
});

test('accepts the opposite direction, and the stacks swapped, as the same question inverted', () => {
  const faster = answer([0.7, 0.8]);
  assert.equal(stateOf('lsquic-h3 faster than bun-h2 by 20%', faster), 'broken');
  assert.equal(stateOf('lsquic-h3 faster than bun-h2 by 30%', faster), 'undecided');
  assert.equal(stateOf('lsquic-h3 faster than bun-h2 by 50%', faster), 'kept');
  assert.equal(stateOf(RULE.text, faster), 'kept');
  // bun-h2 is slower by 1 / 0.8, 25 %, at least, and by 1 / 0.7, 43 %, at most.
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 20%', faster), 'broken');
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 26%', faster), 'undecided');
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 43%', faster), 'kept');
  assert.equal(stateOf('bun-h2 faster than lsquic-h3 by 1%', faster), 'kept');
});

test('ranks more failures slower than any limit if they leave no ratio', () => {
  const failing = answer(null, { verdict: 'slower' });
  assert.equal(stateOf('lsquic-h3 slower than bun-h2 by 1000%', failing), 'broken');
  assert.equal(stateOf('bun-h2 faster than lsquic-h3 by 1000%', failing), 'broken');
  assert.equal(stateOf('lsquic-h3 faster than bun-h2 by 5%', failing), 'kept');
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 5%', failing), 'kept');
  const opposite = answer(null, { verdict: 'faster' });
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 1000%', opposite), 'broken');
  assert.equal(stateOf(RULE.text, opposite), 'kept');
  assert.equal(stateOf(RULE.text, answer(null)), 'undecided');
});

test('decides each condition separately, without other pairs', (t) => {
  const other = answer([2, 3], { arm: 'flask-h1' });
  const [bad, good, open] = [answer([1.2, 1.3]), answer([0.9, 1]), answer([1, 1.1])];
  const outcome = outcomeOf(RULE, { ...ABOUT, primary: [good, other, bad, open] });
  assert.deepEqual(
    outcome.results.map(({ state, about }) => [state, about]),
    [
      ['kept', good],
      ['broken', bad],
      ['undecided', open],
    ],
  );
  approve(t, 'outcome', outcomeLines(outcome));
});

test('exits with 7 as soon as one condition breaks the rule, 8 when one is undecided, else 0', () => {
  const statusWith = (...ends: [low: number, high: number][]) =>
    statusOf(outcomeOf(RULE, { ...ABOUT, primary: ends.map((each) => answer(each)) }));
  assert.equal(statusWith([1, 1.1], [1.2, 1.3], [0.9, 1]), 7);
  assert.equal(statusWith([1, 1.1], [0.9, 1]), 8);
  assert.equal(statusWith([0.9, 1]), null);
});

test('is undecided for a run without counted loads', (t) => {
  const { run, observations } = fixtureRun(ONE_SITE);
  for (const load of observations) spoil(load, 'invalid', 'wrong-protocol', 'h2');
  for (const made of [observations, []]) {
    const outcome = outcomeOf(RULE, summarise(run, made));
    approve(t, 'no-load', sentencesOf(outcome, 'undecided'));
    assert.equal(statusOf(outcome), 8);
  }
  assert.equal(statusOf(outcomeOf(RULE, { ...ABOUT, primary: [] })), 8);
});

test('decides by the answer of a run, in either direction', () => {
  const summaryOf = (factor: number) => {
    return fixtureSummary({
      ...ONE_SITE,
      repetitions: 8,
      change: ({ order, arm, metrics }) => {
        metrics.pageLoadMs = 200 + Math.sin(order) + (arm === 'lsquic-h3' ? 200 * factor : 0);
      },
    });
  };
  assert.equal(statusOf(outcomeOf(RULE, summaryOf(0.2))), 7);
  assert.equal(statusOf(outcomeOf(RULE, summaryOf(0.02))), null);
  assert.equal(statusOf(outcomeOf(RULE, summaryOf(0.05))), 8);
});

test('is undecided by a page that neither stack loads, unless the rule is broken elsewhere', (t) => {
  for (const [factor, status] of [
    [0.02, 8],
    [0.2, 7],
  ] as const) {
    for (const outcome of ['failed', 'invalid'] as const) {
      const summary = fixtureSummary({
        subjects: ['a.example', 'gone.example'],
        networks: [NONE],
        repetitions: 8,
        change: (load) => {
          const { order, arm, metrics, subject } = load;
          metrics.pageLoadMs = 200 + Math.sin(order) + (arm === 'lsquic-h3' ? 200 * factor : 0);
          if (subject === 'gone.example') spoil(load, outcome, 'page-broken', 'gone');
        },
      });
      const result = outcomeOf(RULE, summary);
      assert.equal(statusOf(result), status, outcome);
      if (status === 7) continue;
      approve(
        t,
        outcome === 'failed' ? 'gone-failed' : 'gone-invalid',
        sentencesOf(result, 'undecided'),
      );
    }
  }
});

/**
 * Two made-up runs, with this factor between a stack's ratios to its baseline in the second and in
 * the first.
 */
function changed(...ends: ([low: number | null, high: number | null] | null)[]): RunsComparison {
  const conditions = ends.map((each) => ({
    network: NONE,
    variant: 'cold',
    arms: [
      {
        arm: 'lsquic-h3',
        label: 'lsquic (h3)',
        baseline: 'bun-h2',
        baselineLabel: 'Bun (h2)',
        nSites: 1,
        nPairs: 12,
        nFailed: { arm: 0, baseline: 0 },
        ratio: each && { estimate: 1, low: each[0], high: each[1] },
        verdict: 'undecided',
        ratios: [null, null],
        excludedSites: [[], []],
        subjects: [],
      },
      { arm: 'flask-h1', baseline: 'bun-h2', ratio: { estimate: 9, low: 9, high: 9 } },
    ],
  }));
  return {
    experiment: 'page-load',
    metric: 'pageLoadMs',
    marginPercent: 5,
    conditions,
  } as unknown as RunsComparison;
}

test('checks the change of the named stack between two runs, condition by condition', () => {
  const rule = readFailRule('lsquic-h3 slower by 5%');
  const statesOf = (...ends: Parameters<typeof changed>) =>
    outcomeOfRuns(rule, changed(...ends)).results.map(({ state }) => state);
  assert.deepEqual(statesOf([1.06, 1.3], [0.9, 1.05], [1, 1.2], [null, 1.04], [1.06, null], null), [
    'broken',
    'kept',
    'undecided',
    'kept',
    'broken',
    'undecided',
  ]);
  const outcome = outcomeOfRuns(rule, changed([1.06, 1.3], [1, 1.2]));
  assert.equal(statusOf(outcome), 7);
  assert.equal(sentencesOf(outcome, 'broken').length, 1);
  const faster = outcomeOfRuns(readFailRule('lsquic-h3 faster by 5%'), changed([0.8, 0.95]));
  assert.equal(statusOf(faster), 7);
});

test('names one stack in a rule about two runs, which both compare with another', () => {
  const assertRule = (text: string) =>
    assertRuleOfRuns(readFailRule(text), changed([1, 1], [1, 1]));
  assertRule('flask-h1 slower by 5%');
  for (const [text, reason] of [
    [RULE.text, /with --compare, a stack of the second run is held against itself in the first/],
    ['bun-h2 slower by 5%', /bun-h2 is the baseline, .*one of lsquic-h3, flask-h1/],
    ['nginx-h3 slower by 5%', /nginx-h3 is no stack that both runs compare with another/],
  ] as const) {
    assert.throws(
      () => assertRule(text),
      (error) => error instanceof FailRuleError && reason.test(error.message),
    );
  }
});

/**
 * The status of a rule about two made-up runs with these failures, and the result for the stack.
 */
function heldOfRuns(
  text: string,
  fails: (load: PageLoad, place: number) => boolean,
): { status: number | null; sentence: string; verdict: string } {
  const fixtures = twoRuns();
  for (const [place, { observations }] of fixtures.entries()) {
    for (const load of observations) {
      if (fails(load, place)) spoil(load, 'failed', 'timeout', 'none');
    }
  }
  const comparison = compareRuns([measured(fixtures[0]), measured(fixtures[1])]);
  const stack = comparison.conditions[0]?.arms.find(({ arm }) => arm === 'lsquic-h3');
  assert.ok(stack);
  const status = statusOf(outcomeOfRuns(readFailRule(text), comparison));
  return { status, sentence: runsText(stack, comparison), verdict: stack.verdict };
}

test('ranks a stack that fails in only one of two runs worse than any limit there', (t) => {
  const [slower, faster] = ['lsquic-h3 slower by 1000%', 'lsquic-h3 faster by 1000%'];
  const broke = ({ arm }: PageLoad, place: number) => arm === 'lsquic-h3' && place === 1;
  assert.equal(heldOfRuns(slower, broke).status, 7);
  assert.equal(heldOfRuns(faster, broke).status, null);
  assert.equal(heldOfRuns(slower, broke).verdict, 'slower');
  const healed = ({ arm }: PageLoad, place: number) => arm === 'lsquic-h3' && place === 0;
  assert.equal(heldOfRuns(slower, healed).status, null);
  assert.equal(heldOfRuns(faster, healed).status, 7);
  const baseline = ({ arm }: PageLoad, place: number) => arm === 'bun-h2' && place === 1;
  assert.equal(heldOfRuns(slower, baseline).status, null);
  approve(
    t,
    'fails-in-one',
    [broke, healed, baseline].map((fails) => heldOfRuns(slower, fails).sentence),
  );
});

test('is undecided if a stack fails in both runs, or so often in one that the second may be as bad', (t) => {
  const rule = 'lsquic-h3 slower by 5%';
  const both = heldOfRuns(rule, ({ arm }) => arm === 'lsquic-h3');
  assert.equal(both.status, 8);
  approve(t, 'fails-in-both', [both.sentence]);
  const often = heldOfRuns(
    rule,
    ({ arm, repetition }, place) => arm === 'lsquic-h3' && (place === 1 || repetition <= 2),
  );
  assert.equal(often.status, 8);
});

test('is undecided by a site without a ratio in one of two runs, unless the rule is broken elsewhere', (t) => {
  const gone = ({ subject }: PageLoad, place: number) => subject === 'c.example' && place === 1;
  assert.equal(heldOfRuns('lsquic-h3 slower by 5%', gone).status, 7);
  const { status, sentence } = heldOfRuns('lsquic-h3 slower by 80%', gone);
  assert.equal(status, 8);
  approve(t, 'site-gone', [sentence]);
  assert.equal(heldOfRuns('lsquic-h3 slower by 80%', () => false).status, null);
});
