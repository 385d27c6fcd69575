import { congestionControlText } from '../records/congestion-control.ts';
import { DEFAULT_KEY_EXCHANGE, KEY_EXCHANGES, keyExchangeOf } from '../records/key-exchange.ts';
import { BOUNDS } from '../records/ranges.ts';
import {
  type ArmSettings,
  type PlannedArm,
  type RunRecord,
  settingsUnder,
} from '../records/run.ts';
import { DIMENSION_OPTIONS } from './network.ts';
import { FLAG, oneOf, wholeNumber } from './readers.ts';
import { optionGroup, reportLine } from './row.ts';

/** What all stacks have in common. */
export const SERVER_OPTIONS = optionGroup('What the stacks have in common', 'plan', {
  initcwnd: {
    ...DIMENSION_OPTIONS.initcwnd,
    byDefault: ['matched' as const],
    said: reportLine('Initial window asked of TCP', ({ choices, arms }) =>
      settingsText(arms, (settings) => {
        const { initialWindowSegments: segments } = { ...choices, ...settings };
        return segments === null ? 'the kernel’s own' : `${segments} segments`;
      }),
    ),
  },
  cc: {
    ...DIMENSION_OPTIONS.cc,
    said: reportLine('Congestion control asked for', ({ choices, arms }) =>
      settingsText(arms, (settings) => congestionControlText({ settings }, choices)),
    ),
  },
  'cert-chain': {
    argument: 'HOW',
    help: 'small (one ECDSA certificate), or realistic (three certificates of about 3.9 kB together, as most sites send)',
    read: oneOf('small', 'realistic'),
    byDefault: 'small',
    said: reportLine('Certificate chain', ({ choices }) => choices.certificateChain),
  },
  'key-exchange': {
    argument: 'HOW',
    help: 'x25519, or x25519mlkem768 (post-quantum, as browsers prefer it: about a kilobyte more from the server in every full handshake); servers of your own keep theirs',
    read: oneOf(...KEY_EXCHANGES),
    byDefault: DEFAULT_KEY_EXCHANGE,
    said: reportLine('Key exchange', ({ choices, arms }) =>
      arms.every(({ own }) => own)
        ? 'as your own servers have it'
        : `${keyExchangeOf(choices)}${arms.some(({ own }) => own) ? ', but of your own servers, which were not asked' : ''}`,
    ),
  },
  coalesce: {
    ...FLAG,
    help: 'gives all hosts of a site one address and one certificate, so that a connection can serve them all',
    said: reportLine('Hosts of a site', ({ choices }) =>
      choices.origins === 'own'
        ? 'an address and a certificate each'
        : 'one address and one certificate',
    ),
  },
  deterministic: {
    argument: 'WHICH',
    help: 'pages that get a seeded Math.random and a fixed Date: recorded (all but generated ones), all, none',
    read: oneOf('recorded', 'all', 'none'),
    byDefault: 'recorded',
    said: reportLine(
      'Seeded chance and time in pages',
      ({ choices }) => choices.deterministicPages,
    ),
  },
  think: {
    argument: 'HOW',
    help: 'recorded: servers wait before each answer as long as the recorded server did; off: they answer at once',
    read: oneOf('off', 'recorded'),
    byDefault: 'off',
    said: reportLine('Servers wait before an answer', ({ choices }) =>
      choices.thinkTime === 'recorded' ? 'as long as the recorded ones did' : 'not at all',
    ),
  },
  'sub-resources': {
    argument: 'HOW',
    help: 'served; or missing: everything but the main document gets 404',
    read: oneOf('served', 'missing'),
    byDefault: 'served',
    said: reportLine('Sub-resources', ({ choices }) =>
      choices.subResources === 'served' ? 'served' : 'answered 404, all of them',
    ),
  },
  document: {
    argument: 'HOW',
    help: "recorded; or as-saved: Flask's development server sends the main document as wget saves it, with its header lines as text",
    read: oneOf('recorded', 'as-saved'),
    byDefault: 'recorded',
    said: reportLine('Main document', ({ choices }) =>
      choices.document === 'recorded'
        ? 'as recorded'
        : 'by Flask’s development server with its header lines as text, as wget saves it',
    ),
  },
  tls: {
    argument: 'VERSION',
    help: 'newest TLS over TCP: 1.2 or 1.3; QUIC always has 1.3',
    read: oneOf('1.2', '1.3'),
    byDefault: '1.3',
    said: reportLine('Newest TLS over TCP', ({ choices }) => choices.tlsMost),
  },
  pin: {
    ...FLAG,
    help: 'pins client, servers and network to separate cores; needs 4 physical cores',
    said: reportLine('Cores', ({ choices }) => coresText(choices.pinned)),
  },
  packets: {
    argument: 'WHICH',
    help: 'whose packets are captured, with their keys, for Wireshark: none, warm-ups, all, median (of all, and those of ok attempts but the median ones are deleted)',
    read: oneOf('none', 'warm-ups', 'median', 'all'),
    byDefault: 'none',
    said: reportLine('Packets captured', ({ choices }) => PACKETS_KEPT[choices.packets ?? 'none']),
  },
  qlog: {
    ...FLAG,
    help: 'makes a qlog of every QUIC connection in the captures that are kept, for qvis; needs --packets other than none',
    needs: 'packets',
    said: reportLine('qlogs', ({ choices }) =>
      choices.qlogs ? 'of the captures that are kept' : 'none',
    ),
  },
  'tcp-info': {
    argument: 'MS',
    help: "asks the servers' kernel every so many ms, 1 to 1000, for the congestion window, round-trip time and more of each TCP connection (default: never); takes some processor time from loads over TCP alone",
    read: wholeNumber(BOUNDS.tcpInfoMs),
    said: reportLine('TCP_INFO sampled', ({ choices: { tcpInfoMs } }) =>
      tcpInfoMs == null
        ? 'never'
        : `every ${tcpInfoMs} ms during loads over TCP, which takes processor time from these alone`,
    ),
  },
  'net-log': {
    ...FLAG,
    help: "keeps Chromium's NetLog of every browser; for looking into things, not for comparing: writing it slows QUIC more than TCP",
    said: reportLine('NetLogs', ({ choices }) =>
      choices.netLogs ? 'kept, which slows QUIC more than TCP' : 'not written',
    ),
  },
  hars: {
    argument: 'WHICH',
    help: 'which HARs of ok loads are kept: all, median (those of the median loads), none',
    read: oneOf('all', 'median', 'none'),
    byDefault: 'all',
    said: reportLine('HARs kept of loads that are ok', ({ choices }) => HARS_KEPT[choices.hars]),
  },
  'compress-hars': {
    ...FLAG,
    help: 'writes HARs as .har.gz',
    said: reportLine('HARs are written as', ({ choices }) =>
      choices.compressHars ? '.har.gz' : '.har',
    ),
  },
  'keep-secrets': {
    ...FLAG,
    help: 'keeps cookies, authorization values and request bodies in HARs',
    said: reportLine('Cookies, authorization values and request bodies in HARs', ({ choices }) =>
      choices.keepSecrets ? 'left in' : 'taken out',
    ),
  },
});

