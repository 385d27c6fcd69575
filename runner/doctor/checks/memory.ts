import { readFileSync } from 'node:fs';
import type { Check, Finding } from '../check.ts';

// Chromium with a page of many images, three servers and the runner together.
const LEAST_MB = 1024;

/** Whether browser and servers fit without swapping. */
export const memory: Check = {
  name: 'memory',
  run() {
    const text = readFileSync('/proc/meminfo', 'utf8');
    return judgeMemory(megabytes(text, 'MemAvailable'), megabytes(text, 'MemTotal'));
  },
};

function megabytes(meminfo: string, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/meminfo has no ${field}`);
  return Math.round(Number(kilobytes) / 1024);
}

export function judgeMemory(availableMb: number, totalMb: number): Finding {
  const found = `${availableMb} MB of ${totalMb} MB free for use`;
  if (availableMb >= LEAST_MB) return { status: 'ok', found };
  return {
    status: 'note',
    found: `${found}, ${LEAST_MB} MB should be`,
    remedy: 'Stop other programs: a machine that swaps measures its disk',
  };
}
