import { test } from 'node:test';
import { eventLog } from '../../../../ground/records/event-log.ts';
import { assertEach } from '../../assert-each.ts';

function tickingClock() {
  let ms = 10;
  return () => ms++;
}

test('records an event at its first time, once per message', () => {
  const log = eventLog(tickingClock(), [{ event: 'listening', message: null, atMs: 3 }]);
  log.mark('data', 1);
  log.mark('data', 1);
  log.mark('data', 2);
  log.mark('error');
  assertEach(log.events, ({ event, message, atMs }) => [event, message, atMs], [
    ['listening', null, 3],
    ['data', 1, 10],
    ['data', 2, 12],
    ['error', null, 13],
  ]);
});
