import type { ExportFormat } from '../exporter.ts';

/** A folder as `wget --page-requisites --save-headers` writes it, and Chromium's quic_server reads it. */
export const wget: ExportFormat = {
  format: 'wget',
  ending: '-wget',
  help: 'a folder with a file for each response',
  load: async () => (await import('./exporter.ts')).writeWget,
};
