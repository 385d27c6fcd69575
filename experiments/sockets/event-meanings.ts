import type { SocketEventName } from '../../ground/records/socket-events.ts';

/** What an event is. */
interface EventMeaning {
  /** In charts and tables. */
  label: string;
  /** As a sentence, without its subject. */
  meaning: string;
  /** Whether it is the same thing in every protocol, so that its times can be compared. */
  isComparable: boolean;
}

/** Every event, in the order in which they usually happen. */
export const EVENT_MEANINGS: Readonly<Record<SocketEventName, EventMeaning>> = {
  listening: {
    label: 'listening',
    meaning: 'The server began to listen, before every exchange; not drawn.',
    isComparable: false,
  },
  asked: {
    label: 'asked',
    meaning: 'The client asks for the connection: 0 of the axis.',
    isComparable: true,
  },
  session: {
    label: 'session',
    meaning:
      'The connection begins. By TCP its handshake is over by then: the client is connected, the server has accepted. By QUIC the client has its socket and has heard nothing, and the server has the first packet.',
    isComparable: false,
  },
  keylog: {
    label: 'keylog',
    meaning:
      'The first secret is told. When within the handshake is up to the library: TLS tells its client after the handshake.',
    isComparable: false,
  },
  secure: {
    label: 'secure',
    meaning:
      'The client may send what only the server can read; the server has the whole handshake. TCP alone has no such thing.',
    isComparable: true,
  },
  sent: { label: 'sent', meaning: 'A message is handed over to be sent.', isComparable: true },
  data: { label: 'data', meaning: 'Its first bytes are there.', isComparable: true },
  messageEnd: { label: 'message end', meaning: 'All of it is there.', isComparable: true },
  streamEnd: {
    label: 'stream end',
    meaning:
      'The other end will send no more: by QUIC on the stream of this message (FIN), by TCP over the connection (FIN), when it is being closed.',
    isComparable: false,
  },
  streamClose: {
    label: 'stream close',
    meaning: 'Both directions of a stream are done. TCP has no streams.',
    isComparable: false,
  },
  closing: {
    label: 'closing',
    meaning: 'The client asks for the connection to be closed.',
    isComparable: true,
  },
  socketClose: {
    label: 'socket close',
    meaning:
      'The connection is gone for the program. TCP’s client has the FIN of the other end by then. QUIC’s has sent CONNECTION_CLOSE, which nothing answers; the closing and draining periods (RFC 9000, 10.2), three probe timeouts, go on where no program sees them.',
    isComparable: false,
  },
  error: { label: 'error', meaning: 'It broke.', isComparable: false },
};
