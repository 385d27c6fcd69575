import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { shellLine } from '../../../ground/system/shell-word.ts';
import { ImportError } from '../../import-error.ts';
import { type ImportLimits, importBudget } from '../../limits.ts';
import { openFolder } from '../archive-folder.ts';
import { headOf, isGzip, rawHeadOf } from '../file-head.ts';
import type { PageImporter } from '../importer.ts';
import { type ArchiveContent, readersOf } from '../recording-of.ts';
import { readCrawl, WARC_NAME } from './crawl.ts';
import { warcCollector } from './exchanges.ts';
import { warcRecords } from './records.ts';

export const WARC: PageImporter = {
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return holdsWarcs(archive);
    return (
      WARC_NAME.test(archive) ||
      head.toString('latin1', 0, 5) === 'WARC/' ||
      isArc(head) ||
      isZstd(archive, head)
    );
  },
  ...readersOf('a WARC', contentOf),
};

/** Whether a folder has WARCs where crawlers put them: beside each other, or in `archive` beside a list of pages. */
async function holdsWarcs(folder: string): Promise<boolean> {
  const places = [folder, path.join(folder, 'archive')].map((place) =>
    readdir(place, { withFileTypes: true }).catch(() => []),
  );
  const entries = (await Promise.all(places)).flat();
  return entries.some((entry) => entry.isFile() && WARC_NAME.test(entry.name));
}

/** A WARC packed by Zstandard, as of Archive Team; a dictionary may be its first frame, which is to be skipped. */
function isZstd(archive: string, head: Buffer): boolean {
  const start = head.toString('hex', 0, 4);
  return start === '28b52ffd' || (/\.warc\.zst$/i.test(archive) && /^5.2a4d18$/.test(start));
}

/** The format before WARC, by the same programs. */
function isArc(head: Buffer): boolean {
  return head.toString('latin1', 0, 11) === 'filedesc://';
}

async function contentOf(archive: string, limits: Readonly<ImportLimits>): Promise<ArchiveContent> {
  const file = path.basename(archive);
  if ((await stat(archive)).isDirectory()) {
    return readCrawl(file, await openFolder(archive, limits), limits);
  }
  const head = (await headOf(archive)) ?? Buffer.alloc(0);
  if (isZstd(archive, head)) {
    const unpacked = file.replace(/\.zst$/i, '');
    throw new ImportError(
      `${archive} is packed by Zstandard, which is not read here. Unpack it: zstd -d ${shellLine([file, '-o', unpacked === file ? `${file}.warc` : unpacked])}`,
    );
  }
  if (isArc(head)) {
    throw new ImportError(
      `${archive} is an ARC, the format before WARC, which cannot be imported. Convert it: pip install warcio; warcio recompress ${shellLine([file, file.replace(/(\.arc)?(\.gz)?$/i, '.warc.gz')])}`,
    );
  }
  const budget = importBudget(archive, limits);
  const collector = warcCollector(budget);
  const isPacked = isGzip((await rawHeadOf(archive)) ?? new Uint8Array());
  const warc = { packed: createReadStream(archive), isPacked };
  for await (const record of warcRecords(file, warc, budget)) collector.add(record);
  return collector.content();
}
