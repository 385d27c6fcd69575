import { oneOf, text } from './readers.ts';
import { optionGroup } from './row.ts';

/** Tables: which are read, and which are written. */
export const TABLE_OPTIONS = optionGroup('Tables', 'invocation', {
  read: {
    argument: 'FILE',
    help: 'measures nothing: makes a run and its report of a table of connections, gzip or plain. Either connections.csv of a run, or a published file with the columns of B. Jaeger’s study of 2018; goes with --out and --dialect alone',
    read: text,
  },
  dialect: {
    argument: 'NAME',
    help: 'writes the attempts in the form of another study too. jaeger: connections.jaeger.csv of connections, for programs that read B. Jaeger’s files of 2018; panda: videos.panda.txt of videos, as the programs of R. Panda’s study of 2019 print them',
    read: oneOf('jaeger', 'panda'),
  },
});
