import { address } from '../../ground/options/hosts.ts';
import { headers, oneOf, text, wholeNumber } from '../../ground/options/readers.ts';
import { type KnownNames, type OptionTable, optionGroup } from '../../ground/options/row.ts';
import { HTTP_VERSION_NAMES } from '../../ground/records/connection-transport.ts';
import { DEFAULT_KEY_EXCHANGE, KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';

const { stack: STACK, 'key-exchange': _, ...OF_STACK } = SITE_BY_HAND_OPTIONS;
const { byDefault: __, ...STACK_IF_NAMED } = STACK;

export const GET_OPTIONS = {
  ...optionGroup('The request', 'invocation', {
    via: {
      argument: 'HTTP',
      help: 'HTTP version: h3 over QUIC; h2 or h1.1 over TCP and TLS (default: that of the stack; h3 if it has several, and for a live server)',
      read: oneOf(...HTTP_VERSION_NAMES),
    },
    header: {
      argument: "'NAME: VALUE'",
      help: 'a request header; may be repeated. Default headers: accept: */* and user-agent: quic-vs-https; no accept-encoding, and the body is not decoded',
      read: headers,
      repeats: true,
    },
    'key-exchange': {
      argument: 'HOW',
      help: 'x25519, or x25519mlkem768 (post-quantum): key share of the client; with --stack also of the server',
      read: oneOf(...KEY_EXCHANGES),
      byDefault: DEFAULT_KEY_EXCHANGE,
    },
    timeout: {
      argument: 'S',
      help: 'seconds to wait for the response, and for each further piece of its body',
      read: wholeNumber([1, 3600]),
      byDefault: 10,
    },
  }),
  ...optionGroup('A live server', 'invocation', {
    resolve: {
      argument: 'IP[:PORT]',
      help: 'connect to this address instead of resolving the name; the request and the certificate still belong to the URL',
      read: address,
      conflicts: ['stack'],
    },
    trust: {
      argument: 'FILE|none',
      help: 'authorities to trust, PEM; none: certificates are not checked (default: the authorities of this machine)',
      read: text,
      conflicts: ['stack'],
    },
  }),
  ...optionGroup('What is served', 'invocation', {
    stack: {
      ...STACK_IF_NAMED,
      help: (known: KnownNames) =>
        `serves the cached site that has the URL over a path, for this request, by ${STACK.help(known)} (default: use the live server)`,
    },
    site: {
      argument: 'SITE',
      help: 'the cached site (default: the one that has the URL)',
      read: text,
      needs: 'stack',
    },
  }),
  ...ofStack(OF_STACK),
};

/** Adds to each option that it needs `--stack`. */
function ofStack<Table extends OptionTable>(table: Table): Table {
  const rows = Object.entries(table).map(([name, row]) => [name, { needs: 'stack', ...row }]);
  return Object.fromEntries(rows) as Table;
}
