import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { connect, isIP, isIPv6 } from 'node:net';
import { Failure, failureOf, within } from '../../clients/connection-failure.ts';
import type { HttpsRecord } from '../../ground/records/probe.ts';
import { Reader } from '../../network/handshakes/reader.ts';
import { list, number, type UdpAddress } from './datagrams.ts';

const PORT = 53;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/**
 * The HTTPS records of a host by priority, from the machine's name servers in turn.
 * @throws Failure if no server answers
 */
export async function requestHttpsRecords(
  { host, port }: { host: string; port: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpsRecord[]> {
  if (isIP(host) !== 0) throw new Failure('dns', 'not-tried', 'an address has no records');
  const servers = dns.getServers().map(addressOf);
  const name = nameOfHttpsRecords(host, port);
  let last = new Failure('dns', 'not-tried', 'this machine has no name server');
  for (const server of servers) {
    try {
      const { status, records } = await query(server, name, timeoutMs / servers.length, signal);
      if (status === NO_ERROR || status === NO_SUCH_NAME) {
        return records
          .filter(({ type }) => type === HTTPS)
          .map(({ data }) => readHttpsRecord(data))
          .toSorted((a, b) => a.priority - b.priority);
      }
      last = new Failure('dns', `status-${status}`, `${server.address} answered status ${status}`);
    } catch (error) {
      signal.throwIfAborted();
      last =
        error instanceof RangeError
          ? new Failure('dns', 'damaged', `${server.address} sent a damaged answer`)
          : failureOf(error, 'dns');
    }
  }
  throw last;
}

/** Parses an entry of dns.getServers(): an address, with its port unless 53. */
function addressOf(server: string): UdpAddress {
  if (isIP(server) !== 0) return { address: server, port: PORT };
  const end = server.lastIndexOf(':');
  return {
    address: server.slice(0, end).replace(/^\[|\]$/g, ''),
    port: Number(server.slice(end + 1)),
  };
}

/** Queries over UDP; over TCP if the answer is truncated. */
async function query(
  server: UdpAddress,
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DnsAnswer> {
  const late = () =>
    new Failure('dns', 'timeout', `${server.address} did not answer within ${timeoutMs / 1000} s`);
  const id = randomInt(0x10000);
  const message = dnsQuery(id, name, HTTPS);
  const answer = await byUdp(server, message, id, (answered) =>
    within(answered, timeoutMs / 2, signal, late),
  );
  if (!answer.truncated) return answer;
  return byTcp(server, message, (answered) => within(answered, timeoutMs / 2, signal, late));
}

type Limit = <T>(answered: Promise<T>) => Promise<T>;

async function byUdp(
  { address, port }: UdpAddress,
  query: Buffer,
  id: number,
  limit: Limit,
): Promise<DnsAnswer> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const answered = Promise.withResolvers<DnsAnswer>();
  socket.on('error', answered.reject);
  socket.on('message', (message) => {
    try {
      const answer = readDnsAnswer(message);
      if (answer.id === id) answered.resolve(answer);
    } catch (error) {
      answered.reject(error);
    }
  });
  socket.connect(port, address, () => socket.send(query));
  try {
    return await limit(answered.promise);
  } finally {
    socket.close();
  }
}

async function byTcp(
  { address, port }: UdpAddress,
  query: Buffer,
  limit: Limit,
): Promise<DnsAnswer> {
  const socket = connect(port, address);
  const answered = Promise.withResolvers<DnsAnswer>();
  let received = Buffer.alloc(0);
  socket.on('error', answered.reject);
  socket.on('end', () => answered.reject(new RangeError('ended early')));
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    try {
      answered.resolve(readDnsAnswer(received.subarray(2)));
    } catch (error) {
      answered.reject(error);
    }
  });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  try {
    return await limit(answered.promise);
  } finally {
    socket.destroy();
  }
}

interface DnsRecord {
  type: number;
  data: Buffer;
}

interface DnsAnswer {
  id: number;
  /** The complete answer does not fit into a datagram. */
  truncated: boolean;
  /** 0: no error, 3: the name does not exist. */
  status: number;
  records: DnsRecord[];
}

const RECURSION_DESIRED = 0x0100;
const TRUNCATED = 0x0200;
const ANSWER = 0x8000;
const INTERNET = 1;
const OPT = 41;
/** Avoids IP fragmentation. */
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

/** @throws RangeError if the answer is truncated or not valid */
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

const HTTPS = 65;

// Keys of service parameters (RFC 9460, section 14.3.2).
const ALPN = 1;
const NO_DEFAULT_ALPN = 2;
const PORT_PARAMETER = 3;
const IPV4_HINT = 4;
const ENCRYPTED_HELLO = 5;
const IPV6_HINT = 6;

/**
 * Parses the data of an HTTPS record (RFC 9460, section 2.2).
 * @throws RangeError if it is truncated
 */
export function readHttpsRecord(data: Buffer): HttpsRecord {
  const reader = new Reader(data);
  const priority = reader.number(2);
  const target = readName(reader);
  const parameters = new Map<number, Buffer>();
  while (reader.left > 0) parameters.set(reader.number(2), reader.list(2));
  const values = (key: number) => new Reader(parameters.get(key) ?? Buffer.alloc(0));
  return {
    priority,
    target,
    alpn: each(values(ALPN), (value) => value.list(1).toString('latin1')),
    noDefaultAlpn: parameters.has(NO_DEFAULT_ALPN),
    port: parameters.has(PORT_PARAMETER) ? values(PORT_PARAMETER).number(2) : null,
    ipv4Hints: each(values(IPV4_HINT), (value) => [...value.bytes(4)].join('.')),
    ipv6Hints: each(values(IPV6_HINT), (value) => ipv6Text(value.bytes(16))),
    encryptedHello: parameters.has(ENCRYPTED_HELLO),
  };
}

/** Name of the HTTPS records of an origin (RFC 9460, section 9.1). */
export function nameOfHttpsRecords(host: string, port: number): string {
  return port === 443 ? host : `_${port}._https.${host}`;
}

/** Names in these records are not compressed. */
function readName(reader: Reader): string {
  const labels: string[] = [];
  for (;;) {
    const label = reader.list(1);
    if (label.length === 0) return labels.join('.');
    labels.push(label.toString('latin1'));
  }
}

function each<T>(reader: Reader, read: (reader: Reader) => T): T[] {
  const values: T[] = [];
  while (reader.left > 0) values.push(read(reader));
  return values;
}

function ipv6Text(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16));
  // The URL parser shortens the longest run of zeros to "::".
  return new URL(`https://[${groups.join(':')}]`).hostname.slice(1, -1);
}
