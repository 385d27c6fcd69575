import path from 'node:path';
import { sitesFolder } from '../../cache/catalogue.ts';
import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { oneOf, text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { print } from '../../ground/system/printed.mjs';
import { projectFolder } from '../../ground/system/project-folder.ts';
import type { Tool } from '../tool.ts';

/** Where exports go unless --out says otherwise; not in git. */
const EXPORTS_FOLDER = path.join(projectFolder, 'exports');

export const EXPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  to: {
    argument: 'FORMAT',
    help: 'needed. har: one file with all bodies, for DevTools and others; warc: one .warc.gz; wget: a folder with a file for each response; nginx, caddy, apache: a folder that this server answers from, with a start.sh for --server',
    read: oneOf('har', 'warc', 'wget', 'nginx', 'caddy', 'apache'),
  },
  out: {
    argument: 'PATH',
    help: 'file or folder to write (default: in exports/, named after the site); nothing is ever overwritten',
    read: text,
  },
});

/** `npm run export`. */
export const exportTool: Tool = {
  summary: 'writes a site in a format that other tools read, or for a server to answer from',
  operands: [
    {
      name: 'SITE',
      help: 'name of a site in the cache (npm run sites lists them)',
      needed: true,
    },
  ],
  options: EXPORT_OPTIONS,
  examples: [
    ['www.example.org --to har', 'one file that DevTools opens'],
    ['www.example.org --to nginx', 'a folder that nginx answers from, to measure nginx'],
  ],
  statuses: usageStatuses('a damaged site'),
  async run({ given, operands: [site = ''] }) {
    const { exportCommand } = await import('../../cache/export.ts');
    const surroundings = { sites: sitesFolder, exportsFolder: EXPORTS_FOLDER, print };
    await exportCommand(site, valuesOf(EXPORT_OPTIONS, given), surroundings);
    return EXIT.ok;
  },
};
