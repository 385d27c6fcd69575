import path from 'node:path';
import { sitesFolder } from '../../cache/catalogue.ts';
import { EXPORT_FORMATS } from '../../cache/exporters/index.ts';
import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { oneOf, text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { outputFolder } from '../../ground/system/folders.mjs';
import { print } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import type { Tool } from '../tool.ts';

/** Default folder of exports; not in git. */
const EXPORTS_FOLDER = path.join(outputFolder, 'exports');

export const EXPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  to: {
    argument: 'FORMAT',
    help: `required. ${[...Map.groupBy(EXPORT_FORMATS, ({ help }) => help)]
      .map(([help, formats]) => `${formats.map(({ format }) => format).join(', ')}: ${help}`)
      .join('; ')}`,
    read: oneOf(...EXPORT_FORMATS.map(({ format }) => format)),
  },
  out: {
    argument: 'PATH',
    help: 'file or folder to create (default: in exports/, named after the site); never overwrites',
    read: text,
  },
});

export const exportTool: Tool = {
  summary: 'writes a site in a format of other tools, or for a server',
  operands: [
    {
      name: 'SITE',
      help: 'name of a site in the cache (list them with npm run sites)',
      needed: true,
    },
  ],
  options: EXPORT_OPTIONS,
  examples: EXPORT_FORMATS.flatMap(({ format, example }) =>
    example === undefined ? [] : [[`www.example.org --to ${shellWord(format)}`, example] as const],
  ),
  statuses: usageStatuses('a damaged site'),
  async run({ given, operands: [site = ''] }) {
    const { exportCommand } = await import('../../cache/export.ts');
    const dependencies = { sites: sitesFolder, exportsFolder: EXPORTS_FOLDER, print };
    await exportCommand(site, valuesOf(EXPORT_OPTIONS, given), dependencies);
    return EXIT.ok;
  },
};
