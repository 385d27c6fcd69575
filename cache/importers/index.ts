import { HAR } from './har/importer.ts';
import type { Importer } from './importer.ts';
import { MAHIMAHI } from './mahimahi/importer.ts';
import { WARC } from './warc/importer.ts';
import { WACZ } from './warc/wacz.ts';
import { WEB_PAGE_REPLAY } from './web-page-replay/importer.ts';
import { WGET_FOLDER } from './wget/importer.ts';

/** All formats that can be imported; the first one that recognises an archive reads it. */
export const IMPORTERS: readonly Importer[] = [
  HAR,
  WARC,
  WACZ,
  WEB_PAGE_REPLAY,
  MAHIMAHI,
  // Recognises any folder, so it stands last.
  WGET_FOLDER,
];
