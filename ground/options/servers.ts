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

export const SERVER_OPTIONS = optionGroup('What the stacks have in common', 'plan', {
  initcwnd: {
    ...DIMENSION_OPTIONS.initcwnd,
    byDefault: ['matched' as const],
    lines: reportLine('Requested initial window of TCP', ({ choices, arms }) =>
      settingsText(arms, (settings) => {
        const { initialWindowSegments: segments } = { ...choices, ...settings };
        return segments === null ? 'the kernel’s own' : `${segments} segments`;
      }),
    ),
  },
  cc: {
    ...DIMENSION_OPTIONS.cc,
    lines: reportLine('Requested congestion control', ({ choices, arms }) =>
      settingsText(arms, (settings) => congestionControlText({ settings }, choices)),
    ),
  },
  'cert-chain': {
    argument: 'HOW',
    help: 'small (one ECDSA certificate), or realistic (three certificates of about 3.9 kB together, as most sites send)',
    read: oneOf('small', 'realistic'),
    byDefault: 'small',
    lines: reportLine('Certificate chain', ({ choices }) => choices.certificateChain),
  },
  'key-exchange': {
    argument: 'HOW',
    help: 'x25519, or x25519mlkem768 (post-quantum, preferred by browsers: about a kilobyte more from the server in every full handshake); your own servers keep theirs',
    read: oneOf(...KEY_EXCHANGES),
    byDefault: DEFAULT_KEY_EXCHANGE,
    lines: reportLine('Key exchange', ({ choices, arms }) =>
      arms.every(({ own }) => own)
        ? 'chosen by your own servers'
        : `${keyExchangeOf(choices)}${arms.some(({ own }) => own) ? ', except for your own servers' : ''}`,
    ),
  },
  coalesce: {
    ...FLAG,
    help: 'gives all hosts of a site one address and one certificate, so that a connection can serve them all',
    lines: reportLine('Hosts of a site', ({ choices, arms }) =>
      settingsText(arms, (settings) =>
        ({ ...choices, ...settings }).origins === 'own'
          ? 'an address and a certificate each'
          : 'one address and one certificate',
      ),
    ),
  },
  deterministic: {
    argument: 'WHICH',
    help: 'pages that get a seeded Math.random and a fixed Date: recorded (all but generated ones), all, none',
    read: oneOf('recorded', 'all', 'none'),
    byDefault: 'recorded',
    lines: reportLine(
      'Seeded chance and time in pages',
      ({ choices }) => choices.deterministicPages,
    ),
  },
  think: {
    argument: 'HOW',
    help: 'recorded: servers delay each response as long as the recorded server did; off: no delay',
    read: oneOf('off', 'recorded'),
    byDefault: 'off',
    lines: reportLine('Delay of responses', ({ choices }) =>
      choices.thinkTime === 'recorded' ? 'as recorded' : 'none',
    ),
  },
  'sub-resources': {
    argument: 'HOW',
    help: 'served; or missing: all requests except for the main document get status 404',
    read: oneOf('served', 'missing'),
    byDefault: 'served',
    lines: reportLine('Sub-resources', ({ choices }) =>
      choices.subResources === 'served' ? 'served' : 'all with status 404',
    ),
  },
  document: {
    argument: 'HOW',
    help: "recorded; or as-saved: Flask's development server sends the main document as wget saves it, with its header lines as text",
    read: oneOf('recorded', 'as-saved'),
    byDefault: 'recorded',
    lines: reportLine('Main document', ({ choices }) =>
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
    lines: reportLine('Newest TLS over TCP', ({ choices }) => choices.tlsMost),
  },
  pin: {
    ...FLAG,
    help: 'pins client, servers and network to separate cores; needs 4 physical cores',
    lines: reportLine('Cores', ({ choices }) => coresText(choices.pinned)),
  },
  packets: {
    argument: 'WHICH',
    help: 'attempts whose packets are captured, with their keys, for Wireshark: none, warm-ups, all, median (all, but among ok attempts only the median ones are kept)',
    read: oneOf('none', 'warm-ups', 'median', 'all'),
    byDefault: 'none',
    lines: reportLine('Packets captured', ({ choices }) => PACKETS_KEPT[choices.packets ?? 'none']),
  },
  qlog: {
    ...FLAG,
    help: 'writes a qlog of every QUIC connection in the kept captures, for qvis; needs --packets other than none',
    needs: 'packets',
    lines: reportLine('qlogs', ({ choices }) =>
      choices.qlogs ? 'of the captures that are kept' : 'none',
    ),
  },
  'tcp-info': {
    argument: 'MS',
    help: "interval in ms, 1 to 1000, at which the servers' kernel reports the congestion window, round-trip time and more of each TCP connection (default: never); takes some processor time from loads over TCP only",
    read: wholeNumber(BOUNDS.tcpInfoMs),
    lines: reportLine('TCP_INFO sampled', ({ choices: { tcpInfoMs } }) =>
      tcpInfoMs == null
        ? 'never'
        : `every ${tcpInfoMs} ms during loads over TCP, which takes processor time from these only`,
    ),
  },
  'net-log': {
    ...FLAG,
    help: "keeps Chromium's NetLog of every browser; for debugging, not for comparisons: it slows QUIC more than TCP",
    lines: reportLine('NetLogs', ({ choices }) =>
      choices.netLogs ? 'kept, which slows QUIC more than TCP' : 'not written',
    ),
  },
  hars: {
    argument: 'WHICH',
    help: 'kept HARs of ok loads: all, median (those of the median loads), none',
    read: oneOf('all', 'median', 'none'),
    byDefault: 'all',
    lines: reportLine('HARs kept of loads that are ok', ({ choices }) => HARS_KEPT[choices.hars]),
  },
  'compress-hars': {
    ...FLAG,
    help: 'writes HARs as .har.gz',
    lines: reportLine('HARs are written as', ({ choices }) =>
      choices.compressHars ? '.har.gz' : '.har',
    ),
  },
  'keep-secrets': {
    ...FLAG,
    help: 'keeps cookies, authorization values and request bodies in HARs',
    lines: reportLine('Cookies, authorization values and request bodies in HARs', ({ choices }) =>
      choices.keepSecrets ? 'left in' : 'taken out',
    ),
  },
});

/** Text of a setting of all arms, with the arms that differ. */
function settingsText(
  arms: readonly PlannedArm[],
  textOf: (settings: ArmSettings | undefined) => string,
): string {
  const common = textOf(undefined);
  const different = Map.groupBy(arms, ({ settings }) => textOf(settings));
  different.delete(common);
  const rest = [...different].map(
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
  median: 'of all attempts; among ok attempts only the median ones are kept',
  all: 'of all attempts',
};

function coresText(pinned: RunRecord['choices']['pinned']): string {
  if (pinned === null) return 'left to the kernel';
  const { browserCores, serverCores, linkCores } = pinned;
  return `browser ${browserCores.join(', ')}; servers ${serverCores.join(', ')}; network ${linkCores.join(', ')}`;
}
