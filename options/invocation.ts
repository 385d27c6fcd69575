import { EXIT } from '../system/exit-status.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { durationMs, oneOf, present, text, wholeNumber } from './readers.ts';
import type { OptionTable } from './row.ts';

const group = 'How it runs';

/** How one invocation goes: nothing of it changes what is loaded, or how. */
export const INVOCATION_OPTIONS = {
  resume: {
    argument: 'DIR',
    group,
    help: 'resumes an interrupted run: measures what is missing',
    read: text,
    byDefault: null,
    decides: 'invocation',
    conflicts: ['plan', 'out', 'freeze'],
  },
  'resume-anyway': {
    argument: null,
    group,
    help: 'resumes although client, servers or machine have changed; the report says so',
    read: present,
    byDefault: false,
    decides: 'invocation',
    needs: 'resume',
  },
  freeze: {
    argument: 'FILE',
    group,
    help: 'writes the plan to a file instead of executing it, to share it among machines; needs --repetitions N',
    read: text,
    byDefault: null,
    decides: 'invocation',
    conflicts: ['plan', 'shard', 'queue'],
  },
  plan: {
    argument: 'FILE',
    group,
    help: 'executes a frozen plan',
    read: text,
    byDefault: null,
    decides: 'invocation',
  },
  shard: {
    argument: 'I/N',
    group,
    help: 'measures part I of N of the plan; npm run merge joins the parts',
    read: text,
    byDefault: null,
    decides: 'invocation',
  },
  'shard-by': {
    argument: 'WHAT',
    group,
    help: 'what a part keeps together: sites or blocks',
    read: oneOf('sites', 'blocks'),
    byDefault: 'sites',
    decides: 'invocation',
    needs: 'shard',
  },
  queue: {
    argument: 'URL',
    group,
    help: 'takes blocks of --plan from a queue in Redis (redis://host:6379) that several workers share',
    read: text,
    byDefault: null,
    decides: 'invocation',
    conflicts: ['shard'],
  },
  budget: {
    argument: 'TIME',
    group,
    help: `starts no new block after this time: 90s, 45m, 2h (default with --repetitions auto: ${OPTION_DEFAULTS.budgetMs / 60_000}m, or twice the time to the first look; otherwise unlimited)`,
    read: durationMs,
    byDefault: null,
    decides: 'invocation',
  },
  'stop-after': {
    argument: 'N',
    group,
    help: 'stops after this many attempts in a row failed in the same way',
    read: wholeNumber([1, 1000]),
    byDefault: OPTION_DEFAULTS.stopAfter,
    decides: 'invocation',
  },
  progress: {
    argument: 'HOW',
    group,
    help: 'text, or jsonl: one JSON object per line on stdout, for programs',
    read: oneOf('text', 'jsonl'),
    byDefault: 'text',
    decides: 'invocation',
  },
  'fail-if': {
    argument: 'RULE',
    group,
    help: ({ stacks: [stack], baseline }) =>
      `exit status ${EXIT.failIf} if the rule is met, ${EXIT.undecided} if that cannot be decided; a rule is "${stack} slower than ${baseline} by 5%"`,
    read: text,
    byDefault: null,
    decides: 'invocation',
  },
} satisfies OptionTable;
