import { dlopen, read } from 'bun:ffi';
import { ConnectionFailure, failureOf, failureOfError, type Stage } from './failure.ts';
import { type PendingConnection, splitAddress } from './pending-connection.ts';

const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const SOL_SOCKET = 1;
const SO_SNDTIMEO = 21;
const REFUSAL_LIMIT_S = 1;
const FAMILIES = { 4: 2, 6: 10 };
// Linux errno values.
const CODES: Readonly<Record<number, string>> = {
  13: 'EACCES',
  101: 'ENETUNREACH',
  113: 'EHOSTUNREACH',
};

const { symbols } = dlopen('libc.so.6', {
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  setsockopt: { args: ['i32', 'i32', 'i32', 'buffer', 'u32'], returns: 'i32' },
  connect: { args: ['i32', 'buffer', 'u32'], returns: 'i32' },
  close: { args: ['i32'], returns: 'i32' },
  __errno_location: { args: [], returns: 'ptr' },
});

/**
 * Checks the route by connecting a UDP socket, which sends nothing. Without a route, Bun reports a refusal for TCP and nothing for QUIC.
 * @throws ConnectionFailure if there is no route
 */
export function assertReachable({ target, stage }: PendingConnection): void {
  const code = connectErrorCode(target.address, SOCK_DGRAM);
  if (code !== undefined) throw unreachable(code, stage());
}

/**
 * Connects again by TCP to get the kernel's error: Bun also reports a refusal when a router reports an unreachable host.
 * @throws ConnectionFailure if the host is unreachable
 */
export function assertRefused({ target, stage }: PendingConnection): void {
  const code = connectErrorCode(target.address, SOCK_STREAM);
  if (code !== undefined) throw unreachable(code, stage());
}

function unreachable(code: string, stage: Stage): ConnectionFailure {
  // Local port errors have another text.
  if (code !== 'EACCES') return new ConnectionFailure(failureOfError({ code }, stage));
  return new ConnectionFailure(failureOf(stage, code, "a block by this machine's firewall"));
}

/** Error code for an unreachable host; undefined: reachable, or the host itself refused. */
function connectErrorCode(address: string, type: number): string | undefined {
  const { ip, port, family } = splitAddress(address);
  const socket = symbols.socket(FAMILIES[family], type, 0);
  const limit = Buffer.alloc(16);
  limit.writeUInt32LE(REFUSAL_LIMIT_S, 0);
  symbols.setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, limit, limit.length);
  const name = family === 4 ? address4(ip, port) : address6(ip, port);
  const isConnected = symbols.connect(socket, name, name.length) === 0;
  const code = isConnected ? undefined : CODES[read.i32(symbols.__errno_location() as number, 0)];
  symbols.close(socket);
  return code;
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
