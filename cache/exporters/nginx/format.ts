import { type ExportFormat, SERVER_HELP } from '../exporter.ts';

export const nginx: ExportFormat = {
  format: 'nginx',
  ending: '-nginx',
  help: SERVER_HELP,
  example: 'a folder that nginx answers from, to measure nginx',
  server: { program: 'nginx', from: 'nginx-light' },
  load: async () => (await import('./exporter.ts')).writeNginx,
};
