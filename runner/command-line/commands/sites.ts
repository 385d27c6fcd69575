import { EXPORT_FORMATS } from '../../../cache/exporters/index.ts';
import { IMPORT_FORMATS } from '../../../cache/importers/index.ts';
import { FLAG, names, oneOf, text, urls, wholeNumber } from '../../../ground/options/readers.ts';
import { optionGroup } from '../../../ground/options/row.ts';
import { type CommandRow, GROUP, usageStatuses } from './row.ts';

export const RECORD_OPTIONS = optionGroup(GROUP, 'invocation', {
  name: {
    argument: 'NAME',
    help: 'name of the site in the cache (default: the host, or <host>-recorded where the cache has a site of that name that was not recorded); replaces a site that was recorded under that name',
    read: text,
  },
  wait: {
    argument: 'S',
    help: 'stops once the page has requested nothing for 2 seconds, and at most this many seconds after its load event (and the end of scrolling), 0 to 3600',
    read: wholeNumber([0, 3600]),
    byDefault: 30,
  },
  timeout: {
    argument: 'S',
    help: 'seconds after which a page without a load event counts as failed, 1 to 3600',
    read: wholeNumber([1, 3600]),
    byDefault: 60,
  },
  scroll: {
    ...FLAG,
    help: 'scrolls to the end of the page and back, so that lazy content loads',
  },
  viewport: {
    argument: 'WxH',
    help: ({ desktop }) =>
      `size of the page's window in CSS pixels (default ${desktop}, as in measured loads)`,
    read: text,
  },
  mobile: {
    ...FLAG,
    help: ({ phone }) => `as a phone: ${phone}, touch, the user agent of a mobile browser`,
  },
});

export const IMPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  name: {
    argument: 'NAME',
    help: 'name of the site in the cache (default: the host, of a video its folder, or <host>-imported where the cache has another site of that name)',
    read: text,
  },
  document: {
    argument: 'URL|FILE',
    help: 'the page: its URL in an archive, or its file in a folder (default: the first page of the archive, or index.html of the folder)',
    read: text,
  },
  list: {
    ...FLAG,
    help: 'lists the pages of the archive, each with what --document takes to choose it, and writes nothing',
    conflicts: ['name', 'document', 'without'],
  },
  without: {
    argument: 'URL,...',
    help: 'requests to leave out of the site, by their URLs; servers answer them with 404',
    read: urls,
  },
});

export const EXPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  to: {
    argument: 'FORMAT',
    help: `needed. ${[...Map.groupBy(EXPORT_FORMATS, ({ help }) => help)]
      .map(([help, formats]) => `${formats.map(({ format }) => format).join(', ')}: ${help}`)
      .join('; ')}`,
    read: oneOf(...EXPORT_FORMATS.map(({ format }) => format)),
  },
  out: {
    argument: 'PATH',
    help: 'file or folder to write (default: in exports/, named after the site); nothing is ever overwritten',
    read: text,
  },
});

export const SITES_OPTIONS = optionGroup(GROUP, 'invocation', {
  sites: {
    argument: '@FILE',
    help: 'the sites that a file names, one per line; or names separated by commas (default: all)',
    read: names,
  },
  json: {
    ...FLAG,
    help: 'prints one line of JSON per site',
  },
});

/** What brings sites into the cache, lists them, and takes them out. */
export const SITE_COMMANDS = {
  record: {
    summary: 'loads a live page, keeps what every host answered, and replays it as a check',
    operands: [
      {
        name: 'URL',
        help: 'the page; https:// may be omitted',
        needed: true,
      },
    ],
    options: RECORD_OPTIONS,
    examples: [
      ['https://www.example.org/', 'the page as a desktop browser sees it'],
      ['www.example.org --mobile --scroll', 'as a phone sees it, scrolled to its end'],
    ],
    statuses:
      'Exit status: 0 recorded (differences at the replay are printed), 1 a bug, 2 wrong usage or no page, 3 this machine lacks something, 4 a server failed at the replay, 5 the page could not be reached or never finishes loading, 130 interrupted.',
  },
  import: {
    summary: 'makes a site from an archive of a page',
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
  },
  export: {
    summary: 'writes a site in a format that other tools read, or for a server to answer from',
    operands: [
      {
        name: 'SITE',
        help: 'name of a site in the cache (npm run sites lists them)',
        needed: true,
      },
    ],
    options: EXPORT_OPTIONS,
    examples: EXPORT_FORMATS.flatMap(({ format, example }) =>
      example === undefined ? [] : [[`www.example.org --to ${format}`, example] as const],
    ),
    statuses: usageStatuses('a damaged site'),
  },
  sites: {
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
  },
} as const satisfies Record<string, CommandRow>;
