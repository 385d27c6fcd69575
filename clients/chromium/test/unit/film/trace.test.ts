import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { CDPSession } from 'puppeteer-core';
import { startTrace } from '../../../film/trace.ts';

/** A session of a page whose trace comes in these chunks; `sent` has its commands. */
function sessionOf(chunks: readonly string[], dataLossOccurred = false) {
  const sent: string[] = [];
  const left = [...chunks];
  const session = Object.assign(new EventEmitter(), {
    async send(method: string) {
      sent.push(method);
      if (method === 'Tracing.end') {
        setImmediate(() =>
          session.emit('Tracing.tracingComplete', { stream: 's', dataLossOccurred }),
        );
      }
      return method === 'IO.read' ? { data: left.shift() ?? '', eof: left.length === 0 } : {};
    },
  });
  return { page: session as unknown as CDPSession, sent };
}

test('returns the whole trace, and closes its stream', async () => {
  const { page, sent } = sessionOf(['{"a":', '1}']);
  assert.equal(await (await startTrace(page)).end(), '{"a":1}');
  assert.deepEqual(sent, ['Tracing.start', 'Tracing.end', 'IO.read', 'IO.read', 'IO.close']);
});

test('rejects a trace that is too large without reading the rest, and closes its stream', async () => {
  const { page, sent } = sessionOf(['12345', '67890', 'never read']);
  await assert.rejects((await startTrace(page, 9)).end(), /the trace has more than 9 bytes/);
  assert.deepEqual(sent.slice(2), ['IO.read', 'IO.read', 'IO.close']);
});

test('rejects a trace of which Chromium has lost a part', async () => {
  const { page } = sessionOf(['{}'], true);
  await assert.rejects((await startTrace(page)).end(), /lost a part/);
});
