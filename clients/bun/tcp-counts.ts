import { dlopen } from 'bun:ffi';
import type { Socket } from 'node:net';
import type { ConnectionFacts } from '../../ground/records/connection-attempt.ts';

const IPPROTO_TCP = 6;
const TCP_INFO = 11;

// Offsets in struct tcp_info of linux/tcp.h, which only grows at its end.
const BYTES_RECEIVED_AT = 128;
const MIN_RTT_AT = 148;
const BYTES_SENT_AT = 200;
const LENGTH = 208;

const { symbols } = dlopen('libc.so.6', {
  getsockopt: { args: ['i32', 'i32', 'i32', 'buffer', 'buffer'], returns: 'i32' },
});

/** The kernel's byte counts of a connection, TLS included; empty if the socket is gone or the kernel is too old. */
export function tcpCounts(
  socket: Socket,
): Partial<Pick<ConnectionFacts, 'bytesSent' | 'bytesReceived' | 'rttMs'>> {
  // Bun exposes the socket's file descriptor only here.
  const { fd = -1 } = (socket as Socket & { _handle?: { fd?: number } | null })._handle ?? {};
  const info = Buffer.alloc(LENGTH);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(LENGTH);
  if (symbols.getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, length) !== 0) return {};
  if (length.readUInt32LE() < LENGTH) return {};
  return {
    bytesSent: Number(info.readBigUInt64LE(BYTES_SENT_AT)),
    bytesReceived: Number(info.readBigUInt64LE(BYTES_RECEIVED_AT)),
    rttMs: info.readUInt32LE(MIN_RTT_AT) / 1000,
  };
}
