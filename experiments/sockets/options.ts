import { wholeNumber } from '../../ground/options/readers.ts';
import { optionGroup, ownChoiceLines } from '../../ground/options/row.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

export const MESSAGE_CHOICES = {
  name: 'sockets',
  schema: s.object(
    {
      messageBytes: s.count(
        'Size of each message and of its echo, in bytes.',
        within(BOUNDS.messageBytes),
      ),
      messages: s.count('Consecutive messages over a connection.', {
        minimum: 1,
        maximum: 1 + BOUNDS.furtherMessages[1],
      }),
    },
    'Messages over sockets; absent in other experiments.',
  ),
};

export const SOCKET_OPTIONS = optionGroup('Messages', 'plan', {
  message: {
    argument: 'BYTES',
    help: 'bytes of a message, 4 to 100000000; the server sends it back',
    read: wholeNumber(BOUNDS.messageBytes),
    byDefault: 46,
    lines: ownChoiceLines(MESSAGE_CHOICES, ({ messageBytes }) => [
      ['A message and its echo', `${messageBytes.toLocaleString('en-US')} bytes`],
    ]),
  },
  reuse: {
    argument: '[N]',
    help: 'sends N further messages (1 without N) over the open connection, each after the one before is back (default: 0)',
    read: (option: string, given: string) =>
      given === '' ? 1 : wholeNumber(BOUNDS.furtherMessages)(option, given),
    lines: ownChoiceLines(MESSAGE_CHOICES, ({ messages }) => [
      ['Messages over a connection', messages.toLocaleString('en-US')],
    ]),
  },
});
