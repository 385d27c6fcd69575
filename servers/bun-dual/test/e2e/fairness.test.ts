import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transportDifferences } from '../../../../ground/records/like-for-like.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';

test('differs from its HTTP/2 in how lsquic sends, and in known facts only', () =>
  withRun(
    'benchmark --sites www.example.org --rtt 10 --repetitions 1 --warm-ups 1 --stacks bun-dual,bun-h2',
    async ({ out }) => {
      const { fairness } = await readRun(out);
      const pair = fairness.pairs.find(({ a, b }) => a === 'bun-dual' && b === 'bun-h2');
      assert.ok(pair);
      assert.deepEqual(transportDifferences(pair), {
        differing: ['window growth', 'back-off after a loss', 'pacing', 'response order'],
        unknown: [],
      });
    },
  ));
