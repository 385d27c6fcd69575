import type { ExportFormat } from '../exporter.ts';

/** WARC 1.1 (ISO 28500:2017). */
export const warc: ExportFormat = {
  format: 'warc',
  ending: '.warc.gz',
  help: 'one .warc.gz',
  load: async () => (await import('./exporter.ts')).writeWarc,
};
