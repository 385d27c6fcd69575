import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrimaryAnswer } from '../../../../report/summary/comparison.ts';
import {
  FailRuleError,
  failRuleFor,
  outcomeLines,
  outcomeOf,
  readFailRule,
  statusOf,
} from '../../../../report/summary/fail-if.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import type { Estimate } from '../../../../report/text/estimate.ts';
import type { Verdict } from '../../../../report/text/verdict.ts';
import { fixtureRun, NONE, spoil } from '../fixture-run.ts';

const RULE = readFailRule('lsquic-h3 slower than bun-h2 by 5%');

/** A run of page loads. */
const ABOUT = summarise(fixtureRun().run, []);

/** A made-up answer of lsquic against Bun with such an interval; without any, failures decide or there is nothing. */
function answer(
  ends: [low: number | null, high: number | null] | null,
  changes: Partial<PrimaryAnswer> = {},
): PrimaryAnswer {
  const ratio: Estimate | null = ends && { estimate: 1, low: ends[0], high: ends[1] };
  const verdict: Verdict = 'cannot tell';
  return {
    arm: 'lsquic-h3',
    baseline: 'bun-h2',
    ratio,
    verdict,
    sentence: `ratio ${ends?.join(' to ')}`,
    ...changes,
  } as unknown as PrimaryAnswer;
}

/** What a rule says of a single answer. */
function stateOf(text: string, one: PrimaryAnswer): 'kept' | 'broken' | 'undecided' {
  const { broken, undecided } = outcomeOf(readFailRule(text), { ...ABOUT, primary: [one] });
  assert.ok(broken.length + undecided.length <= 1);
  return broken.length > 0 ? 'broken' : undecided.length > 0 ? 'undecided' : 'kept';
}

test('a rule is two stacks, a direction and a percentage', () => {
  assert.deepEqual(RULE, {
    arm: 'lsquic-h3',
    is: 'slower',
    than: 'bun-h2',
    byPercent: 5,
    text: 'lsquic-h3 slower than bun-h2 by 5%',
  });
  assert.equal(readFailRule(' a-h3  faster than  b by 12.5 % ').byPercent, 12.5);
});

