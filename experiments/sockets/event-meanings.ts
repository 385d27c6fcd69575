import type { SocketEventName } from '../../ground/records/socket-events.ts';

interface EventMeaning {
  /** Label in charts and tables. */
  label: string;
  meaning: string;
  /** Whether it is the same event in every protocol. */
  isComparable: boolean;
}

/** Meanings of events, in their usual order. */
export const EVENT_MEANINGS: Readonly<Record<SocketEventName, EventMeaning>> = {
  listening: {
    label: 'listening',
    meaning: 'The server started to listen, before every exchange; not drawn.',
    isComparable: false,
  },
  requested: {
    label: 'request',
    meaning: 'The client requests the connection: 0 of the axis.',
    isComparable: true,
  },
  session: {
    label: 'session',
    meaning:
      'The connection begins. TCP: its handshake is complete, the client is connected and the server has accepted. QUIC: the client has a socket but no packet yet, the server has the first packet.',
    isComparable: false,
  },
  keylog: {
    label: 'keylog',
    meaning:
      'The library reports the first secret. Its time within the handshake depends on the library: with TLS the client gets it after the handshake.',
    isComparable: false,
  },
  secure: {
    label: 'secure',
    meaning:
      'The client may send encrypted data; the server has the whole handshake. TCP alone has no such event.',
    isComparable: true,
  },
  sent: { label: 'sent', meaning: 'A message is written to the connection.', isComparable: true },
  data: { label: 'data', meaning: 'Its first bytes have arrived.', isComparable: true },
  messageEnd: { label: 'message end', meaning: 'All of it has arrived.', isComparable: true },
  streamEnd: {
    label: 'stream end',
    meaning:
      'The other end will send no more (FIN). QUIC: on the stream of this message. TCP: on the connection, when it is closed.',
    isComparable: false,
  },
  streamClose: {
    label: 'stream close',
    meaning: 'Both directions of a stream are done. TCP has no streams.',
    isComparable: false,
  },
  closing: {
    label: 'closing',
    meaning: 'The client closes the connection.',
    isComparable: true,
  },
  socketClose: {
    label: 'socket close',
    meaning:
      'The connection is closed for the program. TCP: the client has the FIN of the other end. QUIC: the client has sent CONNECTION_CLOSE, which has no response; the closing and draining periods of three probe timeouts (RFC 9000, 10.2) continue invisibly to programs.',
    isComparable: false,
  },
  error: { label: 'error', meaning: 'The connection failed.', isComparable: false },
};
