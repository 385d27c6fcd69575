import { readFileSync } from 'node:fs';
import type { Check, Finding } from './check.ts';

const LEAST_UDP_BYTES = 1_000_000;
const RECOMMENDED_UDP_BYTES = 4_194_304;

/** Whether a burst of QUIC packets fits into a socket; TCP buffers have their own limits. */
export const udpBuffers: Check = {
  name: 'UDP buffers',
  run: () => checkUdpBuffers(limit('rmem_max'), limit('wmem_max')),
};

function limit(name: string): number {
  return Number(readFileSync(`/proc/sys/net/core/${name}`, 'utf8'));
}

export function checkUdpBuffers(receiveBytes: number, sendBytes: number): Finding {
  const found = `up to ${kilobytes(receiveBytes)} to receive, ${kilobytes(sendBytes)} to send`;
  if (receiveBytes >= LEAST_UDP_BYTES) return { status: 'ok', found };
  return {
    status: 'note',
    found: `${found}: the kernel may drop bursts over QUIC that it would take over TCP; ${kilobytes(RECOMMENDED_UDP_BYTES)} to receive are recommended`,
    remedy: `sudo sysctl -w net.core.rmem_max=${RECOMMENDED_UDP_BYTES}`,
  };
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} KB`;
}
