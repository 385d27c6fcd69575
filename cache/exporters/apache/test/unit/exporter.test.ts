import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLimitsSaid, longUrl } from '../../../../../test/unit/cache/exporters/hard-site.ts';
import { patternOf } from '../../exporter.ts';

test('a pattern of Apache matches its URL alone, and holds nothing that the configuration looks up', () => {
  for (const url of [`GET:a.test/x?y=\${z}%{HOST}&a.b*c`, 'GET:a.test/a|b(c)[d]^$']) {
    const pattern = patternOf(url);
    assert.match(url, new RegExp(pattern));
    assert.doesNotMatch(url.replace('.', 'x'), new RegExp(pattern));
    assert.doesNotMatch(pattern, /[$%]\{/);
  }
});

test('an export says in its README and aloud what the server cannot do, and leaves only that out', (t) =>
  assertLimitsSaid(t, 'apache', longUrl('Apache'), /GET .*\/long: header omitted.*: x-long/));
