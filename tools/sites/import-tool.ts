import { newSiteFolder, videosFolder } from '../../cache/catalogue.ts';
import { IMPORT_FORMATS } from '../../cache/importers/index.ts';
import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { FLAG, text, urls } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { print } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';

export const IMPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  name: {
    argument: 'NAME',
    help: 'name of the site in the cache (default: the host, for a video its folder, or <host>-imported if the cache has another site of that name)',
    read: text,
  },
  document: {
    argument: 'URL|FILE',
    help: 'the page: its URL in an archive, or its file in a folder (default: the first page of the archive, or index.html of the folder)',
    read: text,
  },
  list: {
    ...FLAG,
    help: 'only lists the pages of the archive, each with its value for --document',
    conflicts: ['name', 'document', 'without'],
  },
  without: {
    argument: 'URL,...',
    help: 'URLs of requests to exclude from the site; servers answer them with 404',
    read: urls,
  },
});

export const importTool: Tool = {
  summary: 'creates a site from an archive of a page',
  operands: [
    {
      name: 'PATH',
      help: `${IMPORT_FORMATS.slice(0, -1)
        .map(({ help }) => help)
        .join(', ')}, or ${IMPORT_FORMATS.at(-1)?.help}`,
      needed: true,
    },
  ],
  options: IMPORT_OPTIONS,
  examples: IMPORT_FORMATS.flatMap(({ example }) => (example ? [example] : [])),
  statuses: usageStatuses('an archive that cannot become a site'),
  async run({ given, operands: [archive = ''] }) {
    const { importCommand } = await import('../../cache/import.ts');
    const videoFolderOf = (video: string) => newSiteFolder(video, videosFolder);
    const dependencies = { folderOf: newSiteFolder, videoFolderOf, print };
    await importCommand(archive, valuesOf(IMPORT_OPTIONS, given), dependencies);
    return EXIT.ok;
  },
};
