import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { InterruptedError } from '../../../ground/system/errors.ts';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { lendSignals, stopNowOnSignals, stopOnSignals } from '../../../runner/stop.ts';

/** Emits a signal to this process's listeners, and records the exit status it would have had. */
function signals(t: TestContext) {
  const ended: unknown[] = [];
  t.mock.method(process, 'exit', (status: unknown) => ended.push(status));
  t.after(() => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  });
  return { ended, send: (name: NodeJS.Signals) => process.emit(name, name) };
}

test('ends the current load normally on the first signal, aborts it on the second, and exits on the third', (t) => {
  const { ended, send } = signals(t);
  const said: string[] = [];
  const { soon, now } = stopOnSignals((text) => said.push(text.trim()));
  send('SIGTERM');
  assert.deepEqual([soon.aborted, now.aborted], [true, false]);
  assert.throws(() => soon.throwIfAborted(), InterruptedError);
  send('SIGINT');
  assert.deepEqual([soon.aborted, now.aborted], [true, true]);
  assert.deepEqual(said, [
    'Interrupted (SIGTERM): finishing the attempt in progress. Once more stops at once.',
    'Stopping at once.',
  ]);
  assert.deepEqual(ended, []);
  send('SIGHUP');
  assert.deepEqual(ended, [EXIT.interrupted]);
});

test('stops at once on the first signal if nothing is worth finishing, and exits on the second', (t) => {
  const { ended, send } = signals(t);
  const now = stopNowOnSignals();
  send('SIGINT');
  assert.ok(now.aborted);
  assert.deepEqual(ended, []);
  send('SIGINT');
  assert.deepEqual(ended, [EXIT.interrupted]);
});

test('lets a borrower handle signals until it has ended, and stops at once after that', async (t) => {
  const { ended, send } = signals(t);
  const { now, lend } = lendSignals();
  const taken: string[] = [];
  const status = await lend(
    (name) => taken.push(name),
    async () => {
      for (const name of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) send(name);
      return 7;
    },
  );
  assert.deepEqual([status, taken], [7, ['SIGINT', 'SIGINT', 'SIGTERM']]);
  assert.deepEqual([now.aborted, ended], [false, []]);
  send('SIGINT');
  assert.ok(now.aborted);
  send('SIGINT');
  assert.deepEqual(ended, [EXIT.interrupted]);
});
