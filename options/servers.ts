import type { RunRecord } from '../records/run.ts';
import { FLAG, oneOf } from './readers.ts';
import { optionGroup } from './row.ts';

/** What all stacks have in common. */
export const SERVER_OPTIONS = optionGroup('What the stacks have in common', 'plan', {
  initcwnd: {
    argument: 'HOW',
    help: ({ matchedInitcwnd }) =>
      `initial window of TCP: matched to the ${matchedInitcwnd} packets of QUIC's server, or stock`,
    read: oneOf('stock', 'matched'),
    byDefault: 'matched',
    said: ({ choices: { initialWindowSegments: segments } }) => [
      [
        'Initial window of TCP',
        segments === null ? 'the kernel’s own' : `${segments} segments asked for`,
      ],
    ],
  },
  'cert-chain': {
    argument: 'HOW',
    help: 'small (one ECDSA certificate), or realistic (about 3.5 kB, as most sites have)',
    read: oneOf('small', 'realistic'),
    byDefault: 'small',
    said: ({ choices }) => [['Certificate chain', choices.certificateChain]],
  },
  coalesce: {
    ...FLAG,
    help: 'one address and certificate for all hosts of a site, so that browsers share connections',
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
    help: 'which pages get a seeded Math.random and a fixed Date: recorded (all but generated ones), all, none',
    read: oneOf('recorded', 'all', 'none'),
    byDefault: 'recorded',
    said: ({ choices }) => [['Seeded chance and time in pages', choices.deterministicPages]],
  },
  think: {
    argument: 'HOW',
    help: 'recorded: servers delay each answer as long as the recorded server did; off: they answer at once',
    read: oneOf('off', 'recorded'),
    byDefault: 'off',
    said: ({ choices }) => [
      [
        'Servers wait before an answer',
        choices.thinkTime === 'recorded' ? 'as long as the recorded ones did' : 'not at all',
      ],
    ],
  },
  'sub-resources': {
    argument: 'HOW',
    help: 'served, or missing: all but the main document is answered 404',
    read: oneOf('served', 'missing'),
    byDefault: 'served',
    said: ({ choices }) => [
      ['Sub-resources', choices.subResources === 'served' ? 'served' : 'answered 404, all of them'],
    ],
  },
  document: {
    argument: 'HOW',
    help: "recorded, or as-saved: Flask's development server sends the main document with its header lines as text, as wget saves it",
    read: oneOf('recorded', 'as-saved'),
    byDefault: 'recorded',
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
    help: 'newest TLS over TCP: 1.2 or 1.3; QUIC has 1.3 always',
    read: oneOf('1.2', '1.3'),
    byDefault: '1.3',
    said: ({ choices }) => [['Newest TLS over TCP', choices.tlsMost]],
  },
  pin: {
    ...FLAG,
    help: 'pins servers and browser to separate cores',
    said: ({ choices }) => [['Cores', coresText(choices.pinned)]],
  },
  hars: {
    argument: 'WHICH',
    help: 'which HARs of ok loads are kept: all, median (those of the median loads), none',
    read: oneOf('all', 'median', 'none'),
    byDefault: 'all',
    said: ({ choices }) => [['HARs kept of loads that are ok', HARS_KEPT[choices.hars]]],
  },
  'compress-hars': {
    ...FLAG,
    help: 'writes HARs as .har.gz',
    said: ({ choices }) => [['HARs are written as', choices.compressHars ? '.har.gz' : '.har']],
  },
  'keep-secrets': {
    ...FLAG,
    help: 'keeps cookies, authorization values and request bodies in HARs',
    said: ({ choices }) => [
      [
        'Cookies, authorization values and request bodies in HARs',
        choices.keepSecrets ? 'left in' : 'taken out',
      ],
    ],
  },
});

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
