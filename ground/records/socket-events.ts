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

/** What happens at one end of a connection. */
export type SocketEventName = (typeof SOCKET_EVENTS)[number];

const eventSchema = s.object(
  {
    event: s.oneOf(
      SOCKET_EVENTS,
      'What happened; the section “Events of sockets.jsonl” has it for each protocol.',
    ),
    message: s.orNull(
      s.count('Which message of the connection, from 1; null: the connection itself.', {
        minimum: 1,
      }),
    ),
    atMs: s.anyNumber('When, since the client asked for the connection; before it where below 0.'),
  },
  'Something that happened at one end of a connection.',
);

/** Something that happened at one end; by a program's own words in ms of the monotonic clock, in records since the client asked. */
export type SocketEvent = s.Static<typeof eventSchema>;

/** What only exchanges have. */
export const socketDetailsSchema = s.object(
  {
    messageBytes: s.count('Bytes of each message, and of what comes back.'),
    messages: s.count('How many were to be sent, one after the other.', { minimum: 1 }),
    client: s.list(eventSchema, 'What happened at the client, in that order.'),
    server: s.orNull(
      s.list(eventSchema, 'What happened at the server, in that order.'),
      'null: it did not tell in time.',
    ),
    error: s.orNull(s.text('Why it came to no end, as the client says; null: it did.')),
  },
  'What only exchanges over sockets have.',
);

export type SocketDetails = s.Static<typeof socketDetailsSchema>;
