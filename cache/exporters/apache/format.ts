import { type ExportFormat, SERVER_HELP } from '../exporter.ts';

export const apache: ExportFormat = {
  format: 'apache',
  ending: '-apache',
  help: SERVER_HELP,
  server: { program: 'apache2', from: 'apache2-bin' },
  load: async () => (await import('./exporter.ts')).writeApache,
};
