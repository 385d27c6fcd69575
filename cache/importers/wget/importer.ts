import { stat } from 'node:fs/promises';
import type { PageImporter } from '../importer.ts';
import { listSavedPages, readSavedPage } from './saved-page.ts';

export const WGET_FOLDER: PageImporter = {
  // Any folder: what is missing in it is said best by who reads it.
  recognise: async (archive) => (await stat(archive).catch(() => null))?.isDirectory() ?? false,
  read: readSavedPage,
  pages: listSavedPages,
};
