import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitConcurrency } from '../../limit-concurrency.ts';

test('runs no more than the limit at the same time, and the rest in order', async () => {
  const inTurn = limitConcurrency(3);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = Array.from({ length: 8 }, (_, index) =>
    inTurn(async () => {
      begun.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      return index;
    }),
  );
  for (let done = 0; done < tasks.length; done++) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(begun.length, Math.min(tasks.length, done + 3));
    ends[done]?.();
  }
  assert.deepEqual(await Promise.all(tasks), begun);
});

test('makes room for the next after a failure', async () => {
  const inTurn = limitConcurrency(1);
  const failing = inTurn(() => Promise.reject(new Error('unreadable')));
  const next = inTurn(async () => 'read');
  await assert.rejects(failing, /unreadable/);
  assert.equal(await next, 'read');
  assert.equal(await inTurn(async () => 'read again'), 'read again');
});
