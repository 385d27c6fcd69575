import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Lines of a NetLog that Chromium 156 wrote while it loaded a page of two hosts, six images among
 * them, from this project's servers. Each log is reduced to events about connections, and to the
 * fields that are read; the rest is unchanged. `*-full-then-*`: two loads, every connection closed
 * in between (in `h3-full-then-rejected` the server had been replaced by then, without the keys of
 * the first one's tickets); `*-kept`: the connections were left open; `*-refused`: nothing
 * listened.
 */
export function recordedLines(name: string): string[] {
  const file = path.join(import.meta.dirname, 'recorded', `${name}.netlog`);
  return readFileSync(file, 'utf8').split('\n');
}

/** When the second load began. */
export const SECOND_LOAD_MS = {
  'h3-full-then-early-data': 1417057.304353,
  'h3-full-then-rejected': 1444272.716908,
  'h2-full-then-resumed': 1425942.944378,
  'h1-full-then-resumed': 1433870.287509,
  'h3-kept': 1419785.722972,
  'h2-kept': 1428816.528782,
  'h1-kept': 1436832.588003,
} as const;