/** What all arms are asked to have, and those that are asked for something else. */
function settingsText(
  arms: readonly PlannedArm[],
  textOf: (settings: ArmSettings | undefined) => string,
): string {
  const common = textOf(undefined);
  const others = Map.groupBy(arms, ({ settings }) => textOf(settings));
  others.delete(common);
  const rest = [...others].map(
    ([text, own]) => `${text} for ${own.map(({ label }) => label).join(', ')}`,
  );
  const conditions = new Set(arms.flatMap(({ under = {} }) => Object.keys(under)));
  const under = [...conditions].map((network) => {
    const ofArms = Map.groupBy(arms, (arm) => textOf(settingsUnder(arm, { name: network })));
    const texts = [...ofArms].map(([text, own]) =>
      ofArms.size === 1 ? text : `${text} for ${own.map(({ label }) => label).join(', ')}`,
    );
    return `over ${network} ${texts.join(', ')}`;
  });
  return (under.length > 0 ? under : [common, ...rest]).join('; ');
}

const HARS_KEPT: Readonly<Record<RunRecord['choices']['hars'], string>> = {
  all: 'all',
  median: 'those of the median loads',
  none: 'none',
};

const PACKETS_KEPT: Readonly<Record<NonNullable<RunRecord['choices']['packets']>, string>> = {
  none: 'of no attempts',
  'warm-ups': 'of warm-ups',
  median: 'of all attempts; kept of those that are ok: the median ones’',
  all: 'of all attempts',
};

function coresText(pinned: RunRecord['choices']['pinned']): string {
  if (pinned === null) return 'left to the kernel';
  const { browserCores, serverCores, linkCores } = pinned;
  return `browser ${browserCores.join(', ')}; servers ${serverCores.join(', ')}; network ${linkCores.join(', ')}`;
}
