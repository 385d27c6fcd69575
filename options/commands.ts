import type { Operand } from '../experiments/experiment.ts';
import { EXPERIMENTS } from '../experiments/index.ts';
import { optionsOfRun } from './benchmark.ts';
import { COMPARISON_OPTIONS } from './comparison.ts';
import { INVOCATION_OPTIONS } from './invocation.ts';
import { FLAG, names, oneOf, text, urls, wholeNumber } from './readers.ts';
import { type OptionTable, optionGroup } from './row.ts';
import { TABLE_OPTIONS } from './tables.ts';

/** One command of the program: everything that is said of it anywhere derives from its row. */
export interface CommandRow {
  /** One line for lists of commands. */
  summary: string;
  /** What stands behind its name, beside options. */
  operands: readonly Operand[];
  options: OptionTable;
  /** Words behind the command, with what they do; the help begins with these. */
  examples: readonly (readonly [words: string, what: string])[];
  /** What its exit statuses mean. */
  statuses: string;
}

const GROUP = 'Options';

/** Of commands that measure. */
export const RUN_STATUSES =
  'Exit status: 0 all attempts ok, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do), 4 a server failed, 5 the network is not what was asked for, 6 some attempts failed or were invalid, 7 the rule of --fail-if is met, 8 that could not be decided, 130 interrupted.';

/** Of the others; `data` is what can be wrong with what they read. */
function usageStatuses(data: string): string {
  return `Exit status: 0 done, 1 a bug, 2 wrong usage or ${data}, 3 the disk is full or cannot be written to.`;
}

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
    help: 'name of the site in the cache (default: the host, or <host>-imported where the cache has another site of that name)',
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
    help: 'needed. har: one file with all bodies, for DevTools and others; warc: one .warc.gz; wget: a folder with a file for each response; nginx, caddy, apache: a folder that this server answers from, with a start.sh for --server',
    read: oneOf('har', 'warc', 'wget', 'nginx', 'caddy', 'apache'),
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

export const REPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  compare: {
    ...FLAG,
    help: 'writes compare.html and compare.json instead, with two runs side by side',
  },
  out: {
    argument: 'DIR',
    help: 'folder for these files, made where it is missing (default results/compare-<first run>-<second run>)',
    read: text,
    needs: 'compare',
  },
  baseline: {
    argument: 'STACK',
    read: text,
    help: 'compares all with this stack (default: as planned)',
  },
  margin: {
    argument: '%',
    read: COMPARISON_OPTIONS.margin.read,
    help: 'calls two stacks the same within this many percent (default: the planned margin)',
  },
  metric: {
    argument: 'METRIC',
    read: text,
    help: ({ metrics }) =>
      `what verdicts are about (default: the planned metric); for page loads: ${metrics.join(', ')}`,
  },
  dialect: { ...TABLE_OPTIONS.dialect, group: GROUP, conflicts: ['compare'] },
});

export const MERGE_OPTIONS = optionGroup(GROUP, 'invocation', {
  out: {
    argument: 'DIR',
    help: 'needed: the folder to create; the parts stay as they are',
    read: text,
  },
  'fail-if': { ...INVOCATION_OPTIONS['fail-if'], group: GROUP },
});

export const PACKETS_OPTIONS = optionGroup(GROUP, 'invocation', {
  keys: {
    argument: 'FILE',
    help: 'key log (SSLKEYLOGFILE) for a capture that has no keys inside',
    read: text,
  },
  csv: {
    argument: 'DIR',
    help: 'writes packets.csv and wire-connections.csv of a capture there; a run has them in its folder',
    read: text,
  },
  flow: {
    argument: 'FILE',
    help: 'draws the captures beside each other into this HTML file: who sent what when, and bytes over time; a run has such pages in its folder',
    read: text,
  },
  qlog: {
    argument: 'DIR',
    help: 'writes a qlog of each QUIC connection there, for qvis',
    read: text,
  },
  json: {
    ...FLAG,
    help: 'prints what the capture tells as JSON, one line for each capture',
  },
});

export const DOCTOR_OPTIONS = optionGroup(GROUP, 'invocation', {
  resolve: {
    argument: 'IP',
    help: 'asks the server of the URL at this address, whatever addresses its name has',
    read: text,
  },
});

