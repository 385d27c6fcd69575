import { dash } from './dash/format.ts';
import { har } from './har/format.ts';
import type { ImportFormat } from './importer.ts';
import { mahimahi } from './mahimahi/format.ts';
import { warc } from './warc/format.ts';
import { webPageReplay } from './web-page-replay/format.ts';
import { wget } from './wget/format.ts';

/** All formats that can be imported; the first one that recognises an archive reads it. wget's recognises any folder, so it stands last. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  har,
  ...warc,
  webPageReplay,
  mahimahi,
  dash,
  wget,
];
