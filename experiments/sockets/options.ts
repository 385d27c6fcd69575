import { wholeNumber } from '../../ground/options/readers.ts';
import { optionGroup, ownChoiceLines } from '../../ground/options/row.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

/** Its part of the choices of run.json. */
export const MESSAGE_CHOICES = {
  name: 'sockets',
  schema: s.object(
    {
      messageBytes: s.count(
        'Bytes of each message, and of what comes back.',
        within(BOUNDS.messageBytes),
      ),
      messages: s.count('How many go over a connection, one after the other.', {
        minimum: 1,
        maximum: 1 + BOUNDS.furtherMessages[1],
      }),
    },
    'What is sent over sockets; absent: it is another experiment.',
  ),
};

/** What only sockets have. */
export const SOCKET_OPTIONS = optionGroup('What is sent', 'plan', {
  message: {
    argument: 'BYTES',
    help: 'bytes of a message, 4 to 100000000; as many come back',
    read: wholeNumber(BOUNDS.messageBytes),
    byDefault: 46,
    said: ownChoiceLines(MESSAGE_CHOICES, ({ messageBytes }) => [
      ['A message, and what comes back', `${messageBytes.toLocaleString('en-US')} bytes`],
    ]),
  },
  reuse: {
    argument: '[N]',
    help: 'sends more messages, one without N, over the connection that is open, each once the one before is back (default: none)',
    read: (option: string, given: string) =>
      given === '' ? 1 : wholeNumber(BOUNDS.furtherMessages)(option, given),
    said: ownChoiceLines(MESSAGE_CHOICES, ({ messages }) => [
      ['Messages over a connection', messages.toLocaleString('en-US')],
    ]),
  },
});
