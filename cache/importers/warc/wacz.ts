import path from 'node:path';
import type { ImportLimits } from '../../limits.ts';
import { readInputFile } from '../archive-file.ts';
import { headOf } from '../file-head.ts';
import type { Importer } from '../importer.ts';
import { type ArchiveContent, readersOf } from '../recording-of.ts';
import { isZip, openZip, zipHasName } from '../zip-archive.ts';
import { readCrawl, WARC_NAME } from './crawl.ts';

/** WACZ: WARCs in a zip, with a list of the pages in them. */
export const WACZ: Importer = {
  format: 'wacz',
  what: 'a WACZ (`.wacz`): Browsertrix, ArchiveWeb.page, py-wacz',
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return false;
    return /\.wacz$/i.test(archive) || (isZip(head) && zipHasName(archive, WARC_NAME));
  },
  ...readersOf('a WACZ', contentOf),
};

async function contentOf(archive: string, limits: Readonly<ImportLimits>): Promise<ArchiveContent> {
  const bytes = await readInputFile(archive, limits.fileBytes, 'Give an archive of one page.');
  const file = path.basename(archive);
  return readCrawl(file, await openZip(file, bytes, limits), limits);
}
