import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDeadline } from '../../../../ground/system/deadline.ts';

const NEVER = new Promise<string>(() => {});
const late = () => 'late';

test('returns a result or an error in time', async () => {
  assert.equal(await withDeadline(Promise.resolve('in time'), 1000, late), 'in time');
  await assert.rejects(withDeadline(Promise.reject(new Error('broken')), 1000, late), /broken/);
});

test('replaces a late result, or throws', async () => {
  assert.equal(await withDeadline(NEVER, 5, late), 'late');
  const failing = () => {
    throw new Error('too late');
  };
  await assert.rejects(withDeadline(NEVER, 5, failing), /too late/);
});

test('ignores an error after the deadline', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  assert.equal(await withDeadline(promise, 5, late), 'late');
  reject(new Error('unheard'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('stops waiting on a signal with its reason, before the deadline and without any', async () => {
  const controller = new AbortController();
  const waiting = withDeadline(NEVER, Number.POSITIVE_INFINITY, late, controller.signal);
  controller.abort(new Error('interrupted'));
  await assert.rejects(waiting, /interrupted/);
  await assert.rejects(withDeadline(NEVER, 1000, late, controller.signal), /interrupted/);
});
