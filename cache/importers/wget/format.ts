import type { ImportFormat } from '../importer.ts';

/** Folders saved with `wget --page-requisites --save-headers`. */
export const wget: ImportFormat = {
  format: 'wget',
  help: 'a folder saved by wget with headers',
  what: "a folder saved with `wget --page-requisites --save-headers` (a host's own folder, or the one that holds the hosts' folders)",
  load: async () => (await import('./importer.ts')).WGET_FOLDER,
};
