import type { ImportFormat } from '../importer.ts';

/** Archives of Chromium's web-page-replay (`.wprgo`). */
export const webPageReplay: ImportFormat = {
  format: 'web-page-replay',
  help: 'a web-page-replay archive',
  what: 'a web-page-replay archive (`.wprgo`)',
  load: async () => (await import('./importer.ts')).WEB_PAGE_REPLAY,
};
