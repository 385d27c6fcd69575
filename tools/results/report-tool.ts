import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { COMPARISON_OPTIONS } from '../../ground/options/comparison.ts';
import { INVOCATION_OPTIONS } from '../../ground/options/invocation.ts';
import { FLAG, text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { TABLE_OPTIONS } from '../../ground/options/tables.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { print } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';
import { FINDINGS_OPTIONS, RULE_STATUSES } from './options.ts';

const REPORT_OPTIONS = optionGroup(GROUP, 'invocation', {
  compare: {
    ...FLAG,
    help: 'compares two runs side by side: writes compare.html and compare.json instead',
  },
  history: {
    ...FLAG,
    help: 'many runs of one plan over time, with changes of their ratios: writes history.html, history.json and history.csv instead. DIR: folders of runs, or folders that hold folders of runs (default results)',
    conflicts: ['compare', 'mix', 'dialect', 'charts', 'fail-if', 'junit', 'markdown'],
  },
  out: {
    argument: 'DIR',
    help: 'writes a second report to this new or empty folder, and keeps that of the run; with --compare or --history: folder of its files, created if missing (default results/compare-<first run>-<second run>, results/history-<first run>-<last run>)',
    read: text,
  },
  baseline: {
    argument: 'STACK',
    read: text,
    help: 'compares every stack with this one (default: as planned)',
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
      `metric of the verdicts (default: the planned metric); for page loads: ${metrics.join(', ')}`,
  },
  mix: {
    argument: COMPARISON_OPTIONS.mix.argument,
    read: COMPARISON_OPTIONS.mix.read,
    help: 'shares of your visits on each network of the run, in percent: adds one weighted answer (default: the planned mix)',
    conflicts: ['compare'],
  },
  dialect: { ...TABLE_OPTIONS.dialect, group: GROUP, conflicts: ['compare'] },
  charts: {
    argument: 'OUT',
    help: 'writes each chart of the report as SVG, and its numbers as CSV, to this new or empty folder',
    read: text,
    conflicts: ['compare'],
  },
  'fail-if': {
    ...INVOCATION_OPTIONS['fail-if'],
    group: GROUP,
    help: (known) =>
      `${INVOCATION_OPTIONS['fail-if'].help(known)}; with --compare "${known.stacks[0]} slower by 5%": slower in the second run than in the first, relative to its baseline`,
  },
  junit: FINDINGS_OPTIONS.junit,
  markdown: FINDINGS_OPTIONS.markdown,
});

export const report: Tool = {
  summary:
    "rewrites a run's summary and report from its records, compares two runs, or shows many over time",
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
    ['DIR --metric document --out OTHER', 'a second report, with another metric'],
    ['DIR --charts OUT', 'its charts as SVG and their numbers as CSV, for a paper or slides'],
    ['--compare DIR1 DIR2', 'two runs side by side'],
    [
      '--compare DIR1 DIR2 --fail-if "lsquic-h3 slower by 5%"',
      'exit status 7 if lsquic-h3 was slower, relative to its baseline, in the second run',
    ],
    ['--history results', 'all runs of one plan over time'],
  ],
  statuses: `${usageStatuses('a damaged run').slice(0, -1)}, ${RULE_STATUSES}.`,
  async run({ given, operands }, { studies }) {
    const { reportCommand } = await import('../../report/command.ts');
    const values = valuesOf(REPORT_OPTIONS, given);
    return reportCommand(operands, values, { studies, print });
  },
};
