import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMessage } from '../../../../../clients/bun/message.ts';
import { eventLog } from '../../../../../ground/records/event-log.ts';
import { messageReader } from '../../../servers/messages.ts';

/** Messages read from pieces of this size. */
function read(sizes: readonly number[], pieceBytes: number) {
  const log = eventLog(() => 0);
  const whole: [bytes: number, number: number][] = [];
  const take = messageReader(log, 1, (message, number) => {
    assert.deepEqual(message, makeMessage(message.length));
    whole.push([message.length, number]);
  });
  for (const size of sizes) {
    const message = makeMessage(size);
    for (let at = 0; at < size; at += pieceBytes) take(message.subarray(at, at + pieceBytes));
  }
  return { whole, events: log.events.map(({ event, message }) => `${event} ${message}`) };
}

for (const pieceBytes of [1, 3, 4, 46, 1000]) {
  test(`passes on messages in pieces of ${pieceBytes} bytes whole and in order`, () => {
    const { whole, events } = read([46, 4, 100], pieceBytes);
    assert.deepEqual(whole, [
      [46, 1],
      [4, 2],
      [100, 3],
    ]);
    assert.deepEqual(
      events,
      [1, 2, 3].flatMap((number) => [`data ${number}`, `messageEnd ${number}`]),
    );
  });
}
