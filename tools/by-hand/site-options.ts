import { DIMENSIONS_BY_HAND, PATH_BY_HAND_OPTIONS } from '../../ground/options/path-by-hand.ts';
import { text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { SERVER_OPTIONS } from '../../ground/options/servers.ts';

/** What is served and over which path, in the words of a run: its options mean the same here, but for one stack and one network. */
export const SITE_BY_HAND_OPTIONS = {
  ...optionGroup('What is served', 'invocation', {
    stack: {
      argument: 'STACK',
      help: ({ stacks }) =>
        `one of ${stacks.join(', ')}, or NAME=https://HOST:PORT: a server of your own that runs already`,
      read: text,
      byDefault: 'lsquic-h3',
    },
    server: {
      argument: 'PROGRAM',
      help: 'a server of your own: a program that keeps the contract of servers/README.md, served as --stack own-h3, own-h2, own-h1 or own-dual',
      read: text,
      needs: 'stack',
    },
  }),
  initcwnd: DIMENSIONS_BY_HAND.initcwnd,
  cc: DIMENSIONS_BY_HAND.cc,
  'cert-chain': SERVER_OPTIONS['cert-chain'],
  'key-exchange': SERVER_OPTIONS['key-exchange'],
  coalesce: SERVER_OPTIONS.coalesce,
  think: SERVER_OPTIONS.think,
  ...PATH_BY_HAND_OPTIONS,
};

/** The operand of a command that serves one site. */
export const SITE = {
  name: 'SITE',
  help: 'a site of the cache; npm run sites lists them',
  needed: true,
};
