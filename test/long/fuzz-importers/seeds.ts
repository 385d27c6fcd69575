import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const TESTS = path.join(import.meta.dirname, '..', '..');
const MOST_BYTES = 300_000;

/** What programs really wrote, or nearly: the files of unit tests, by their names, unpacked where they are gzip. */
function files(pattern: string): Map<string, Buffer> {
  const names = globSync(pattern, { cwd: TESTS }).sort();
  const all = names.flatMap((name): [string, Buffer][] => {
    const file = path.join(TESTS, name);
    return statSync(file).isFile() ? [[name, unpacked(readFileSync(file))]] : [];
  });
  return new Map(all.filter(([, content]) => content.length <= MOST_BYTES));
}

function unpacked(content: Buffer): Buffer {
  return content.toString('hex', 0, 2) === '1f8b' ? gunzipSync(content) : content;
}

export const SEEDS = {
  har: [...files('unit/cache/importers/har/recorded/*.har{,.gz}').values()],
  warc: [...files('fixtures/warc/**/*.warc{,.gz}').values()],
  wprgo: [...files('fixtures/web-page-replay/*.wprgo').values()],
  dash: [...files('unit/cache/importers/dash/*.mpd').values()],
  /** By their paths below the folder that is imported. */
  wget: relative(files('fixtures/wget/converted/**/*'), 'fixtures/wget/converted'),
  captures: [...files('fixtures/captures/*.pcap{,ng}').values()],
  captureKeys: [...files('fixtures/captures/*.keys').values()],
};

function relative(all: Map<string, Buffer>, folder: string): Map<string, Buffer> {
  return new Map([...all].map(([name, content]) => [path.relative(folder, name), content]));
}
