import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLimitsSaid } from '../../../../../test/unit/cache/exporters/hard-site.ts';
import { withoutPlaceholders } from '../../exporter.ts';

test('has no Caddy placeholder in recorded values', () => {
  assert.equal(withoutPlaceholders('{http.request.host}'), '\\{http.request.host\\}');
  assert.equal(withoutPlaceholders('a } \\ b'), 'a } \\ b');
  assert.equal(withoutPlaceholders('{'), '\\{');
});

test("states in an export's README and output what the server cannot do, and omits only that", (t) =>
  assertLimitsSaid(t, 'caddy', /Conditional requests/));
