import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidiEvent } from '../../bidi.ts';
import { startRecording } from '../../recording.ts';

/** A recording of the tab `tab`, and a function that sends it an event. */
function recordingOf() {
  const listeners = new Set<(event: BidiEvent) => void>();
  const listen = (listener: (event: BidiEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const recording = startRecording({ session: { listen }, context: 'tab' });
  const send = (method: string, params: object) => {
    for (const listener of listeners) listener({ method, params: { context: 'tab', ...params } });
  };
  return { recording, send, listeners };
}

test('records the tab with its frames, and no other tab', () => {
  const { recording, send } = recordingOf();
  send('browsingContext.contextCreated', { context: 'frame', parent: 'tab' });
  send('browsingContext.contextCreated', { context: 'inner', parent: 'frame' });
  send('browsingContext.contextCreated', { context: 'other', parent: null });
  for (const context of ['inner', 'other', 'tab']) {
    send('network.responseCompleted', { context, request: { request: context } });
  }
  const requests = recording.events.filter(({ method }) => method.startsWith('network.'));
  assert.deepEqual(
    requests.map(({ params }) => (params as { context: string }).context),
    ['inner', 'tab'],
  );
});

test('keeps a limited number of the events that a HAR needs', () => {
  const { recording, send } = recordingOf();
  send('browsingContext.contextCreated', { context: 'frame', parent: 'tab' });
  send('browsingContext.load', { context: 'frame' });
  send('browsingContext.historyUpdated', {});
  send('browsingContext.navigationStarted', {});
  assert.equal(recording.events.length, 1);
  for (let sent = 0; sent < 10_010; sent += 1) send('network.responseCompleted', {});
  assert.equal(recording.events.length, 10_000);
});

test('forgets frames that are gone', () => {
  const { recording, send } = recordingOf();
  send('browsingContext.contextCreated', { context: 'frame', parent: 'tab' });
  send('browsingContext.contextDestroyed', { context: 'frame' });
  send('network.responseCompleted', { context: 'frame' });
  assert.deepEqual(recording.events, []);
});

test('responses without a context belong to the page from its navigation on', () => {
  const { recording, send } = recordingOf();
  send('network.responseCompleted', { context: null, request: { request: 'earlier' } });
  recording.nextEnd();
  send('network.responseCompleted', { context: null, request: { request: 'own' } });
  assert.equal(recording.events.length, 1);
});

test('a load ends with its load event, but not with that of a page of Firefox or of a frame', async () => {
  const { recording, send } = recordingOf();
  const ended = recording.nextEnd();
  send('browsingContext.contextCreated', { context: 'frame', parent: 'tab' });
  send('browsingContext.load', { url: 'about:blank' });
  send('browsingContext.load', { context: 'frame', url: 'https://a.test/frame' });
  assert.equal(recording.loadedMs(), null);
  send('browsingContext.load', { url: 'https://a.test/' });
  assert.equal(await ended, null);
  assert.notEqual(recording.loadedMs(), null);
});

test('a load goes on when a script of the page navigates away', async () => {
  const { recording, send } = recordingOf();
  const ended = recording.nextEnd();
  send('browsingContext.navigationFailed', { url: 'https://a.test/' });
  send('browsingContext.navigationStarted', { url: 'https://a.test/next' });
  send('browsingContext.load', { url: 'https://a.test/next' });
  assert.equal(await ended, null);
});

for (const [what, code, method, params] of [
  ['fails', 'navigation-failed', 'navigationFailed', { url: 'https://a.test/', message: 'reset' }],
  ['crashes', 'page-crashed', 'navigationCommitted', { url: 'about:tabcrashed?e=tabcrashed' }],
] as const) {
  test(`a page that ${what} ends its load`, async () => {
    const { recording, send } = recordingOf();
    const ended = recording.nextEnd();
    send(`browsingContext.${method}`, params);
    assert.equal((await ended)?.code, code);
  });
}

test('counts dialogs, and stops when the tab is closed', () => {
  const { recording, send, listeners } = recordingOf();
  send('browsingContext.userPromptOpened', {});
  assert.equal(recording.dialogs(), 1);
  send('browsingContext.contextDestroyed', {});
  assert.equal(listeners.size, 0);
});
