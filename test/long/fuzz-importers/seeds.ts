import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const MAX_BYTES = 300_000;

/**
 * Real or nearly real output of programs: files of tests, by their paths in a folder, unpacked for
 * gzip.
 */
export function seedsIn(folder: string, pattern: string): Map<string, Buffer> {
  const names = globSync(pattern, { cwd: folder }).sort();
  const all = names.flatMap((name): [string, Buffer][] => {
    const file = path.join(folder, name);
    return statSync(file).isFile() ? [[name, unpacked(readFileSync(file))]] : [];
  });
  return new Map(all.filter(([, content]) => content.length <= MAX_BYTES));
}

function unpacked(content: Buffer): Buffer {
  return content.toString('hex', 0, 2) === '1f8b' ? gunzipSync(content) : content;
}
