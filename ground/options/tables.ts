import { text } from './readers.ts';
import { optionGroup } from './row.ts';

/** Tables: which are read, and which are written. An experiment that reads or writes some says which. */
export const TABLE_OPTIONS = optionGroup('Tables', 'invocation', {
  read: {
    argument: 'FILE',
    help: 'measures nothing: makes a run and its report of a table, gzip or plain; goes with --out and --dialect alone',
    read: text,
  },
  dialect: {
    argument: 'NAME',
    help: 'writes the attempts in the form of another study too, where their experiment has such a form',
    read: text,
  },
});
