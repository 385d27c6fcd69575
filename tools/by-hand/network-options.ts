import {
  DIMENSIONS_BY_HAND,
  PATH_BY_HAND_OPTIONS,
  singleValue,
} from '../../ground/options/path-by-hand.ts';
import { FLAG, severalOf, text } from '../../ground/options/readers.ts';
import { type KnownNames, optionGroup } from '../../ground/options/row.ts';
import { SERVER_OPTIONS } from '../../ground/options/servers.ts';
import { CONGESTION_CONTROLS } from '../../ground/records/congestion-control.ts';

const { group: NETWORK_GROUP } = PATH_BY_HAND_OPTIONS.rtt;

/** What runs behind which path. */
export const NETWORK_COMMAND_OPTIONS = {
  ...optionGroup('What runs', 'invocation', {
    server: {
      argument: 'COMMAND',
      help: "command line for the shell that runs at the server's end first, in one word: 'python3 -m http.server'; COMMAND begins when it listens, or after 10 s, and it ends with COMMAND (default none)",
      read: text,
    },
    quiet: { ...FLAG, help: 'says nothing on stderr but errors' },
  }),
  ...PATH_BY_HAND_OPTIONS,
  cc: {
    ...singleValue(
      { ...SERVER_OPTIONS.cc, group: NETWORK_GROUP, read: severalOf(...CONGESTION_CONTROLS) },
      'congestion control of TCP at both ends: cubic, bbr or reno, as far as the kernel has it',
    ),
    byDefault: ['cubic' as const],
  },
  initcwnd: {
    ...DIMENSIONS_BY_HAND.initcwnd,
    group: NETWORK_GROUP,
    help: ({ matchedInitcwnd }: KnownNames) =>
      `initial window of TCP: stock (the kernel's), or matched (the ${matchedInitcwnd} packets of lsquic)`,
    byDefault: ['stock' as const],
  },
  'receive-buffer': { ...DIMENSIONS_BY_HAND['receive-buffer'], byDefault: ['stock' as const] },
};
