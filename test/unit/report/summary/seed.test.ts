import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOf } from '../../../../report/summary/seed.ts';

test('depends only on the run, every name and where each begins', () => {
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
