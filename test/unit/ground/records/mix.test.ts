import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mixProblem } from '../../../../ground/records/mix.ts';

const TIME = { unit: 'ms', phrase: 'page load time' } as const;
const problemOf = (mix: Record<string, number>) =>
  mixProblem(mix, [{ name: 'lte' }, { name: 'dsl' }], TIME);

test('shares of the networks that sum to 100 are a mix; half a percent may be missing by rounding', () => {
  assert.equal(problemOf({ lte: 90, dsl: 10 }), null);
  assert.equal(problemOf({ lte: 66.6, dsl: 33.3 }), null);
  assert.equal(problemOf({ dsl: 50, lte: 50.5 }), null);
});

test('a problem names the sum, or the networks', () => {
  assert.match(problemOf({ lte: 90, dsl: 9 }) ?? '', /sum to 99 %, expected 100 %/);
  assert.match(problemOf({ lte: 60, dsl: 40.6 }) ?? '', /sum to 100\.6 %/);
  assert.match(problemOf({ lte: 100 }) ?? '', /lacks dsl/);
  assert.match(problemOf({ lte: 60, dsl: 30, toString: 10 }) ?? '', /has toString/);
});

test('a metric that is no time has no mix', () => {
  const problem = mixProblem({ lte: 100 }, [{ name: 'lte' }], { unit: 'kbps', phrase: 'goodput' });
  assert.match(problem ?? '', /needs a metric in ms, and the metric is goodput/);
});