/** A command for each experiment that has one. */
export const MEASURING: Readonly<Record<string, CommandRow>> = Object.fromEntries(
  EXPERIMENTS.flatMap((experiment) => {
    const { command } = experiment;
    if (command === null) return [];
    const { name, summary, operands = [], examples } = command;
    const options = optionsOfRun(experiment);
    return [[name, { summary, operands, options, examples, statuses: RUN_STATUSES }]];
  }),
);

const OTHERS = {
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
        help: 'a HAR (plain, gzip or zip; without bodies it becomes a generated page of the same shape), a WARC or WACZ or a folder of WARCs, a web-page-replay archive, or a folder recorded by Mahimahi or saved by wget with headers',
        needed: true,
      },
    ],
    options: IMPORT_OPTIONS,
    examples: [
      ['page.har', 'or site.warc.gz, site.wacz, archive.wprgo, a folder'],
      ['site.wacz --list', 'the pages that the archive has'],
    ],
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
    examples: [
      ['www.example.org --to har', 'one file that DevTools opens'],
      ['www.example.org --to nginx', 'a folder that nginx answers from, to measure nginx'],
    ],
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
  report: {
    summary: "rewrites a run's summary and report from its records, or compares two runs",
    operands: [
      {
        name: 'DIR',
        help: 'folder of a run, or of a ladder (default results/latest)',
        many: true,
      },
    ],
    options: REPORT_OPTIONS,
    examples: [
      ['', 'the report of the latest run'],
      ['DIR --margin 2', 'with another margin; the report says that it was chosen after the run'],
      ['--compare DIR1 DIR2', 'two runs side by side'],
    ],
    statuses: usageStatuses('a damaged run'),
  },
  merge: {
    summary: 'joins parts of one plan that several machines measured, and writes the report',
    operands: [
      {
        name: 'DIR',
        help: 'folders of parts of the same plan that have no attempt in common; missing parts are listed in the report',
        needed: true,
        many: true,
      },
    ],
    options: MERGE_OPTIONS,
    examples: [['part-1 part-2 --out whole', 'two parts into a new folder']],
    statuses: `${usageStatuses('parts that are not of one run').slice(0, -1)}, 6 some attempts failed or were invalid, 7 the rule of --fail-if is met, 8 that could not be decided.`,
  },
  packets: {
    summary:
      'says what captured packets tell: handshakes, round trips, losses, and where the bytes went',
    operands: [
      {
        name: 'CAPTURE|LOAD|DIR',
        help: 'a pcapng or pcap file, whoever made it; the id of an attempt of results/latest; or the folder of a run made with --packets (default results/latest)',
        many: true,
      },
    ],
    options: PACKETS_OPTIONS,
    examples: [
      ['', 'all captures of the latest run'],
      ['trace.pcapng --keys keys.log', 'a capture made elsewhere, by Wireshark or tcpdump'],
      ['h3.pcapng h2.pcapng --flow flow.html', 'two captures drawn on one time axis'],
    ],
    statuses: `${usageStatuses('a file that is no capture').slice(0, -1)}; there is no tshark.`,
  },
  doctor: {
    summary:
      'says what this machine can do and how to fix what it lacks; or why Chromium does not speak HTTP/3 to a server',
    operands: [
      {
        name: 'URL',
        help: "a server that runs already, over this machine's own network; https:// may be omitted (default: none, this machine is examined)",
      },
    ],
    options: DOCTOR_OPTIONS,
    examples: [
      ['', 'whether the benchmark can run here'],
      ['https://localhost:8443', 'whether Chromium speaks HTTP/3 to this server, or why not'],
    ],
    statuses:
      'Exit status: 0 when the benchmark can run, or Chromium speaks HTTP/3 to the server; 1 a bug, 2 wrong usage, 3 when the benchmark cannot run, or nothing is set up to ask with; 4 when Chromium does not speak HTTP/3 to the server; 130 interrupted.',
  },
} as const satisfies Record<string, CommandRow>;

/** A command that measures nothing. */
export type OtherCommand = keyof typeof OTHERS;

/** Every command of the program, in the order of its help. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = { ...MEASURING, ...OTHERS };

/** The command of that name, if there is one. */
export function commandNamed(name = ''): CommandRow | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}
