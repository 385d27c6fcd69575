import type { ExportFormat } from '../exporter.ts';

/** HAR 1.2 with bodies. */
export const har: ExportFormat = {
  format: 'har',
  ending: '.har',
  help: 'one file with all bodies, for DevTools and other tools',
  example: 'one file that DevTools opens',
  load: async () => (await import('./exporter.ts')).writeHar,
};
