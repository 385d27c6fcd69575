import { stat } from 'node:fs/promises';
import type { Importer } from '../importer.ts';
import { listSavedPages, readSavedPage } from './saved-page.ts';

/** Folders saved with `wget --page-requisites --save-headers`. */
export const WGET_FOLDER: Importer = {
  format: 'wget',
  what: "a folder saved with `wget --page-requisites --save-headers` (a host's own folder, or the one that holds the hosts' folders)",
  // Any folder: what is missing in it is said best by who reads it.
  recognise: async (archive) => (await stat(archive).catch(() => null))?.isDirectory() ?? false,
  read: readSavedPage,
  pages: listSavedPages,
};
