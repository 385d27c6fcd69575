import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { INVOCATION_OPTIONS } from '../../ground/options/invocation.ts';
import { text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import type { Tool } from '../tool.ts';
import { FINDINGS_OPTIONS, RULE_STATUSES } from './options.ts';

const MERGE_OPTIONS = optionGroup(GROUP, 'invocation', {
  out: {
    argument: 'DIR',
    help: 'required: the folder to create; the parts are not changed',
    read: text,
  },
  'fail-if': { ...INVOCATION_OPTIONS['fail-if'], group: GROUP },
  junit: FINDINGS_OPTIONS.junit,
  markdown: FINDINGS_OPTIONS.markdown,
});

export const merge: Tool = {
  summary: 'joins parts of one plan, measured by several machines, and writes the report',
  operands: [
    {
      name: 'DIR',
      help: 'folders of disjoint parts of the same plan; the report lists missing parts',
      needed: true,
      many: true,
    },
  ],
  options: MERGE_OPTIONS,
  examples: [['part-1 part-2 --out whole', 'two parts into a new folder']],
  statuses: `${usageStatuses('parts of different runs').slice(0, -1)}, 6 some attempts failed or were invalid, ${RULE_STATUSES}.`,
  async run({ given, operands }, { studies }) {
    const { mergeCommand } = await import('../../runner/merge/command.ts');
    return mergeCommand(operands, valuesOf(MERGE_OPTIONS, given), studies);
  },
};
