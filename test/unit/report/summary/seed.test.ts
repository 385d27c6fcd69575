import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOf } from '../../../../report/summary/seed.ts';

test('a seed depends on the run and on every name and on where each begins, and on nothing else', () => {
  const seeds = [
    seedOf(7, 'ratio', 'a.example'),
    seedOf(8, 'ratio', 'a.example'),
    seedOf(7, 'ratio', 'b.example'),
    seedOf(7, 'ratioa', '.example'),
    seedOf(7, 'a.example', 'ratio'),
  ];
  assert.equal(new Set(seeds).size, seeds.length);
  assert.equal(seedOf(7, 'ratio', 'a.example'), seeds[0]);
  for (const seed of seeds) assert.ok(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 32);
});
