import { dlopen } from 'bun:ffi';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const SOL_IP = 0;
const IP_RECVERR = 11;

/**
 * Keeps the kernel from telling the socket of an address that a client's port is gone. Bun asks to be told, and gets to know by
 * the failure of whatever it sends next, to whomever; lsquic then sends nothing to anybody for a whole second, again and again
 * as long as it has something left for clients that are gone.
 * @throws Error when there is no such socket
 */
export function ignoreUnreachablePorts(ip: string, port: number): void {
  const socket = socketOf(ip, port);
  const { symbols } = dlopen('libc.so.6', {
    setsockopt: { args: ['i32', 'i32', 'i32', 'buffer', 'u32'], returns: 'i32' },
  });
  const off = Buffer.alloc(4);
  if (symbols.setsockopt(socket, SOL_IP, IP_RECVERR, off, off.length) === 0) return;
  throw new Error(`IP_RECVERR of ${ip}:${port} cannot be set`);
}

/** The number of this process's file that is the UDP socket of an address. */
function socketOf(ip: string, port: number): number {
  // The kernel writes an address as one number in the machine's order of bytes.
  const address = Buffer.from(ip.split('.').map(Number).reverse()).toString('hex');
  const local = `${address}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  const line = readFileSync('/proc/self/net/udp', 'utf8')
    .split('\n')
    .find((each) => each.trim().split(/\s+/)[1] === local);
  const inode = line?.trim().split(/\s+/)[9];
  const number = readdirSync('/proc/self/fd').find((each) => linkOf(each) === `socket:[${inode}]`);
  if (number === undefined) throw new Error(`no UDP socket of ${ip}:${port} was found`);
  return Number(number);
}

function linkOf(number: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${number}`);
  } catch {
    // The file that the folder itself was read through.
    return '';
  }
}
