import { dlopen, read } from 'bun:ffi';
import { ConnectionFailure, failureOfError } from './failure.ts';
import { type Making, splitAddress } from './making.ts';

const SOCK_DGRAM = 2;
const FAMILIES = { 4: 2, 6: 10 };
// Of Linux.
const CODES: Readonly<Record<number, string>> = { 101: 'ENETUNREACH', 113: 'EHOSTUNREACH' };

const { symbols } = dlopen('libc.so.6', {
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  connect: { args: ['i32', 'buffer', 'u32'], returns: 'i32' },
  close: { args: ['i32'], returns: 'i32' },
  __errno_location: { args: [], returns: 'ptr' },
});

/**
 * Asks the kernel for a way to an address by naming it to a UDP socket, which sends nothing. Bun calls it a refusal where there is none,
 * and by QUIC says nothing.
 * @throws ConnectionFailure when there is none
 */
export function assertReachable({ asked, stage }: Making): void {
  const { ip, port, family } = splitAddress(asked.address);
  const socket = symbols.socket(FAMILIES[family], SOCK_DGRAM, 0);
  const address = family === 4 ? address4(ip, port) : address6(ip, port);
  const isNamed = symbols.connect(socket, address, address.length) === 0;
  const code = isNamed ? undefined : CODES[read.i32(symbols.__errno_location() as number, 0)];
  symbols.close(socket);
  if (code !== undefined) throw new ConnectionFailure(failureOfError({ code }, stage()));
}

/** struct sockaddr_in. */
function address4(ip: string, port: number): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(FAMILIES[4], 0);
  address.writeUInt16BE(port, 2);
  address.set(ip.split('.').map(Number), 4);
  return address;
}

/** struct sockaddr_in6. */
function address6(ip: string, port: number): Buffer {
  const address = Buffer.alloc(28);
  address.writeUInt16LE(FAMILIES[6], 0);
  address.writeUInt16BE(port, 2);
  const [before = '', after] = ip.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [
    ...before,
    ...Array(8 - before.length - (after?.length ?? 0)).fill('0'),
    ...(after ?? []),
  ];
  for (const [index, group] of groups.entries()) {
    address.writeUInt16BE(Number.parseInt(group, 16), 8 + 2 * index);
  }
  return address;
}
