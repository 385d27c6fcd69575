import { BOUNDS } from '../../ground/records/ranges.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { wholeNumber } from '../../ground/options/readers.ts';
import { type Line, optionGroup } from '../../ground/options/row.ts';

/** What only sockets have. */
export const SOCKET_OPTIONS = optionGroup('What is sent', 'plan', {
  message: {
    argument: 'BYTES',
    help: 'bytes of a message, 4 to 100000000; as many come back',
    read: wholeNumber(BOUNDS.messageBytes),
    byDefault: 46,
    said: of(({ messageBytes }) => [
      ['A message, and what comes back', `${messageBytes.toLocaleString('en-US')} bytes`],
    ]),
  },
  reuse: {
    argument: '[N]',
    help: 'sends more messages, one without N, over the connection that is open, each once the one before is back (default: none)',
    read: (option: string, given: string) =>
      given === '' ? 1 : wholeNumber(BOUNDS.furtherMessages)(option, given),
    said: of(({ messages }) => [['Messages over a connection', messages.toLocaleString('en-US')]]),
  },
});

function of(
  said: (choices: NonNullable<RunRecord['choices']['sockets']>) => Line[],
): (run: RunRecord) => Line[] {
  return ({ choices: { sockets } }) => (sockets ? said(sockets) : []);
}
