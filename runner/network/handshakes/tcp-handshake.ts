import type { Handshake } from './handshake.ts';
import { type Message, readMessages } from './hello.ts';
import type { Packet, TcpHead } from './packet.ts';
import { Reader, readOrNull } from './reader.ts';
import { Stream } from './stream.ts';

/** Hellos are at the front; what lies behind is of no interest, or the number is wrong. */
const FARTHEST_BYTES = 65_536;

/** Begins with a SYN of the client; null: the packet is none. */
export function beginTcpHandshake(first: Packet): Handshake | null {
  if (!first.tcp?.begins || !first.toServer) return null;
  const { sequence: begun } = first.tcp;
  const client = new Stream();
  const server = new Stream();
  let serverFrom: number | null = null;
  const takePayload = ({ toServer, payload }: Packet, tcp: TcpHead) => {
    if (toServer) {
      addAt(client, tcp.sequence - begun - 1, payload);
      // Nothing of the server has come when the client first speaks.
      serverFrom ??= tcp.acknowledged;
    } else if (serverFrom !== null) {
      addAt(server, tcp.sequence - serverFrom, payload);
    }
  };
  return {
    first,
    take(packet) {
      const { tcp, toServer, payload } = packet;
      if (tcp?.begins) return !toServer || tcp.sequence === begun;
      if (tcp && payload.length > 0) takePayload(packet, tcp);
      return true;
    },
    clientMessages: () => messagesIn(client.beginning()),
    serverMessages: () => messagesIn(server.beginning()),
    // Its records are no handshake's to look at, so the tap does not keep them.
    encryptedMessages: () => [],
    get clientSpoke() {
      return client.begun;
    },
    get serverSpoke() {
      return server.begun;
    },
  };
}

function addAt(stream: Stream, offset: number, bytes: Buffer): void {
  const wrapped = offset >>> 0;
  if (wrapped < FARTHEST_BYTES) stream.add(wrapped, bytes);
}

const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;

/** Messages in the records of a handshake (RFC 8446, section 5.1); the last record may be cut. */
function messagesIn(records: Buffer): Message[] {
  const reader = new Reader(records);
  const parts: Buffer[] = [];
  readOrNull(() => {
    while (reader.left > 0) {
      const type = reader.number(1);
      reader.bytes(2);
      const body = reader.bytes(Math.min(reader.number(2), reader.left));
      if (type === HANDSHAKE) parts.push(body);
      else if (type !== CHANGE_CIPHER_SPEC) return;
    }
  });
  return readMessages(Buffer.concat(parts));
}
