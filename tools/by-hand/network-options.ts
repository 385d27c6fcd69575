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

export const NETWORK_COMMAND_OPTIONS = {
  ...optionGroup('What runs', 'invocation', {
    server: {
      argument: 'COMMAND',
      help: "command line of a server, run first by a shell at the server's end, as one word: 'python3 -m http.server'; COMMAND starts when the server listens, or after 10 s, and its end ends the server (default none)",
      read: text,
    },
    quiet: { ...FLAG, help: 'reports only errors on stderr' },
  }),
  ...PATH_BY_HAND_OPTIONS,
  cc: {
    ...singleValue(
      { ...SERVER_OPTIONS.cc, group: NETWORK_GROUP, read: severalOf(...CONGESTION_CONTROLS) },
      'TCP congestion control at both ends: cubic, bbr or reno, if the kernel has it',
    ),
    byDefault: ['cubic' as const],
  },
  initcwnd: {
    ...DIMENSIONS_BY_HAND.initcwnd,
    group: NETWORK_GROUP,
    help: ({ matchedInitcwnd }: KnownNames) =>
      `initial window of TCP: stock (the kernel's), or matched (${matchedInitcwnd} packets, as in lsquic)`,
    byDefault: ['stock' as const],
  },
  'receive-buffer': { ...DIMENSIONS_BY_HAND['receive-buffer'], byDefault: ['stock' as const] },
};
