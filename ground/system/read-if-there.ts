import { readFileSync } from 'node:fs';

/** Text of a file; null: unreadable. Files of /proc and /sys come and go, and some kernels and containers lack them. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
