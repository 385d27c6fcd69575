import { existsSync, readFileSync } from 'node:fs';
import type { Check, Finding } from '../check.ts';

const FILE = '/proc/pressure/cpu';
const HIGH_PERCENT = 10;

/** How long programs wait for a processor, which a load average does not tell on a virtual machine. */
export const pressure: Check = {
  name: 'CPU pressure',
  run() {
    // Opening it may fail too: some kernels have the file and refuse it.
    return judgePressure(existsSync(FILE) ? readFileSync(FILE, 'utf8') : null);
  },
};

/** @param text what the kernel tells; null: it does not */
export function judgePressure(text: string | null): Finding {
  const percent = /^some avg10=([\d.]+)/m.exec(text ?? '')?.[1];
  if (percent === undefined) return { status: 'ok', found: `not told by this kernel (${FILE})` };
  const found = `programs waited ${percent} % of the last 10 s`;
  if (Number(percent) <= HIGH_PERCENT) return { status: 'ok', found };
  return {
    status: 'note',
    found,
    remedy: 'Stop other programs, or wait: times get longer and vary more',
  };
}
