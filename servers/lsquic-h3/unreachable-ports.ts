import { dlopen } from 'bun:ffi';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Level and name of the socket options that report errors: IP_RECVERR, IPV6_RECVERR. */
const RECEIVE_ERRORS = { udp: [0, 11], udp6: [41, 25] } as const;

/**
 * Turns off the kernel's reports that a client's port is closed, which Bun turns on. After such a report the next packet to
 * any client fails, and lsquic sends nothing for a second; this repeats while it has data for clients that have ended.
 * @throws Error if the address has no such socket
 */
export function ignoreUnreachablePorts(ip: string, port: number): void {
  const table = ip.includes(':') ? 'udp6' : 'udp';
  const socket = socketOf(table, ip, port);
  const { symbols } = dlopen('libc.so.6', {
    setsockopt: { args: ['i32', 'i32', 'i32', 'buffer', 'u32'], returns: 'i32' },
  });
  const off = Buffer.alloc(4);
  if (symbols.setsockopt(socket, ...RECEIVE_ERRORS[table], off, off.length) === 0) return;
  throw new Error(`errors of ${ip}:${port} cannot be turned off`);
}

/** The file descriptor of this process that is the UDP socket of an address. */
function socketOf(table: keyof typeof RECEIVE_ERRORS, ip: string, port: number): number {
  const local = `${kernelAddress(ip)}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  const line = readFileSync(`/proc/self/net/${table}`, 'utf8')
    .split('\n')
    .find((each) => each.trim().split(/\s+/)[1] === local);
  const inode = line?.trim().split(/\s+/)[9];
  const number = readdirSync('/proc/self/fd').find((each) => linkOf(each) === `socket:[${inode}]`);
  if (number === undefined) throw new Error(`no UDP socket of ${ip}:${port} was found`);
  return Number(number);
}

/** The kernel prints an address as 32-bit numbers in the machine's byte order. */
function kernelAddress(ip: string): string {
  return bytesOf(ip).swap32().toString('hex');
}

function bytesOf(ip: string): Buffer {
  if (!ip.includes(':')) return Buffer.from(ip.split('.').map(Number));
  const [before = [], after = []] = ip
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function linkOf(number: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${number}`);
  } catch {
    // The descriptor that read the folder is closed already.
    return '';
  }
}