test('anything else is no rule, and the message shows one', () => {
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

test('a rule is asked only of stacks that the run compares with each other', () => {
  const arms = ['lsquic-h3', 'bun-h2', 'flask-h1'];
  const ruleFor = (names: readonly string[], baseline: string) =>
    failRuleFor({ arms: names.map((arm) => ({ arm })), analysis: { baseline } }, RULE.text);
  assert.deepEqual(ruleFor(arms, 'bun-h2'), RULE);
  assert.deepEqual(ruleFor(arms, 'lsquic-h3'), RULE);
  assert.throws(() => ruleFor(['bun-h2'], 'bun-h2'), /lsquic-h3 is no stack/);
  assert.throws(() => ruleFor(arms, 'flask-h1'), /compared with flask-h1/);
  const twins = [{ arm: 'bun-h2' }, { arm: 'quic-go-h3', comparedWith: 'go-h2' }, { arm: 'go-h2' }];
  const ofTwins = (text: string) =>
    failRuleFor({ arms: twins, analysis: { baseline: 'bun-h2' } }, text);
  assert.ok(ofTwins('quic-go-h3 slower than go-h2 by 5%'));
  assert.ok(ofTwins('bun-h2 faster than go-h2 by 5%'));
  assert.throws(
    () => ofTwins('quic-go-h3 slower than bun-h2 by 5%'),
    /quic-go-h3 is compared with go-h2, so that nothing is said of quic-go-h3 and bun-h2\. .*--baseline bun-h2/,
  );
});

test('a rule is broken when the whole interval lies beyond its limit, and kept when the whole of it does not', () => {
  assert.equal(stateOf(RULE.text, answer([1.06, 1.3])), 'broken');
  assert.equal(stateOf(RULE.text, answer([1.05, 1.3])), 'undecided', 'the limit itself is allowed');
  assert.equal(stateOf(RULE.text, answer([0.9, 1.3])), 'undecided');
  assert.equal(stateOf(RULE.text, answer([0.9, 1.05])), 'kept');
  assert.equal(stateOf(RULE.text, answer([0.5, 0.6])), 'kept');
});

test('what the verdict against 1 is, does not matter: the limit is the rule’s own', () => {
  assert.equal(stateOf(RULE.text, answer([1.06, 1.3], { verdict: 'slower' })), 'broken');
  assert.equal(stateOf(RULE.text, answer([1.01, 1.04], { verdict: 'slower' })), 'kept');
  assert.equal(stateOf(RULE.text, answer([1.01, 1.3], { verdict: 'slower' })), 'undecided');
});

test('a side without a limit is open: only the other one can decide', () => {
  assert.equal(stateOf(RULE.text, answer([1.06, null])), 'broken');
  assert.equal(stateOf(RULE.text, answer([1.01, null])), 'undecided');
  assert.equal(stateOf(RULE.text, answer([null, 1.04])), 'kept');
  assert.equal(stateOf(RULE.text, answer([null, null])), 'undecided');
  const turned = 'bun-h2 faster than lsquic-h3 by 5%';
  assert.equal(stateOf(turned, answer([1.06, null])), 'broken');
  assert.equal(stateOf(turned, answer([null, 1.04])), 'kept');
});

test('the other direction, and the other stack as baseline, are the same question turned round', () => {
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

test('where failures leave no ratio, failing more often is slower than any limit', () => {
  const failing = answer(null, { verdict: 'slower' });
  assert.equal(stateOf('lsquic-h3 slower than bun-h2 by 1000%', failing), 'broken');
  assert.equal(stateOf('bun-h2 faster than lsquic-h3 by 1000%', failing), 'broken');
  assert.equal(stateOf('lsquic-h3 faster than bun-h2 by 5%', failing), 'kept');
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 5%', failing), 'kept');
  const spared = answer(null, { verdict: 'faster' });
  assert.equal(stateOf('bun-h2 slower than lsquic-h3 by 1000%', spared), 'broken');
  assert.equal(stateOf(RULE.text, spared), 'kept');
  assert.equal(stateOf(RULE.text, answer(null)), 'undecided');
});

test('each condition speaks for itself, other pairs have no say', () => {
  const other = answer([2, 3], { arm: 'flask-h1' });
  const [bad, good, open] = [answer([1.2, 1.3]), answer([0.9, 1]), answer([1, 1.1])];
  const outcome = outcomeOf(RULE, { ...ABOUT, primary: [good, other, bad, open] });
  assert.deepEqual(outcome, { broken: [bad.sentence], undecided: [open.sentence] });
  assert.deepEqual(outcomeLines(RULE, outcome), [
    `--fail-if "${RULE.text}" is so: ratio 1.2 to 1.3`,
    `--fail-if "${RULE.text}" could not be decided: ratio 1 to 1.1`,
  ]);
});

test('the status is 7 as soon as one condition breaks the rule, 8 when one is undecided, else none', () => {
  assert.equal(statusOf({ broken: ['a'], undecided: ['b'] }), 7);
  assert.equal(statusOf({ broken: [], undecided: ['b'] }), 8);
  assert.equal(statusOf({ broken: [], undecided: [] }), null);
});

test('a run of which no load counts leaves the rule undecided', () => {
  const { run, observations } = fixtureRun({ subjects: ['a.example'], networks: [NONE] });
  for (const load of observations) spoil(load, 'invalid', 'wrong-protocol', 'h2');
  for (const made of [observations, []]) {
    const outcome = outcomeOf(RULE, summarise(run, made));
    assert.match(outcome.undecided.join(), /nothing can be said of lsquic \(h3\) and Bun \(h2\)/);
    assert.equal(statusOf(outcome), 8);
  }
  assert.equal(statusOf(outcomeOf(RULE, { ...ABOUT, primary: [] })), 8);
});

test('a run decides a rule by its answer, in either direction', () => {
  const summaryOf = (factor: number) => {
    const { run, observations } = fixtureRun({
      subjects: ['a.example'],
      networks: [NONE],
      repetitions: 8,
      change: ({ order, arm, metrics }) => {
        metrics.pageLoadMs = 200 + Math.sin(order) + (arm === 'lsquic-h3' ? 200 * factor : 0);
      },
    });
    return summarise(run, observations);
  };
  assert.equal(statusOf(outcomeOf(RULE, summaryOf(0.2))), 7);
  assert.equal(statusOf(outcomeOf(RULE, summaryOf(0.02))), null);
  assert.equal(statusOf(outcomeOf(RULE, summaryOf(0.05))), 8);
});
