import type { PacketRange } from '../../../network/handshakes/acknowledged.ts';
import { Reader, readOrNull } from '../../../network/handshakes/reader.ts';

/** What the frames of a packet say about the sending of data (RFC 9000, section 19). */
export interface PacketContents {
  /** Whether it is in flight until it is acknowledged or lost. */
  isAckEliciting: boolean;
  /** Acknowledged packets, largest first. */
  acknowledged: PacketRange[];
  /** Pieces of streams: the offset behind each, and whether the stream ends there. */
  streams: { stream: number; end: number; ends: boolean }[];
  /** Raised limit of all streams together; null: not in this packet. */
  connectionLimit: number | null;
  streamLimits: { stream: number; limit: number }[];
}

const PADDING = 0x00;
const ACK = 0x02;
const ACK_WITH_ECN = 0x03;
const RESET_STREAM = 0x04;
const STOP_SENDING = 0x05;
const CRYPTO = 0x06;
const NEW_TOKEN = 0x07;
const FIRST_STREAM = 0x08;
const LAST_STREAM = 0x0f;
const MAX_DATA = 0x10;
const MAX_STREAM_DATA = 0x11;
const STREAM_DATA_BLOCKED = 0x15;
const NEW_CONNECTION_ID = 0x18;
const RETIRE_CONNECTION_ID = 0x19;
const PATH_CHALLENGE = 0x1a;
const PATH_RESPONSE = 0x1b;
const CLOSE = 0x1c;
const CLOSE_BY_APPLICATION = 0x1d;
/** Of one number: limits of streams, and DATA_BLOCKED and STREAMS_BLOCKED. */
const ONE_NUMBER: ReadonlySet<number> = new Set([0x12, 0x13, 0x14, 0x16, 0x17]);
/** Without contents: PING and HANDSHAKE_DONE. */
const EMPTY: ReadonlySet<number> = new Set([0x01, 0x1e]);
/** DATAGRAM, without and with its length (RFC 9221). */
const DATAGRAM = 0x30;
const DATAGRAM_WITH_LENGTH = 0x31;
const CHALLENGE_BYTES = 8;
const RESET_TOKEN_BYTES = 16;

/** Bits of the type of a STREAM frame. */
const HAS_OFFSET = 4;
const HAS_LENGTH = 2;
const ENDS = 1;

/** Reads up to the first frame of an unknown type. */
export function readContents(frames: Buffer): PacketContents {
  const contents: PacketContents = {
    isAckEliciting: false,
    acknowledged: [],
    streams: [],
    connectionLimit: null,
    streamLimits: [],
  };
  const reader = new Reader(frames);
  readOrNull(() => {
    while (reader.left > 0 && readFrame(reader, contents));
  });
  return contents;
}

/** false: nothing after it can be read. */
function readFrame(reader: Reader, contents: PacketContents): boolean {
  const type = reader.varint();
  if (type === PADDING) return true;
  if (type === ACK || type === ACK_WITH_ECN) {
    contents.acknowledged.push(...readRanges(reader));
    if (type === ACK_WITH_ECN) skip(reader, 3);
    return true;
  }
  if (type === CLOSE || type === CLOSE_BY_APPLICATION) return false;
  contents.isAckEliciting = true;
  if (type >= FIRST_STREAM && type <= LAST_STREAM) {
    const stream = reader.varint();
    const offset = type & HAS_OFFSET ? reader.varint() : 0;
    const bytes = type & HAS_LENGTH ? reader.varint() : reader.left;
    reader.bytes(bytes);
    contents.streams.push({ stream, end: offset + bytes, ends: (type & ENDS) !== 0 });
  } else if (type === MAX_DATA) contents.connectionLimit = reader.varint();
  else if (type === MAX_STREAM_DATA) {
    contents.streamLimits.push({ stream: reader.varint(), limit: reader.varint() });
  } else return skipFrame(reader, type);
  return true;
}

function skipFrame(reader: Reader, type: number): boolean {
  if (EMPTY.has(type)) return true;
  if (ONE_NUMBER.has(type) || type === RETIRE_CONNECTION_ID) skip(reader, 1);
  else if (type === STOP_SENDING || type === STREAM_DATA_BLOCKED) skip(reader, 2);
  else if (type === RESET_STREAM) skip(reader, 3);
  else if (type === CRYPTO) {
    skip(reader, 1);
    reader.bytes(reader.varint());
  } else if (type === NEW_TOKEN || type === DATAGRAM_WITH_LENGTH) reader.bytes(reader.varint());
  else if (type === DATAGRAM) reader.bytes(reader.left);
  else if (type === NEW_CONNECTION_ID) {
    skip(reader, 2);
    reader.list(1);
    reader.bytes(RESET_TOKEN_BYTES);
  } else if (type === PATH_CHALLENGE || type === PATH_RESPONSE) reader.bytes(CHALLENGE_BYTES);
  else return false;
  return true;
}

function skip(reader: Reader, numbers: number): void {
  for (let count = 0; count < numbers; count++) reader.varint();
}

function readRanges(reader: Reader): PacketRange[] {
  let last = reader.varint();
  reader.varint();
  const gaps = reader.varint();
  let first = last - reader.varint();
  const ranges: PacketRange[] = [[first, last]];
  for (let gap = 0; gap < gaps; gap++) {
    last = first - reader.varint() - 2;
    first = last - reader.varint();
    ranges.push([first, last]);
  }
  return ranges;
}
