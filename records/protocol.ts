import { oneOf, type Static } from './schema.ts';

export const protocolSchema = oneOf(
  ['h3', 'h2', 'http/1.1', 'http/1.0'],
  'In the words of httpVersion in HAR 1.2.',
);

/** The protocol that an arm is to speak. */
export type Protocol = Static<typeof protocolSchema>;
