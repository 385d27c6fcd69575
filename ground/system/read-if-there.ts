import { readFileSync } from 'node:fs';

/** The text of a file; null: it cannot be read. Files of /proc and /sys come and go, and not every kernel or container has them. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
