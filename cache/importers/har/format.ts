import type { ImportFormat } from '../importer.ts';

/** HAR 1.2 of browsers, Playwright, WebPageTest, proxies and this project. */
export const har: ImportFormat = {
  format: 'har',
  help: 'a HAR (plain, gzip or zip; without bodies it becomes a generated page of the same shape)',
  what: 'a HAR (plain, gzip, or the zip that Playwright writes). One without the body of its document becomes a generated page with the same types, sizes, hosts and order',
  example: ['page.har', 'a page that DevTools saved'],
  load: async () => (await import('./importer.ts')).HAR,
};
