import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { connect, isIP, isIPv6 } from 'node:net';
import { Failure, failureOf, within } from '../../clients/connection-failure.ts';
import type { HttpsRecord } from '../../ground/records/probe.ts';
import type { Place } from './datagrams.ts';
import { type DnsAnswer, dnsQuery, readDnsAnswer } from './dns-message.ts';
import { HTTPS, nameOfHttpsRecords, readHttpsRecord } from './https-record.ts';

const PORT = 53;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/**
 * The HTTPS records of a host, by priority, as the machine's name servers have them; the next one is asked where one does not answer.
 * @throws Failure when none does
 */
export async function askHttpsRecords(
  { host, port }: { host: string; port: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpsRecord[]> {
  if (isIP(host) !== 0) throw new Failure('dns', 'not-tried', 'an address has no records');
  const servers = dns.getServers().map(placeOf);
  const name = nameOfHttpsRecords(host, port);
  let last = new Failure('dns', 'not-tried', 'this machine has no name server');
  for (const server of servers) {
    try {
      const { status, records } = await ask(server, name, timeoutMs / servers.length, signal);
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

/** A name server as node:dns has it: an address, with its port where that is another one. */
function placeOf(server: string): Place {
  if (isIP(server) !== 0) return { address: server, port: PORT };
  const end = server.lastIndexOf(':');
  return {
    address: server.slice(0, end).replace(/^\[|\]$/g, ''),
    port: Number(server.slice(end + 1)),
  };
}

/** Asks by UDP, and by TCP what does not fit into a datagram. */
async function ask(
  server: Place,
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DnsAnswer> {
  const late = () =>
    new Failure('dns', 'timeout', `${server.address} did not answer within ${timeoutMs / 1000} s`);
  const id = randomInt(0x10000);
  const query = dnsQuery(id, name, HTTPS);
  const answer = await byUdp(server, query, id, (answered) =>
    within(answered, timeoutMs / 2, signal, late),
  );
  if (!answer.truncated) return answer;
  return byTcp(server, query, (answered) => within(answered, timeoutMs / 2, signal, late));
}

type Limit = <T>(answered: Promise<T>) => Promise<T>;

async function byUdp(
  { address, port }: Place,
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

async function byTcp({ address, port }: Place, query: Buffer, limit: Limit): Promise<DnsAnswer> {
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
