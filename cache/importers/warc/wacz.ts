import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ImportError } from '../../import-error.ts';
import type { ImportLimits } from '../../limits.ts';
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
  if ((await stat(archive)).size > limits.fileBytes) {
    throw new ImportError(
      `${archive} has more than ${limits.fileBytes.toLocaleString('en-US')} bytes. Give an archive of one page.`,
    );
  }
  const file = path.basename(archive);
  return readCrawl(file, await openZip(file, await readFile(archive), limits), limits);
}
