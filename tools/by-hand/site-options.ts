import { DIMENSIONS_BY_HAND, PATH_BY_HAND_OPTIONS } from '../../ground/options/path-by-hand.ts';
import { text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { SERVER_OPTIONS } from '../../ground/options/servers.ts';

/** The server and its path: options of a run, limited to one stack and one network. */
export const SITE_BY_HAND_OPTIONS = {
  ...optionGroup('What is served', 'invocation', {
    stack: {
      argument: 'STACK',
      help: ({ stacks }) =>
        `one of ${stacks.join(', ')}, or NAME=https://HOST:PORT: your own running server`,
      read: text,
      byDefault: 'lsquic-h3',
    },
    server: {
      argument: 'PROGRAM',
      help: 'your own server: a program that implements the contract of servers/README.md, served as --stack own-h3, own-h2, own-h1 or own-dual; with a name, NAME-h3 and so on',
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

export const SITE = {
  name: 'SITE',
  help: 'a cached site; list them with npm run sites',
  needed: true,
};
