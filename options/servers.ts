import type { RunRecord } from '../records/run.ts';
import { oneOf, present } from './readers.ts';
import type { OptionTable } from './row.ts';

const group = 'What the stacks have in common';

/** What all stacks have in common. */
export const SERVER_OPTIONS = {
  initcwnd: {
    argument: 'HOW',
    group,
    help: ({ matchedInitcwnd }) =>
      `initial window of TCP: matched to the ${matchedInitcwnd} packets of the QUIC server, or stock (the kernel's)`,
    read: oneOf('stock', 'matched'),
    byDefault: 'matched',
    decides: 'plan',
    said: ({ choices: { initialWindowSegments: segments } }) => [
      [
        'Initial window of TCP',
        segments === null ? 'the kernel’s own' : `${segments} segments asked for`,
      ],
    ],
  },
  'cert-chain': {
    argument: 'HOW',
    group,
    help: 'small (one ECDSA certificate), or realistic (three certificates of about 3.9 kB together, as most sites send)',
    read: oneOf('small', 'realistic'),
    byDefault: 'small',
    decides: 'plan',
    said: ({ choices }) => [['Certificate chain', choices.certificateChain]],
  },
  coalesce: {
    argument: null,
    group,
    help: 'gives all hosts of a site one address and one certificate, so that a connection can serve them all',
    read: present,
    byDefault: false,
    decides: 'plan',
    said: ({ choices }) => [
      [
        'Hosts of a site',
        choices.origins === 'own'
          ? 'an address and a certificate each'
          : 'one address and one certificate',
      ],
    ],
  },
  deterministic: {
    argument: 'WHICH',
    group,
    help: 'pages that get a seeded Math.random and a fixed Date: recorded (all but generated ones), all, none',
    read: oneOf('recorded', 'all', 'none'),
    byDefault: 'recorded',
    decides: 'plan',
    said: ({ choices }) => [['Seeded chance and time in pages', choices.deterministicPages]],
  },
  think: {
    argument: 'HOW',
    group,
    help: 'recorded: servers wait before each answer as long as the recorded server did; off: they answer at once',
    read: oneOf('off', 'recorded'),
    byDefault: 'off',
    decides: 'plan',
    said: ({ choices }) => [
      [
        'Servers wait before an answer',
        choices.thinkTime === 'recorded' ? 'as long as the recorded ones did' : 'not at all',
      ],
    ],
  },
  'sub-resources': {
    argument: 'HOW',
    group,
    help: 'served; or missing: everything but the main document gets 404',
    read: oneOf('served', 'missing'),
    byDefault: 'served',
    decides: 'plan',
    said: ({ choices }) => [
      ['Sub-resources', choices.subResources === 'served' ? 'served' : 'answered 404, all of them'],
    ],
  },
  document: {
    argument: 'HOW',
    group,
    help: "recorded; or as-saved: Flask's development server sends the main document as wget saves it, with its header lines as text",
    read: oneOf('recorded', 'as-saved'),
    byDefault: 'recorded',
    decides: 'plan',
    said: ({ choices }) => [
      [
        'Main document',
        choices.document === 'recorded'
          ? 'as recorded'
          : 'by Flask’s development server with its header lines as text, as wget saves it',
      ],
    ],
  },
  tls: {
    argument: 'VERSION',
    group,
    help: 'newest TLS over TCP: 1.2 or 1.3; QUIC always has 1.3',
    read: oneOf('1.2', '1.3'),
    byDefault: '1.3',
    decides: 'plan',
    said: ({ choices }) => [['Newest TLS over TCP', choices.tlsMost]],
  },
  pin: {
    argument: null,
    group,
    help: 'pins client, servers and network to separate cores; needs 4 physical cores',
    read: present,
    byDefault: false,
    decides: 'plan',
    said: ({ choices }) => [['Cores', coresText(choices.pinned)]],
  },
  hars: {
    argument: 'WHICH',
    group,
    help: 'which HARs of ok loads are kept: all, median (those of the median loads), none',
    read: oneOf('all', 'median', 'none'),
    byDefault: 'all',
    decides: 'plan',
    said: ({ choices }) => [['HARs kept of loads that are ok', HARS_KEPT[choices.hars]]],
  },
  'compress-hars': {
    argument: null,
    group,
    help: 'writes HARs as .har.gz',
    read: present,
    byDefault: false,
    decides: 'plan',
    said: ({ choices }) => [['HARs are written as', choices.compressHars ? '.har.gz' : '.har']],
  },
  'keep-secrets': {
    argument: null,
    group,
    help: 'keeps cookies, authorization values and request bodies in HARs',
    read: present,
    byDefault: false,
    decides: 'plan',
    said: ({ choices }) => [
      [
        'Cookies, authorization values and request bodies in HARs',
        choices.keepSecrets ? 'left in' : 'taken out',
      ],
    ],
  },
} satisfies OptionTable;

const HARS_KEPT: Readonly<Record<RunRecord['choices']['hars'], string>> = {
  all: 'all',
  median: 'those of the median loads',
  none: 'none',
};

function coresText(pinned: RunRecord['choices']['pinned']): string {
  if (pinned === null) return 'left to the kernel';
  const { browserCores, serverCores, linkCores } = pinned;
  return `browser ${browserCores.join(', ')}; servers ${serverCores.join(', ')}; network ${linkCores.join(', ')}`;
}
