import { EXIT } from '../system/exit-status.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { durationMs, FLAG, oneOf, text, wholeNumber } from './readers.ts';
import { optionGroup } from './row.ts';

/** Options of one invocation, which do not change what is loaded, or how. */
export const INVOCATION_OPTIONS = optionGroup('How it runs', 'invocation', {
  resume: {
    argument: 'DIR',
    help: 'resumes an interrupted run; add --server PROGRAM if the run started your own server',
    read: text,
    conflicts: ['plan', 'out', 'freeze'],
  },
  'resume-anyway': {
    ...FLAG,
    help: 'resumes although client, servers or machine have changed; the report says so',
    needs: 'resume',
  },
  freeze: {
    argument: 'FILE',
    help: 'writes the plan to a file instead of executing it, to share it among machines; needs --repetitions N',
    read: text,
    conflicts: ['plan', 'shard', 'queue'],
  },
  plan: {
    argument: 'FILE',
    help: 'executes a frozen plan; add --server PROGRAM if the plan starts your own server',
    read: text,
  },
  shard: {
    argument: 'I/N',
    help: 'measures part I of N of the plan; npm run merge joins the parts',
    read: text,
  },
  'shard-by': {
    argument: 'WHAT',
    help: 'unit that a part does not split: sites or blocks',
    read: oneOf('sites', 'blocks'),
    byDefault: 'sites',
    needs: 'shard',
  },
  queue: {
    argument: 'URL',
    help: 'takes blocks of --plan from a queue in Redis (redis://host:6379) that several workers share; its password is that of the environment variable REDIS_PASSWORD',
    read: text,
    conflicts: ['shard'],
  },
  budget: {
    argument: 'TIME',
    help: `starts no new block after this time: 90s, 45m, 2h (default with --repetitions auto: ${OPTION_DEFAULTS.budgetMs / 60_000}m, or the time to the first look where that is longer; otherwise unlimited)`,
    read: durationMs,
  },
  'stop-after': {
    argument: 'N',
    help: 'skips a stack on a site under one condition after this many consecutive failures with the same code, or twice as many with any code, and stops the run after as many where nothing works',
    read: wholeNumber([1, 1000]),
    byDefault: OPTION_DEFAULTS.stopAfter,
  },
  progress: {
    argument: 'HOW',
    help: 'text, or jsonl: one JSON object per line on stdout, for programs',
    read: oneOf('text', 'jsonl'),
    byDefault: 'text',
  },
  'fail-if': {
    argument: 'RULE',
    help: ({ stacks: [stack], baseline }) =>
      `exit status ${EXIT.failIf} if the rule is met, ${EXIT.undecided} if that cannot be decided; a rule is "${stack} slower than ${baseline} by 5%"`,
    read: text,
  },
  junit: {
    argument: 'FILE',
    help: 'writes the results of --fail-if and of the attempts to this file, as JUnit test results',
    read: text,
    conflicts: ['freeze'],
  },
  markdown: {
    argument: 'FILE',
    help: 'writes the results to this file as Markdown; they are also added to $GITHUB_STEP_SUMMARY if it is set',
    read: text,
    conflicts: ['freeze'],
  },
});
