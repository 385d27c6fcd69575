import type { SocketDetails, SocketEvent } from '../../../../ground/records/socket-events.ts';

function events(...all: [SocketEvent['event'], SocketEvent['message'], number][]): SocketEvent[] {
  return all.map(([event, message, atMs]) => ({ event, message, atMs }));
}

/** An exchange by TLS over a path of 40 ms, with a second message, in round numbers. */
export const EXCHANGE: SocketDetails = {
  messageBytes: 46,
  messages: 2,
  client: events(
    ['requested', null, 0],
    ['session', null, 41],
    ['secure', null, 83],
    ['sent', 1, 84],
    ['data', 1, 124],
    ['messageEnd', 1, 125],
    ['sent', 2, 126],
    ['messageEnd', 2, 167],
    ['closing', null, 168],
    ['socketClose', null, 209],
  ),
  server: events(
    ['listening', null, -500],
    ['session', null, 62],
    ['secure', null, 103],
    ['data', 1, 104],
    ['messageEnd', 1, 105],
    ['data', 2, 146],
    ['socketClose', null, 189],
  ),
  error: null,
};
