import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptOf, idOfAttempt, plannedIdOf } from '../../../../ground/records/attempt.ts';

test("gives the first attempt at a load the plan's id, and numbers further ones", () => {
  const planned = 'www.example.org.30ms.lsquic-h3.4';
  for (const attempt of [1, 2, 12]) {
    const id = idOfAttempt(planned, attempt);
    assert.equal(attemptOf(id), attempt);
    assert.equal(plannedIdOf({ id }), planned);
  }
  assert.equal(idOfAttempt(planned, 1), planned);
  assert.equal(idOfAttempt(planned, 2), `${planned}~2`);
});

test('does not count a repeated warm-up as a further attempt', () => {
  const id = 'a.none.bun-h2.warm-up@2026-11-20T09-00-00-000Z-bench-77.1';
  assert.equal(attemptOf(id), 1);
  assert.equal(plannedIdOf({ id }), id);
});
