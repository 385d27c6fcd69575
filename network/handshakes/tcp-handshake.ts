import { type Message, readMessages } from './hello.ts';
import type { Handshake, Packet, TcpHead } from './packet.ts';
import { Reader, readOrNull, Stream } from './reader.ts';

/** Hellos are at the front: bytes behind this are irrelevant, or the sequence number is wrong. */
const FARTHEST_BYTES = 65_536;

/** Starts with a SYN of the client; null: not a SYN. */
export function beginTcpHandshake(first: Packet): Handshake | null {
  if (!first.tcp?.begins || !first.toServer) return null;
  const { sequence: begun } = first.tcp;
  const client = new Stream();
  const answers: { sequence: number; payload: Buffer; timeNs: bigint }[] = [];
  // State at the client's first bytes, before any of the server's.
  let opening = { offset: FARTHEST_BYTES, acknowledged: 0 };

  const takePayload = (
    { toServer, payload, timeNs }: Packet,
    { sequence, acknowledged }: TcpHead,
  ) => {
    if (!toServer) {
      answers.push({ sequence, payload, timeNs });
      return;
    }
    const offset = distance(begun + 1, sequence);
    if (offset < opening.offset) opening = { offset, acknowledged };
    addNear(client, offset, { payload, timeNs });
  };
  const serverStream = () => {
    const server = new Stream();
    for (const answer of answers) {
      addNear(server, distance(opening.acknowledged, answer.sequence), answer);
    }
    return server;
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
    serverMessages: () => messagesIn(serverStream().beginning()),
    sentIn: (count) => ({
      packets: client.packetsOf(RECORD_HEAD_BYTES + count),
      firstPacketBytes: client.firstPieceBytes,
    }),
    // Their records look like application data, which the tap does not keep.
    encryptedMessages: () => [],
    get clientSpoke() {
      return client.begun;
    },
    quicVersion: null,
    get serverSpoke() {
      const records = serverStream().beginning();
      return records.length > 0 && (records[0] !== HANDSHAKE || messagesIn(records).length > 0);
    },
    get clientHelloNs() {
      return client.firstNs;
    },
    get serverHelloNs() {
      return serverStream().firstNs;
    },
  };
}

/** From one sequence number to another, modulo 2^32. */
function distance(from: number, to: number): number {
  return (to - from) >>> 0;
}

function addNear(
  stream: Stream,
  offset: number,
  { payload, timeNs }: Pick<Packet, 'payload' | 'timeNs'>,
): void {
  if (offset < FARTHEST_BYTES) stream.add(offset, payload, timeNs);
}

const RECORD_HEAD_BYTES = 5;
const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;

/** Messages in the records of a handshake (RFC 8446, section 5.1); the last record may be truncated. */
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
