import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { InterruptedError } from '../../../ground/system/errors.ts';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { lendSignals, stopNowOnSignals, stopOnSignals } from '../../../runner/stop.ts';

/** Sends this process a signal as far as its listeners go, and notes with which status it would have ended. */
function signals(t: TestContext) {
  const ended: unknown[] = [];
  t.mock.method(process, 'exit', (status: unknown) => ended.push(status));
  t.after(() => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  });
  return { ended, send: (name: NodeJS.Signals) => process.emit(name, name) };
}

test('the first signal lets the load at work end, the second breaks it off, whichever they are, and the third ends all', (t) => {
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

test('where nothing is worth finishing the first signal stops at once, and the second ends all', (t) => {
  const { ended, send } = signals(t);
  const now = stopNowOnSignals();
  send('SIGINT');
  assert.ok(now.aborted);
  assert.deepEqual(ended, []);
  send('SIGINT');
  assert.deepEqual(ended, [EXIT.interrupted]);
});

test("signals that are lent are the taker's until it has ended, and stop at once after that", async (t) => {
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
