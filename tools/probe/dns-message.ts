import { Reader } from '../../network/handshakes/reader.ts';
import { list, number } from './writer.ts';

/** A record that a name server answered with. */
interface DnsRecord {
  type: number;
  data: Buffer;
}

/** What a name server answered. */
export interface DnsAnswer {
  id: number;
  /** It did not fit into a datagram. */
  truncated: boolean;
  /** 0: no error, 3: there is no such name. */
  status: number;
  records: DnsRecord[];
}

const RECURSION_DESIRED = 0x0100;
const TRUNCATED = 0x0200;
const ANSWER = 0x8000;
const INTERNET = 1;
const OPT = 41;
/** Fits into a datagram that no network takes apart. */
const LARGEST_ANSWER_BYTES = 1232;
const POINTER = 0xc0;

/** A query (RFC 1035, section 4), with room for a large answer (RFC 6891). */
export function dnsQuery(id: number, name: string, type: number): Buffer {
  const labels = name.split('.').map((label) => list(Buffer.from(label, 'latin1'), 1));
  const question = [...labels, number(0, 1), number(type, 2), number(INTERNET, 2)];
  const options = [number(0, 1), number(OPT, 2), number(LARGEST_ANSWER_BYTES, 2), number(0, 6)];
  const counts = [1, 0, 0, 1].map((count) => number(count, 2));
  return Buffer.concat([
    number(id, 2),
    number(RECURSION_DESIRED, 2),
    ...counts,
    ...question,
    ...options,
  ]);
}

/**
 * Reads an answer.
 * @throws RangeError when it ends too early, or is none
 */
export function readDnsAnswer(message: Buffer): DnsAnswer {
  const reader = new Reader(message);
  const id = reader.number(2);
  const flags = reader.number(2);
  if ((flags & ANSWER) === 0) throw new RangeError('a question');
  const [questions = 0, answers = 0] = [2, 2, 2, 2].map((bytes) => reader.number(bytes));
  for (let index = 0; index < questions; index++) {
    skipName(reader);
    reader.bytes(4);
  }
  const truncated = (flags & TRUNCATED) !== 0;
  const records = truncated ? [] : Array.from({ length: answers }, () => readRecord(reader));
  return { id, truncated, status: flags & 0x0f, records };
}

function readRecord(reader: Reader): DnsRecord {
  skipName(reader);
  const type = reader.number(2);
  reader.bytes(6);
  return { type, data: reader.list(2) };
}

function skipName(reader: Reader): void {
  for (;;) {
    const length = reader.number(1);
    if (length >= POINTER) reader.bytes(1);
    else reader.bytes(length);
    if (length === 0 || length >= POINTER) return;
  }
}
