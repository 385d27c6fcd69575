import type { ImportFormat } from '../importer.ts';

/** WARC 1.0 and 1.1 (ISO 28500), plain or gzip, or several of one crawl; WACZ: WARCs in a zip, with a list of the pages in them. */
export const warc: readonly ImportFormat[] = [
  {
    format: 'warc',
    help: 'a WARC or a folder of WARCs',
    what: 'a WARC (`.warc` or `.warc.gz`), the format of web archives: `wget --warc-file`, Heritrix, Browsertrix, warcio; or a folder of all WARCs of one crawl, such as an unpacked WACZ',
    load: async () => (await import('./importer.ts')).WARC,
  },
  {
    format: 'wacz',
    help: 'a WACZ',
    what: 'a WACZ (`.wacz`): Browsertrix, ArchiveWeb.page, py-wacz',
    example: ['site.wacz --list', 'the pages that the archive has'],
    load: async () => (await import('./importer.ts')).WACZ,
  },
];
