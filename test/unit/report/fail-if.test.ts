import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PooledComparison } from '../../../report/analysis/comparison.ts';
import {
  assertComparable,
  brokenBy,
  FailRuleError,
  readFailRule,
} from '../../../report/fail-if.ts';

const RULE = readFailRule('lsquic-h3 slower than bun-h2 by 5%');

/** A made-up comparison over all sites. */
function pooled(
  [low, high]: [number, number] | [null, null],
  changes: Partial<PooledComparison> = {},
): PooledComparison {
  const ratio = low === null ? null : { estimate: Math.sqrt(low * high), low, high };
  const verdict = low === null ? 'cannot tell' : low > 1 ? 'slower' : 'faster';
  return {
    ...{ stack: 'lsquic-h3', baseline: 'bun-h2', ratio, verdict },
    sentence: `ratio ${low} to ${high}`,
    ...changes,
  } as unknown as PooledComparison;
}

const broken = (text: string, ...comparisons: PooledComparison[]) =>
  brokenBy(readFailRule(text), { pooled: comparisons });

test('a rule is two stacks, a direction and a percentage', () => {
  assert.deepEqual(RULE, {
    ...{ stack: 'lsquic-h3', is: 'slower', than: 'bun-h2', byPercent: 5 },
    text: 'lsquic-h3 slower than bun-h2 by 5%',
  });
  assert.equal(readFailRule(' a-h3  faster than  b by 12.5 % ').byPercent, 12.5);
});

test('anything else is no rule, and the message shows one', () => {
  for (const text of [
    ...['', 'lsquic-h3', 'lsquic-h3 slower than bun-h2', 'a slower than b by 5'],
    ...['a slower b by 5%', 'a better than b by 5%', 'a slower than a by 5%'],
    ...['a slower than b by -5%', 'a slower than b by 1001%', 'a slower than b by x%'],
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
  const stacks = ['lsquic-h3', 'bun-h2', 'flask-h1'];
  assertComparable(RULE, stacks, 'bun-h2');
  assertComparable(RULE, stacks, 'lsquic-h3');
  assert.throws(() => assertComparable(RULE, ['bun-h2'], 'bun-h2'), /lsquic-h3 is no stack/);
  assert.throws(() => assertComparable(RULE, stacks, 'flask-h1'), /compared with flask-h1/);
});

test('it speaks when the whole interval lies beyond its limit', () => {
  assert.deepEqual(broken(RULE.text, pooled([1.06, 1.3])), ['ratio 1.06 to 1.3']);
});

test('what could be noise never counts: an interval that holds the limit, or a verdict that is none', () => {
  assert.deepEqual(broken(RULE.text, pooled([1.04, 1.3])), []);
  assert.deepEqual(broken(RULE.text, pooled([1.2, 1.3], { verdict: 'cannot tell' })), []);
  assert.deepEqual(broken(RULE.text, pooled([1.2, 1.3], { verdict: 'same' })), []);
  assert.deepEqual(broken(RULE.text, pooled([null, null])), []);
  assert.deepEqual(broken(RULE.text), []);
});

test('the other direction, and the other stack as baseline, are the same question turned round', () => {
  const faster = pooled([0.7, 0.8]);
  assert.equal(broken('lsquic-h3 faster than bun-h2 by 20%', faster).length, 1);
  assert.equal(broken('lsquic-h3 faster than bun-h2 by 30%', faster).length, 0);
  assert.equal(broken(RULE.text, faster).length, 0);
  // bun-h2 is slower by 1 / 0.8, 25 %, at least.
  assert.equal(broken('bun-h2 slower than lsquic-h3 by 20%', faster).length, 1);
  assert.equal(broken('bun-h2 slower than lsquic-h3 by 26%', faster).length, 0);
});

test('each condition speaks for itself, other pairs have no say', () => {
  const other = pooled([2, 3], { stack: 'flask-h1' });
  const [bad, good] = [pooled([1.2, 1.3]), pooled([0.9, 1.1])];
  assert.deepEqual(broken(RULE.text, good, other, bad), [bad.sentence]);
});
