import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { type CDPSession, CDPSessionEvent } from 'puppeteer-core';
import { slowProcessor } from '../../processor.ts';

/** A session that keeps the rates it is sent. */
function madeUpSession(isWorker = false) {
  const rates: number[] = [];
  const session = Object.assign(new EventEmitter(), {
    async send(method: string, { rate }: { rate: number }) {
      assert.equal(method, 'Emulation.setCPUThrottlingRate');
      if (isWorker) throw new Error('not supported');
      rates.push(rate);
    },
  });
  return { rates, session: session as unknown as CDPSession };
}

test('slows a tab with its frames and their frames, and restores all of them', async () => {
  const [tab, frame, inner, late, worker] = [
    madeUpSession(),
    madeUpSession(),
    madeUpSession(),
    madeUpSession(),
    madeUpSession(true),
  ];
  const restore = await slowProcessor(tab.session, 4);
  tab.session.emit(CDPSessionEvent.SessionAttached, frame.session);
  tab.session.emit(CDPSessionEvent.SessionAttached, worker.session);
  frame.session.emit(CDPSessionEvent.SessionAttached, inner.session);
  restore();
  frame.session.emit(CDPSessionEvent.SessionAttached, late.session);
  for (const { rates } of [tab, frame, inner]) assert.deepEqual(rates, [4, 1]);
  assert.deepEqual(late.rates, [1]);
});

test('sends nothing to a tab at full speed', async () => {
  const { rates, session } = madeUpSession();
  const restore = await slowProcessor(session, 1);
  session.emit(CDPSessionEvent.SessionAttached, madeUpSession().session);
  restore();
  assert.deepEqual(rates, []);
});
