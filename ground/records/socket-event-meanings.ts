import type { SocketEventName } from './socket-events.ts';

interface SocketEventMeaning {
  client: string;
  server: string;
  /** Whether it means the same in every protocol, so that metrics may use it. */
  isSameInAll: boolean;
}

const SAME = 'the same';

/** Meaning of each event at both ends. */
export const SOCKET_EVENT_MEANINGS: Readonly<Record<SocketEventName, SocketEventMeaning>> = {
  listening: { client: '', server: 'Began to listen, long before.', isSameInAll: false },
  asked: { client: 'Requests the connection.', server: '', isSameInAll: true },
  session: {
    client: 'TCP: handshake over. QUIC: socket created, nothing received.',
    server: 'TCP: accepted, handshake over. QUIC: first packet received.',
    isSameInAll: false,
  },
  keylog: {
    client: 'First secret logged; TLS logs it after the handshake.',
    server: SAME,
    isSameInAll: false,
  },
  secure: {
    client:
      "May send what only the server can read: QUIC's first 1-RTT secret, the end of TLS's handshake. TCP alone lacks it.",
    server: 'Has the whole handshake.',
    isSameInAll: true,
  },
  sent: {
    client: 'Handed over a message.',
    server: 'The same, on the way back.',
    isSameInAll: true,
  },
  data: { client: 'Received the first bytes of a message.', server: SAME, isSameInAll: true },
  messageEnd: { client: 'Received all of a message.', server: SAME, isSameInAll: true },
  streamEnd: {
    client: 'The peer sends no more. QUIC: on this stream. TCP: on the connection, at close.',
    server: SAME,
    isSameInAll: false,
  },
  streamClose: {
    client: 'Both directions of a stream are done; TCP has no streams.',
    server: SAME,
    isSameInAll: false,
  },
  closing: {
    client: 'Requests the close, after all has returned.',
    server: '',
    isSameInAll: true,
  },
  socketClose: {
    client:
      "Connection gone for the program. TCP: the peer's FIN arrived, a round trip after its own. QUIC: CONNECTION_CLOSE sent, which gets no reply.",
    server: 'TCP: FIN received and sent. QUIC: CONNECTION_CLOSE received.',
    isSameInAll: false,
  },
  error: { client: 'It broke.', server: SAME, isSameInAll: false },
};
