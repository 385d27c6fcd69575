import type { ExportFormat } from '../exporter.ts';

/** Decoded bodies in a folder for each host, for any file server. */
export const documentRoot: ExportFormat = {
  format: 'files',
  ending: '-files',
  help: 'decoded bodies in a folder for each host, the document root of any file server',
  load: async () => (await import('./exporter.ts')).writeFiles,
};
