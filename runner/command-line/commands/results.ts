import { COMPARISON_OPTIONS } from '../../../ground/options/comparison.ts';
import { INVOCATION_OPTIONS } from '../../../ground/options/invocation.ts';
import { FLAG, text } from '../../../ground/options/readers.ts';
import { optionGroup } from '../../../ground/options/row.ts';
import { TABLE_OPTIONS } from '../../../ground/options/tables.ts';
import { type CommandRow, GROUP, usageStatuses } from './row.ts';

const RULE_STATUSES = '7 the rule of --fail-if is met, 8 that could not be decided';

/** Files for continuous integration, of commands without --freeze. */
const OF_FINDINGS = optionGroup(GROUP, 'invocation', {
  junit: { ...INVOCATION_OPTIONS.junit, group: GROUP, conflicts: [] },
  markdown: { ...INVOCATION_OPTIONS.markdown, group: GROUP, conflicts: [] },
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
  'fail-if': {
    ...INVOCATION_OPTIONS['fail-if'],
    group: GROUP,
    help: (known) =>
      `${INVOCATION_OPTIONS['fail-if'].help(known)}; with --compare "${known.stacks[0]} slower by 5%": in the second run than in the first, as compared with its baseline`,
  },
  junit: OF_FINDINGS.junit,
  markdown: OF_FINDINGS.markdown,
});

export const MERGE_OPTIONS = optionGroup(GROUP, 'invocation', {
  out: {
    argument: 'DIR',
    help: 'needed: the folder to create; the parts stay as they are',
    read: text,
  },
  'fail-if': { ...INVOCATION_OPTIONS['fail-if'], group: GROUP },
  junit: OF_FINDINGS.junit,
  markdown: OF_FINDINGS.markdown,
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

/** What reads the results of runs. */
export const RESULT_COMMANDS = {
  report: {
    summary: "rewrites a run's summary and report from its records, or compares two runs",
    operands: [
      {
        name: 'DIR',
        help: 'folder of a run, or of a series of runs (default results/latest)',
        many: true,
      },
    ],
    options: REPORT_OPTIONS,
    examples: [
      ['', 'the report of the latest run'],
      ['DIR --margin 2', 'with another margin; the report says that it was chosen after the run'],
      ['--compare DIR1 DIR2', 'two runs side by side'],
      [
        '--compare DIR1 DIR2 --fail-if "lsquic-h3 slower by 5%"',
        'exit status 7 if lsquic-h3 did worse against its baseline in the second run',
      ],
    ],
    statuses: `${usageStatuses('a damaged run').slice(0, -1)}, ${RULE_STATUSES}.`,
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
    statuses: `${usageStatuses('parts that are not of one run').slice(0, -1)}, 6 some attempts failed or were invalid, ${RULE_STATUSES}.`,
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
} as const satisfies Record<string, CommandRow>;
