import { rmSync } from 'node:fs';
import path from 'node:path';
import { sitesFolder, videosFolder } from '../../cache/catalogue.ts';
import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { FLAG, names } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { madeFolder } from '../../ground/system/folders.mjs';
import { complain, print } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';

/** Set-up's marker for created sites. */
const SET_UP_STAMP = path.join(madeFolder, '.setup', 'sites');

export const SITES_OPTIONS = optionGroup(GROUP, 'invocation', {
  sites: {
    argument: '@FILE',
    help: 'a file with one site per line; or names separated by commas (default: all)',
    read: names,
  },
  json: {
    ...FLAG,
    help: 'prints one line of JSON per site',
  },
});

export const sites: Tool = {
  summary: 'lists the sites of the cache, or verifies their files against their hashes',
  operands: [
    {
      name: 'list|verify',
      help: 'list (the default): kind, hosts, resources, bytes as sent, date, types, source; verify: checks the SHA-256 of every body',
    },
    { name: 'SITE', help: 'only these sites (default: all)', many: true },
  ],
  options: SITES_OPTIONS,
  examples: [
    ['', 'all sites'],
    ['verify www.example.org', 'whether the files of one site are intact'],
  ],
  statuses: usageStatuses('a damaged site'),
  async run({ given, operands }) {
    const { sitesCommand } = await import('../../cache/sites.ts');
    const toRepair = () => rmSync(SET_UP_STAMP, { recursive: true, force: true });
    const dependencies = { sites: sitesFolder, videos: videosFolder, toRepair, print, complain };
    return sitesCommand(operands, valuesOf(SITES_OPTIONS, given), dependencies);
  },
};
