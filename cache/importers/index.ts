import { HAR } from './har/importer.ts';
import type { Importer } from './importer.ts';
import { WGET_FOLDER } from './wget/importer.ts';

/** All formats that can be imported; the first one that recognises an archive reads it. */
export const IMPORTERS: readonly Importer[] = [
  HAR,
  // Recognises any folder, so it stands last.
  WGET_FOLDER,
];
