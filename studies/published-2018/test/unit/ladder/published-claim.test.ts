import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedClaim } from '../../../ladder/published-claim.ts';

test('takes the geometric mean of the published ratios of the same sites', () => {
  const { sameSites } = publishedClaim(30, ['www.iana.org', 'www.example.org', 'not.published']);
  // The report's averages with 30 ms: 38.3 and 181.6 ms, 37.9 and 80.4 ms.
  const expected = Math.sqrt((38.3 / 181.6) * (37.9 / 80.4));
  assert.equal(sameSites?.nSites, 2);
  assert.ok(Math.abs((sameSites?.geometricMean ?? 0) - expected) < 1e-12);
});

test('has the median of the report’s own table over all published sites with delay', () => {
  const { allSites } = publishedClaim(30, []);
  // Of 19 ratios the tenth: baidu's 37.2 / 82.8 lies below it and nbcnews's 110.2 / 231.3 is it.
  assert.equal(allSites?.nSites, 19);
  assert.ok(Math.abs((allSites?.median ?? 0) - 110.2 / 231.3) < 1e-12);
});

test('has no published numbers for other delays, or without a run', () => {
  for (const rttMs of [50, null]) {
    const { allSites, sameSites, muchFaster } = publishedClaim(rttMs, ['www.iana.org']);
    assert.equal(allSites, null);
    assert.equal(sameSites, null);
    assert.equal(muchFaster.length, 2);
  }
});
