import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLimitsSaid, longUrl } from '../../../../../test/unit/cache/exporters/hard-site.ts';
import { patternOf } from '../../exporter.ts';

test('has Apache patterns that match their URL alone, without configuration look-ups', () => {
  for (const url of [`GET:a.test/x?y=\${z}%{HOST}&a.b*c`, 'GET:a.test/a|b(c)[d]^$']) {
    const pattern = patternOf(url);
    assert.match(url, new RegExp(pattern));
    assert.doesNotMatch(url.replace('.', 'x'), new RegExp(pattern));
    assert.doesNotMatch(pattern, /[$%]\{/);
  }
});

test("states in an export's README and output what the server cannot do, and omits only that", (t) =>
  assertLimitsSaid(t, 'apache', longUrl('Apache'), /GET .*\/long: header omitted.*: x-long/));
