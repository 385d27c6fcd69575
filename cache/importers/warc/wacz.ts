import path from 'node:path';
import type { ImportLimits } from '../../limits.ts';
import { readInputFile } from '../archive-file.ts';
import { headOf } from '../file-head.ts';
import type { PageImporter } from '../importer.ts';
import { type ArchiveContent, readersOf } from '../recording-of.ts';
import { isZip, openZip, zipHasName } from '../zip-archive.ts';
import { readCrawl, WARC_NAME } from './crawl.ts';

export const WACZ: PageImporter = {
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
