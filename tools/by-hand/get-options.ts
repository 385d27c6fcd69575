import { address } from '../../ground/options/hosts.ts';
import { headers, oneOf, text, wholeNumber } from '../../ground/options/readers.ts';
import { type KnownNames, type OptionTable, optionGroup } from '../../ground/options/row.ts';
import { HTTP_VERSION_NAMES } from '../../ground/records/connection-transport.ts';
import { DEFAULT_KEY_EXCHANGE, KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';

const { stack: ASKED_STACK, 'key-exchange': _, ...OF_STACK } = SITE_BY_HAND_OPTIONS;
const { byDefault: __, ...STACK_IF_NAMED } = ASKED_STACK;

export const GET_OPTIONS = {
  ...optionGroup('The request', 'invocation', {
    via: {
      argument: 'HTTP',
      help: 'version of HTTP to ask by: h3, over QUIC; h2 or h1.1, over TCP and TLS (default: that of the stack; h3 of a server that has several, and of a live one)',
      read: oneOf(...HTTP_VERSION_NAMES),
    },
    header: {
      argument: "'NAME: VALUE'",
      help: 'a header of the request; may stand there several times. Sent besides: accept: */* and user-agent: quic-vs-https, unless given; no accept-encoding, and the body is handed on as it comes',
      read: headers,
      repeats: true,
    },
    'key-exchange': {
      argument: 'HOW',
      help: 'x25519, or x25519mlkem768 (post-quantum): what a key is offered for; with --stack also what the server has',
      read: oneOf(...KEY_EXCHANGES),
      byDefault: DEFAULT_KEY_EXCHANGE,
    },
    timeout: {
      argument: 'S',
      help: 'seconds to wait for the connection with the answer, and for each further piece of its body',
      read: wholeNumber([1, 3600]),
      byDefault: 10,
    },
  }),
  ...optionGroup('A live server', 'invocation', {
    resolve: {
      argument: 'IP[:PORT]',
      help: 'where to ask, in place of the addresses of the name; the request and the certificate are for the URL all the same',
      read: address,
      conflicts: ['stack'],
    },
    trust: {
      argument: 'FILE|none',
      help: 'certificates of authorities to trust, PEM; none: certificates are not checked (default: the authorities that this machine trusts)',
      read: text,
      conflicts: ['stack'],
    },
  }),
  ...optionGroup('What is served', 'invocation', {
    stack: {
      ...STACK_IF_NAMED,
      help: (known: KnownNames) =>
        `serves the site of the cache that has the URL over a path, for this request, by ${ASKED_STACK.help(known)} (default: none, a live server is asked)`,
    },
    site: {
      argument: 'SITE',
      help: 'the site of the cache (default: the one that has the URL)',
      read: text,
      needs: 'stack',
    },
  }),
  ...ofStack(OF_STACK),
};

/** The same options, which are nothing without `--stack`. */
function ofStack<Table extends OptionTable>(table: Table): Table {
  const rows = Object.entries(table).map(([name, row]) => [name, { needs: 'stack', ...row }]);
  return Object.fromEntries(rows) as Table;
}
