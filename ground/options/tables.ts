import { text } from './readers.ts';
import { optionGroup } from './row.ts';

/** Options for tables that an experiment imports or exports. */
export const TABLE_OPTIONS = optionGroup('Tables', 'invocation', {
  read: {
    argument: 'FILE',
    help: 'imports a table, gzip or plain, as a run with a report, without measuring; only --out and --dialect can be combined with it',
    read: text,
  },
  dialect: {
    argument: 'NAME',
    help: 'also writes the attempts in the file format of another study, where the experiment supports one',
    read: text,
  },
});
