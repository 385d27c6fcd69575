import * as s from './schema.ts';

const SOCKET_EVENTS = [
  'listening',
  'asked',
  'session',
  'keylog',
  'secure',
  'sent',
  'data',
  'messageEnd',
  'streamEnd',
  'streamClose',
  'closing',
  'socketClose',
  'error',
] as const;

export type SocketEventName = (typeof SOCKET_EVENTS)[number];

const eventSchema = s.object(
  {
    event: s.oneOf(
      SOCKET_EVENTS,
      'Name of the event; “Events of sockets.jsonl” explains it for each protocol.',
    ),
    message: s.orNull(
      s.count('Number of the message on the connection, from 1; null: the connection itself.', {
        minimum: 1,
      }),
    ),
    atMs: s.anyNumber('Time since the client requested the connection, in ms; below 0: before it.'),
  },
  'An event at one end of a connection.',
);

/** An event at one end. Programs report ms of the monotonic clock, records hold ms since the client's request. */
export type SocketEvent = s.Static<typeof eventSchema>;

export const socketDetailsSchema = s.object(
  {
    messageBytes: s.count('Bytes of each message in both directions.'),
    messages: s.count('Planned number of messages, sent one after the other.', { minimum: 1 }),
    client: s.list(eventSchema, 'Events at the client, in order.'),
    server: s.orNull(
      s.list(eventSchema, 'Events at the server, in order.'),
      'null: the server did not report in time.',
    ),
    error: s.orNull(s.text("The client's error; null: the exchange completed.")),
  },
  'Details of an exchange over sockets.',
);

export type SocketDetails = s.Static<typeof socketDetailsSchema>;
