import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLimitsSaid } from '../../../../../test/unit/cache/exporters/hard-site.ts';
import { withoutPlaceholders } from '../../exporter.ts';

test('Caddy finds no placeholder in what was recorded', () => {
  assert.equal(withoutPlaceholders('{http.request.host}'), '\\{http.request.host\\}');
  assert.equal(withoutPlaceholders('a } \\ b'), 'a } \\ b');
  assert.equal(withoutPlaceholders('{'), '\\{');
});

test('an export says in its README and aloud what the server cannot do, and leaves only that out', (t) =>
  assertLimitsSaid(t, 'caddy', /Conditional requests/));
