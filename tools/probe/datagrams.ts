import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, failureOf } from '../../clients/connection-failure.ts';

export interface UdpAddress {
  address: string;
  port: number;
}

interface DatagramExchange {
  /** Repeated if no answer comes within a third of the time. */
  datagram: Buffer;
  /** Sent at the end; null: no last datagram. */
  last: Buffer | null;
  /** Timeout of the first answer. */
  timeoutMs: number;
  /** Time to listen after the first answer. */
  furtherMs: number;
  signal: AbortSignal;
}

interface ExchangeResult {
  sentBytes: number;
  received: Buffer[];
}

/**
 * Sends a datagram and collects the answers, without acknowledging them.
 * @throws Failure without an answer
 */
export async function exchangeDatagrams(
  { address, port }: UdpAddress,
  { datagram, last, timeoutMs, furtherMs, signal }: DatagramExchange,
): Promise<ExchangeResult> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const received: Buffer[] = [];
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => {});
  let sentBytes = 0;
  const send = (bytes: Buffer) =>
    new Promise<void>((resolve) => {
      socket.send(bytes, (error) => {
        if (error) first.reject(error);
        resolve();
      });
    });
  const ending = new AbortController();
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: AbortSignal.any([signal, ending.signal]) });
  socket.on('error', first.reject);
  socket.on('message', (message) => {
    received.push(message);
    first.resolve();
  });
  try {
    socket.connect(port, address);
    await once(socket, 'connect', { signal });
    const sendFirst = async () => {
      await send(datagram);
      sentBytes += datagram.length;
    };
    await sendFirst();
    await Promise.race([first.promise, pause(timeoutMs / 3)]);
    if (received.length === 0) {
      await sendFirst();
      await Promise.race([first.promise, pause((timeoutMs * 2) / 3)]);
    }
    if (received.length === 0) {
      throw new Failure(
        'udp',
        'timeout',
        `no datagram received from ${address}, port ${port}, within ${timeoutMs / 1000} s`,
      );
    }
    await pause(furtherMs);
    if (last !== null) await send(last);
    return { sentBytes, received };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, 'udp');
  } finally {
    ending.abort();
    socket.close();
  }
}

/** An unsigned big-endian integer. */
export function number(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}

/** Bytes with a length prefix, as Reader.list reads them. */
export function list(bytes: Buffer, lengthBytes: number): Buffer {
  return Buffer.concat([number(bytes.length, lengthBytes), bytes]);
}

export function varint(value: number): Buffer {
  return value < 64 ? number(value, 1) : number(0x4000 | value, 2);
}
