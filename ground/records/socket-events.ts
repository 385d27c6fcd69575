import { anyNumber, count, list, object, oneOf, orNull, type Static, text } from './schema.ts';

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

/** What happens at one end of a connection. */
export type SocketEventName = (typeof SOCKET_EVENTS)[number];

const eventSchema = object(
  {
    event: oneOf(SOCKET_EVENTS, 'What happened: results/README.md tells it for each protocol.'),
    message: orNull(
      count('Which message of the connection, from 1; null: the connection itself.', {
        minimum: 1,
      }),
    ),
    atMs: anyNumber('When, since the client asked for the connection; before it where below 0.'),
  },
  'Something that happened at one end of a connection.',
);

/** Something that happened at one end; by a program's own words in ms of the monotonic clock, in records since the client asked. */
export type SocketEvent = Static<typeof eventSchema>;

/** What only exchanges have. */
export const socketDetailsSchema = object(
  {
    messageBytes: count('Bytes of each message, and of what comes back.'),
    messages: count('How many were to be sent, one after the other.', { minimum: 1 }),
    client: list(eventSchema, 'What happened at the client, in that order.'),
    server: orNull(
      list(eventSchema, 'What happened at the server, in that order.'),
      'null: it did not tell in time.',
    ),
    error: orNull(text('Why it came to no end, as the client says; null: it did.')),
  },
  'What only exchanges over sockets have.',
);

export type SocketDetails = Static<typeof socketDetailsSchema>;
