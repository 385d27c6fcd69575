import type { ImportFormat } from '../importer.ts';

/** Folders that Mahimahi's `mm-webrecord` recorded: one protobuf file for each request with its response. */
export const mahimahi: ImportFormat = {
  format: 'mahimahi',
  help: 'a folder recorded by Mahimahi',
  what: 'a folder recorded by Mahimahi (`mm-webrecord`)',
  load: async () => (await import('./importer.ts')).MAHIMAHI,
};
