import { type CommandRow, GROUP } from '../../../ground/options/command.ts';
import { address } from '../../../ground/options/hosts.ts';
import {
  DIMENSIONS_BY_HAND,
  one,
  PATH_BY_HAND_OPTIONS,
} from '../../../ground/options/path-by-hand.ts';
import {
  FLAG,
  headers,
  oneOf,
  severalOf,
  text,
  wholeNumber,
} from '../../../ground/options/readers.ts';
import { type KnownNames, type OptionTable, optionGroup } from '../../../ground/options/row.ts';
import { SERVER_OPTIONS } from '../../../ground/options/servers.ts';
import { CONGESTION_CONTROLS } from '../../../ground/records/congestion-control.ts';
import { KEY_EXCHANGES, USUAL_KEY_EXCHANGE } from '../../../ground/records/key-exchange.ts';
import { PAGE_VIAS } from '../../../ground/records/via.ts';

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

export const OPEN_OPTIONS = {
  ...optionGroup('Of a site', 'invocation', {
    devtools: { ...FLAG, help: 'opens the DevTools at their Network panel before the page' },
  }),
  ...SITE_BY_HAND_OPTIONS,
};

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
    ...one(
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

export const DOCTOR_OPTIONS = optionGroup(GROUP, 'invocation', {
  resolve: {
    argument: 'IP',
    help: 'asks the server of the URL at this address, whatever addresses its name has',
    read: text,
  },
});

const { stack: ASKED_STACK, 'key-exchange': _, ...OF_STACK } = SITE_BY_HAND_OPTIONS;
const { byDefault: __, ...STACK_IF_NAMED } = ASKED_STACK;

/** What one resource is asked for with. */
export const GET_OPTIONS = {
  ...optionGroup('The request', 'invocation', {
    via: {
      argument: 'HTTP',
      help: 'version of HTTP to ask by: h3, over QUIC; h2 or h1.1, over TCP and TLS (default: that of the stack; h3 of a server that has several, and of a live one)',
      read: oneOf(...PAGE_VIAS),
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
      byDefault: USUAL_KEY_EXCHANGE,
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

const SITE = { name: 'SITE', help: 'a site of the cache; npm run sites lists them', needed: true };

/** Exit statuses of what serves a site until it is told to stop. */
const SERVING_STATUSES =
  '1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do), 4 the server failed, 5 the network is not what was asked for, or broke, 130 interrupted before the site was served.';

/** What a person looks with, one thing at a time. */
export const COMMANDS_BY_HAND = {
  open: {
    summary:
      "opens a cached site in a Chromium that one can look at, over the path of a run; or finished loads in the Network panel of Chromium's DevTools",
    operands: [
      {
        name: 'SITE|DIR|HAR',
        help: "a site of the cache, which is served and loaded; the folder of a run (default results/latest); or a HAR, anybody's (plain, gzip or zip)",
      },
      {
        name: 'LOAD',
        help: 'loads of the run by their ids, or parts that no other id has, a window for each (default: the median loads of the first site under its first condition); or more HARs',
        many: true,
      },
    ],
    options: OPEN_OPTIONS,
    examples: [
      [
        'www.example.org --stack lsquic-h3 --rtt 30 --devtools',
        'this page by HTTP/3, with the DevTools at their Network panel',
      ],
      ['', 'median loads of the latest run, one below the other'],
      ['results/latest bun-h2.3 lsquic-h3.3', 'these two loads'],
      ['page.har.gz', 'a HAR from elsewhere'],
    ],
    statuses:
      'Exit status: 0 the windows were closed, 1 a bug, 2 wrong usage, no such site or load, or no HAR, 3 this machine lacks something, such as a screen (the message says what to do), 4 the server failed, 5 the network is not what was asked for, or broke, 130 interrupted.',
  },
  serve: {
    summary:
      'serves a cached site over the path of a run until Ctrl-C, and prints how Chromium, curl and others reach it',
    operands: [SITE],
    options: SITE_BY_HAND_OPTIONS,
    examples: [
      [
        'www.example.org --stack lsquic-h3 --rtt 30',
        'addresses, certificate, command lines for Chromium and curl, and proof of the path',
      ],
    ],
    statuses: `Exit status: 0 served until it was told to stop, ${SERVING_STATUSES}`,
  },
  get: {
    summary:
      'gets one URL by HTTP/3, HTTP/2 or HTTP/1.1: the body to stdout, what it took to stderr; of a live server, or of a cached site over a path',
    operands: [
      {
        name: 'URL',
        help: 'what to get; https:// may be omitted. Redirects are told, and not followed. npm run --silent get keeps what npm says out of the body',
        needed: true,
      },
    ],
    options: GET_OPTIONS,
    examples: [
      ['https://www.example.org --via h3', 'of the live server, by HTTP/3'],
      [
        'https://www.example.org --stack lsquic-h3 --rtt 30',
        'of the cached site, served for this request over a path of 30 ms',
      ],
    ],
    statuses:
      'Exit status: 0 the whole answer came, with a status below 400; 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do); 4 no such host, no connection, a status of 400 or more, or a body that is not whole (what came is on stdout); 5 the network is not what was asked for; 130 interrupted.',
  },
  network: {
    summary: 'runs any command behind a path that was measured, and says what it was',
    operands: [
      {
        name: 'COMMAND',
        help: "a program and its arguments, at the client's end: what stands behind its first word is its own. SERVER_ADDRESS in its environment is the address of the other end. All of the machine is there but its networks: no name is known but those of /etc/hosts, and localhost is each end's own",
        needed: true,
        isCommand: true,
      },
    ],
    options: NETWORK_COMMAND_OPTIONS,
    examples: [
      [`--rtt 40 -- sh -c 'ping -c 10 "$SERVER_ADDRESS"'`, 'shows that round trips take 40 ms'],
      [
        `--rtt 30 --loss 1 --server 'python3 -m http.server' -- curl http://10.89.1.1:8000/`,
        'asks a server of your own, where one packet of a hundred is lost each way; 10.89.1.1 is the other end',
      ],
      ['--rtt 100 --down 10000 --server ./start -- bash', 'a shell at the end of the client'],
    ],
    statuses:
      'Exit status: that of COMMAND, or 128 and the number of the signal that ended it; the last lines on stderr say that it was run. Where it could not be run a message says why: 1 a bug, 2 wrong usage or no such COMMAND, 3 this machine lacks something, 4 the server ended before it listened, 5 the network is not what was asked for, or broke, 130 interrupted.',
  },
  doctor: {
    summary:
      'says what this machine can do and how to fix what it lacks; or why Chromium does not speak HTTP/3 to a server',
    operands: [
      {
        name: 'URL',
        help: "a server that runs already, over this machine's own network; https:// may be omitted (default: none, this machine is examined)",
      },
    ],
    options: DOCTOR_OPTIONS,
    examples: [
      ['', 'whether the benchmark can run here'],
      ['https://localhost:8443', 'whether Chromium speaks HTTP/3 to this server, or why not'],
    ],
    statuses:
      'Exit status: 0 when the benchmark can run, or Chromium speaks HTTP/3 to the server; 1 a bug, 2 wrong usage, 3 when the benchmark cannot run, or nothing is set up to ask with; 4 when Chromium does not speak HTTP/3 to the server; 130 interrupted.',
  },
} as const satisfies Record<string, CommandRow>;
