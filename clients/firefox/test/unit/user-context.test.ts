import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidiSession } from '../../bidi.ts';
import { openTab } from '../../user-context.ts';

/** A session whose first tabs fail, and the number of opened tabs. */
function sessionFailing(times: number, message: string) {
  let opened = 0;
  const send = async (method: string) => {
    if (method === 'browsingContext.create') return { context: `tab ${++opened}` };
    if (opened <= times) throw new Error(message);
    return {};
  };
  return { session: { send } as unknown as BidiSession, opened: () => opened };
}

test('opens a tab again whose context Firefox has replaced, but not without end', async () => {
  const replaced = 'no such frame: it does no longer exist';
  const once = sessionFailing(1, replaced);
  assert.deepEqual(await openTab(once.session, 'own'), { context: 'tab 2' });
  const ever = sessionFailing(100, replaced);
  await assert.rejects(openTab(ever.session, 'own'), /no such frame/);
  assert.equal(ever.opened(), 3);
});

test('does not repeat another failure', async () => {
  const { session, opened } = sessionFailing(1, 'unknown error');
  await assert.rejects(openTab(session, 'own'), /unknown error/);
  assert.equal(opened(), 1);
});
