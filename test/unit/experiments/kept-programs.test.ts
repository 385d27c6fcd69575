import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPrograms } from '../../../experiments/kept-programs.ts';

function programs() {
  const closed: number[] = [];
  let started = 0;
  const kept = new KeptPrograms<{ id: number; close(): Promise<void> }>();
  const start = () => {
    const id = ++started;
    return { id, close: async () => void closed.push(id) };
  };
  return { kept, start, closed };
}

test('starts a program once, and again when it was forgotten', async () => {
  const { kept, start, closed } = programs();
  const [first, same] = await Promise.all([kept.of('a', start), kept.of('a', start)]);
  assert.deepEqual([first.id, same.id, kept.running.length], [1, 1, 1]);
  await kept.forget('a');
  assert.deepEqual([closed, kept.running], [[1], []]);
  assert.equal((await kept.of('a', start)).id, 2);
  await kept.of('b', start);
  await kept.close();
  assert.deepEqual(closed, [1, 2, 3]);
});

test('forgets a program that cannot be started without an error', async () => {
  const { kept, start } = programs();
  const failing = () => Promise.reject(new Error('no such program'));
  await assert.rejects(kept.of('a', failing), /no such program/);
  await kept.forget('a');
  assert.equal((await kept.of('a', start)).id, 1);
});
