import { readlinkSync } from 'node:fs';
import { readIfThere } from '../system/read-if-there.ts';

/**
 * Datagrams that the kernel has dropped so far because a buffer was full, by network namespace: RcvbufErrors
 * (the limit of a socket) and MemErrors (the limit of all UDP sockets together).
 * @param pids processes that live in the namespaces; those that have ended are passed over
 */
export function readUdpBufferErrors(pids: readonly number[]): Map<string, number> {
  const errors = new Map<string, number>();
  for (const pid of pids) {
    const text = readIfThere(`/proc/${pid}/net/snmp`);
    if (text) errors.set(namespaceOf(pid), parseUdpBufferErrors(text));
  }
  return errors;
}

/** @throws Error when the text is not /proc/net/snmp. */
export function parseUdpBufferErrors(text: string): number {
  const [names, values] = [...text.matchAll(/^Udp: (.+)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
  if (!names?.includes('RcvbufErrors')) throw new Error('/proc/net/snmp has no Udp: RcvbufErrors');
  // Older kernels count no MemErrors.
  const count = (name: string) => Number(values?.[names.indexOf(name)] ?? 0);
  return count('RcvbufErrors') + count('MemErrors');
}

/** Processes of one namespace must not count its errors twice. */
function namespaceOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return `of process ${pid}`;
  }
}
