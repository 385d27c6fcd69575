import { type ExportFormat, SERVER_HELP } from '../exporter.ts';

export const caddy: ExportFormat = {
  format: 'caddy',
  ending: '-caddy',
  help: SERVER_HELP,
  server: { program: 'caddy', from: 'caddy' },
  load: async () => (await import('./exporter.ts')).writeCaddy,
};
