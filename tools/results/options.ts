import { GROUP } from '../../ground/options/command.ts';
import { INVOCATION_OPTIONS } from '../../ground/options/invocation.ts';
import { optionGroup } from '../../ground/options/row.ts';

export const RULE_STATUSES = '7 the rule of --fail-if is met, 8 that could not be decided';

/** Files for continuous integration, for commands without --freeze. */
export const FINDINGS_OPTIONS = optionGroup(GROUP, 'invocation', {
  junit: { ...INVOCATION_OPTIONS.junit, group: GROUP, conflicts: [] },
  markdown: { ...INVOCATION_OPTIONS.markdown, group: GROUP, conflicts: [] },
});
