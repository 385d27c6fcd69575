import { oneOf } from './readers.ts';

/** In whose form the attempts are written a second time: of every command that writes a report. */
export const DIALECT_OPTION = {
  argument: 'NAME',
  help: 'writes the connections of a run in the form of another study too. jaeger: connections.jaeger.csv, which plots made for M. Jaeger’s files of 2018 read',
  read: oneOf('jaeger'),
} as const;
