import { CONGESTION_CONTROLS } from './congestion-control.ts';
import { connectionTransportSchema } from './connection-transport.ts';
import { deviceSchema } from './device.ts';
import { explanationSchema } from './explanation.ts';
import { factorsSchema } from './factors.ts';
import { fairnessSchema } from './fairness.ts';
import { filmedSchema } from './filmed.ts';
import { formatFields } from './format.ts';
import { HOST_CHOICES, hostsByProtocolSchema } from './hosts-by-protocol.ts';
import { KEY_EXCHANGES } from './key-exchange.ts';
import { interferenceRuleSchema } from './machine-use.ts';
import { mixSchema } from './mix.ts';
import { backendSchema, type NetworkCondition, networkConditionSchema } from './network.ts';
import { protocolSchema } from './protocol.ts';
import { BOUNDS, within } from './ranges.ts';
import { revisionSchema } from './revision.ts';
import * as s from './schema.ts';

const subjectSchema = s.object(
  {
    subject: s.fileName('Name of the subject; of a page load, the site.'),
    url: s.text('The page.'),
    source: s.text('Where the page comes from, as a sentence.'),
    kind: s.text('How the page was made: generated, imported, ...'),
    hosts: s.count('How many hosts it has.'),
    resources: s.count('How many resources it has.'),
    wireBytes: s.count('Bytes of their bodies as they are sent.'),
    manifestSha256: s.sha256("Of the site's index.json, which identifies the page."),
    hostsByProtocol: s.optional(hostsByProtocolSchema),
    warning: s.optional(
      s.text('Why its results say little, as a sentence; absent: no known problem.'),
    ),
  },
  'What is measured, as the plan froze it: a site of the cache.',
);

export type PlannedSubject = s.Static<typeof subjectSchema>;

const ownSchema = s.object(
  {
    url: s.optional(
      s.text('Address that serves every host of a site; absent: the run starts the server.'),
    ),
    program: s.optional(s.text('Program that the run starts; absent: the server already runs.')),
  },
  "The user's own server, with one of the two fields; absent: the stack belongs to this project.",
);

const settingsSchema = s.object(
  {
    congestionControl: s.optional(
      s.oneOf(
        CONGESTION_CONTROLS,
        "Congestion control of its server's own transport, or else of TCP at both ends of the path during its attempts; absent: see choices.",
      ),
    ),
    quicCongestionControl: s.optional(
      s.oneOf(
        CONGESTION_CONTROLS,
        "Congestion control of its server's QUIC, where the server also has TCP; absent: that of TCP.",
      ),
    ),
    initialWindowSegments: s.optional(
      s.orNull(
        s.count(
          "TCP's initial window during its attempts, in segments; null: the kernel's default. Absent: see choices, or not over TCP.",
          within(BOUNDS.initialWindowSegments),
        ),
      ),
    ),
    receiveBufferBytes: s.optional(
      s.orNull(
        s.count(
          "Initial size of TCP's receive buffer during its attempts, in bytes; null: the kernel's default. Absent: see choices, or not over TCP.",
          within(BOUNDS.receiveBufferBytes),
        ),
      ),
    ),
    handshake: s.optional(
      s.oneOf(
        ['one round trip more', 'one round trip less'],
        "Change of the set-up of each new connection by the path: more, it holds QUIC's first packets; less, it does not delay TCP's SYN and SYN-ACK. Absent: unchanged.",
      ),
    ),
    countedWindowBytes: s.optional(
      s.count(
        'The path holds packets of QUIC towards the client beyond a window, which begins with this many bytes. Until a first loss it grows by what is acknowledged while more than half of it is used (RFC 9002, section 7). Absent: it holds none.',
        within(BOUNDS.windowBytes),
      ),
    ),
    pacesTcp: s.optional(
      s.flag("The kernel paces its server's TCP. Absent: it does so only with BBR."),
    ),
    responseDelayMs: s.optional(
      s.count(
        'Time that its server waits before each response, in ms. Absent: 0.',
        within(BOUNDS.responseDelayMs),
      ),
    ),
    responseOrder: s.optional(
      s.oneOf(
        ['by priority', 'interleaved'],
        'Order in which its server sends bodies that are pending at the same time. Absent: its own.',
      ),
    ),
    origins: s.optional(
      s.constant(
        'shared',
        'All hosts of a site have one address and certificate at its server. Absent: see choices.',
      ),
    ),
  },
  'Settings of the arm that replace those of choices; absent: none.',
);

export type ArmSettings = s.Static<typeof settingsSchema>;

const armSchema = s.object(
  {
    arm: s.fileName('Name of the arm.'),
    label: s.name('For tables and headings, for example lsquic (h3).'),
    protocol: protocolSchema,
    stack: s.fileName('The server stack; live: hosts outside this project.'),
    transport: s.optional(connectionTransportSchema),
    quicVersion: s.optional(
      s.constant(
        2,
        'Version of QUIC on the wire (RFC 9369). Absent: 1, not over QUIC, or before format 6.1.',
      ),
    ),
    client: s.name(
      'The client program, or the name of a browser (`--browser`); versions has its version.',
    ),
    own: s.optional(ownSchema),
    settings: s.optional(settingsSchema),
    under: s.optional(
      s.map(
        settingsSchema,
        'Settings that replace `settings` under network conditions with their own congestion control or initial window, by name of the condition; absent: no such conditions.',
      ),
    ),
    explains: s.optional(
      s.fileName(
        'Arm that this one repeats under other settings, to explain its results (`--explain`); no answer is about it. Absent: measured for its own sake.',
      ),
    ),
    comparedWith: s.optional(
      s.fileName('Arm that this one is compared with; absent: analysis.baseline, or controlOf.'),
    ),
    controlOf: s.orNull(
      s.text(
        'In the control: the arm that it repeats under another label; null in all other arms.',
      ),
    ),
  },
  'A server stack with a client, as the plan froze it.',
);

export type PlannedArm = s.Static<typeof armSchema>;

/** Settings of an arm under a network condition. */
export function settingsUnder(
  { settings, under }: Pick<PlannedArm, 'settings' | 'under'>,
  { name }: Pick<NetworkCondition, 'name'>,
): ArmSettings | undefined {
  return under?.[name] ?? settings;
}

const analysisSchema = s.object(
  {
    baseline: s.name('Default of comparedWith.'),
    marginPercent: s.number(
      'Two arms are the same when the whole interval of their ratio lies within this percentage of 1.',
      within(BOUNDS.marginPercent),
    ),
    metric: s.name("Primary metric: one of the experiment's metrics."),
    mix: s.optional(mixSchema),
    explanations: s.optional(
      s.list(explanationSchema, 'One for each explained pair (`--explain`). Absent: none.'),
    ),
  },
  'Analysis of the attempts, chosen before the first one.',
);

export type AnalysisPlan = s.Static<typeof analysisSchema>;

const stoppingSchema = s.object(
  {
    rule: s.constant('pocock-spending', 'Error-spending function over the looks.'),
    alpha: s.number('Family-wise error rate of the primary verdicts over all looks.', {
      exclusiveMinimum: 0,
      maximum: 0.5,
    }),
    budgetMs: s.number(
      'Time budget, after which no block begins, in ms.',
      within(BOUNDS.durationMs),
    ),
    blocksPerLook: s.count(
      'Blocks of each subject and condition between two looks: complete balanced sets.',
      within(BOUNDS.repetitions),
    ),
  },
  'Rule of sequential stopping, under which repetitions is the maximum; absent: all repetitions are made.',
);

/** Rule of sequential stopping, chosen before the first attempt. */
export type StoppingRule = s.Static<typeof stoppingSchema>;

const isolationSchema = s.oneOf(
  ['context', 'process'],
  'Isolation of loads: each has its own browser context in a kept browser, or its own new browser.',
);

export type Isolation = s.Static<typeof isolationSchema>;

/** Highest core number that a Linux kernel supports. */
const MOST_CORE = 8191;

const cores = (whose: string) =>
  s.list(s.count('', { minimum: 0, maximum: MOST_CORE }), `Numbers of the cores that ${whose}.`);

const choicesSchema = s.object(
  {
    origins: s.oneOf(
      ['own', 'shared'],
      'own: every host has its own address and certificate; shared: one of each for the whole site.',
    ),
    certificateChain: s.oneOf(['small', 'realistic'], 'Which certificates the servers send.'),
    keyExchange: s.optional(
      s.oneOf(
        KEY_EXCHANGES,
        'Key exchange requested of clients and servers, except for the user’s own servers. Absent: x25519.',
      ),
    ),
    pinned: s.orNull(
      s.object(
        {
          browserCores: cores('the browser runs on'),
          serverCores: cores('the servers run on'),
          linkCores: cores('the user-space link runs on'),
        },
        'Cores of each program.',
      ),
      'Cores of each program; null: the kernel decides.',
    ),
    deterministicPages: s.oneOf(
      ['recorded', 'all', 'none'],
      'Pages with a seeded Math.random and a fixed Date.',
    ),
    thinkTime: s.oneOf(
      ['off', 'recorded'],
      'Whether servers delay a response as long as the recorded ones did.',
    ),
    isolation: isolationSchema,
    warmUps: s.optional(
      s.count(
        'Uncounted loads of each stack that warm up new servers and browsers of a site. Absent: 1, or 0 where trials has no warm-up.',
        within(BOUNDS.warmUps),
      ),
    ),
    filmedLoads: s.optional(
      s.count(
        'Filmed loads of each arm under each condition, which are not counted. Absent: none, or before format 6.1.',
        within(BOUNDS.filmedLoads),
      ),
    ),
    initialWindowSegments: s.orNull(
      s.count(
        "Requested initial window of TCP in segments, except for arms with their own; null: the kernel's default.",
        within(BOUNDS.initialWindowSegments),
      ),
    ),
    congestionControl: s.optional(
      s.oneOf(
        CONGESTION_CONTROLS,
        'Congestion control requested of TCP at both ends of the path and of QUIC servers, except for arms with their own; absent: cubic.',
      ),
    ),
    subResources: s.oneOf(
      ['served', 'missing'],
      'missing: every request except for the main document gets status 404.',
    ),
    hosts: s.optional(
      s.oneOf(
        HOST_CHOICES,
        'Hosts that use HTTP/3 in arms over HTTP/3: those that announced and spoke it at the recording, the own hosts of the page, or all. Absent: as-recorded for sites with these facts, otherwise all; all before format 6.1.',
      ),
    ),
    document: s.oneOf(
      ['recorded', 'as-saved'],
      "as-saved: Flask's development server sends the main document with its header lines as text, and without the headers.",
    ),
    tlsMost: s.oneOf(
      ['1.2', '1.3'],
      'Newest TLS version of browsers over TCP; QUIC always has 1.3.',
    ),
    device: s.optional(deviceSchema),
    mtuBytes: s.count('MTU of the path in bytes.', within(BOUNDS.mtuBytes)),
    offloads: s.oneOf(
      ['off', 'on'],
      'on: the ends of the path may send and receive several segments as one packet, like loopback.',
    ),
    receiveBufferBytes: s.orNull(
      s.count(
        "Initial size of TCP's receive buffer at both ends, in bytes; null: the kernel's default.",
        within(BOUNDS.receiveBufferBytes),
      ),
    ),
    order: s.oneOf(
      ['shuffled', 'sequential'],
      'shuffled: within each block; sequential: all attempts of one arm, then all of the next.',
    ),
    keepSecrets: s.flag('Cookies and authorization values stay in HARs.'),
    hars: s.oneOf(
      ['all', 'median', 'none'],
      'Kept HARs of ok loads: all, those of the median loads, or none. HARs of loads that are not ok are always kept.',
    ),
    compressHars: s.flag('HARs are written as .har.gz.'),
    packets: s.optional(
      s.oneOf(
        ['none', 'warm-ups', 'median', 'all'],
        'Attempts whose packets are captured: none, warm-ups or all; median: all, but among ok attempts only the median ones are kept. Absent: none.',
      ),
    ),
    qlogs: s.optional(s.flag('Kept captures also have qlogs. Absent: no.')),
    tcpInfoMs: s.optional(
      s.orNull(
        s.count(
          "Interval at which TCP_INFO of an attempt's connections is read at the server's end, in ms; null or absent: never.",
          within(BOUNDS.tcpInfoMs),
        ),
      ),
    ),
    netLogs: s.optional(
      s.flag('The NetLog of every browser is kept, which slows QUIC more than TCP. Absent: no.'),
    ),
  },
  'Options that apply to all attempts of the run.',
);

export const COMMON_CHOICES: readonly string[] = Object.keys(choicesSchema.properties);

/** Options that apply to all attempts of a run: common ones, and an experiment's own by name (own-choices.ts). */
export type RunChoices = CommonChoices & OwnPart;

/** Without the cores, which depend on the machine. */
export type UnpinnedChoices = Omit<CommonChoices, 'pinned'> & OwnPart;

type CommonChoices = s.Static<typeof choicesSchema>;

interface OwnPart {
  [own: string]: unknown;
}

const trialFields = {
  id: s.fileName('Unique in the run.'),
  subject: s.fileName('A subject of the run.'),
  arm: s.fileName('An arm of the run.'),
  network: networkConditionSchema,
  networkSeed: s.count(
    'Seed of random losses; the same for all arms of a block.',
    within(BOUNDS.seed),
  ),
  repetition: s.count('1 to n; 0 in a warm-up.'),
  block: s.count('1 to n; 0 in a warm-up and in a filmed load.'),
  warmup: s.flag('Excluded from all statistics; also set in filmed loads.'),
  filmed: filmedSchema,
  factors: factorsSchema,
};

const trialSchema = s.object(trialFields, 'A planned attempt.');

export type Trial = s.Static<typeof trialSchema>;

/** Whether the plan contains it; the id of a repeated warm-up has an `@`. */
export function isPlanned({ id }: Pick<Trial, 'id'>): boolean {
  return !id.includes('@');
}

const excludedStacksSchema = s.list(
  s.object(
    { stack: s.name('Name of the stack.'), reason: s.text('Why, as sentences.') },
    'A requested stack without an arm.',
  ),
  'Requested stacks that are not measured, because this machine could not start them. Absent: none, or before format 6.1.',
);

export type ExcludedStack = s.Static<typeof excludedStacksSchema>[number];

const planFields = {
  ...formatFields,
  runId: s.fileName('Name of the run and of its folder.'),
  planSha256: s.sha256(
    'Over everything that determines what is measured and how; runs with the same value can form one campaign.',
  ),
  experiment: s.name('Name of the experiment: page-load, connect ...'),
  recordFile: s.fileName('File in the same folder with one line for each attempt.'),
  preset: s.orNull(s.text('Preset of the options; null: none.')),
  startedAt: s.moment('When the run was planned.'),
  command: s.list(s.text(''), 'The options as given by the user.'),
  seed: s.count('Seed of all random choices of the run.', within(BOUNDS.seed)),
  repetitions: s.count(
    'Counted attempts planned for each subject x arm x network condition x variant; a maximum with a stopping rule.',
  ),
  stopping: s.optional(stoppingSchema),
  timeoutS: s.number('Timeout of an attempt, in s.', within(BOUNDS.timeoutS)),
  subjects: s.list(subjectSchema, 'The subjects in their order.'),
  arms: s.list(armSchema, 'The arms in their order.'),
  excludedStacks: s.optional(excludedStacksSchema),
  networks: s.list(networkConditionSchema, 'The network conditions in their order.'),
  factors: s.map(
    s.distinct(s.name(''), ''),
    'Name of a factor to its values, each of which is a separate condition, like a network.',
  ),
  choices: s.withType<RunChoices>(choicesSchema),
  analysis: analysisSchema,
  interferenceRule: interferenceRuleSchema,
  trials: s.list(trialSchema, 'Every planned attempt, in the order to be run.'),
};

const [, mostRepetitions] = BOUNDS.repetitions;

/**
 * The frozen plan of a run, the same on every machine that takes part. An imported run may have more repetitions
 * than a plan that is to be executed.
 */
export const planSchema = s.object(
  {
    ...planFields,
    repetitions: { ...planFields.repetitions, ...within(BOUNDS.repetitions) },
    trials: s.list(
      s.object(
        {
          ...trialFields,
          repetition: { ...trialFields.repetition, maximum: mostRepetitions },
          block: { ...trialFields.block, maximum: mostRepetitions },
        },
        'A planned attempt.',
      ),
      'Every planned attempt, in the order to be run.',
    ),
  },
  'The plan of a run, the same on every machine that takes part.',
);

export type PlanRecord = s.Static<typeof planSchema>;

export const hostSchema = s.object(
  {
    os: s.text('Name of the system.'),
    kernel: s.text('Release of the kernel.'),
    cpu: s.text('Name of the processor.'),
    cores: s.count('Number of cores.'),
    memoryMb: s.number('Memory in MB.'),
    loadAverage1m: s.number('Load average over one minute.'),
    programsUid: s.optional(
      s.count(
        'User id of browser, servers and clients; 0 if one of them ran as root. Older records lack it.',
      ),
    ),
  },
  'The machine at the start.',
);

export type HostFacts = s.Static<typeof hostSchema>;

const importedTableSchema = s.object(
  {
    file: s.name('Name of the file.'),
    sha256: s.sha256('Of its bytes.'),
    dialect: s.oneOf(
      ['own', 'jaeger'],
      "own: a connections.csv of this project; jaeger: a file in the form of B. Jaeger's study of 2018.",
    ),
    rows: s.count('Number of rows.'),
  },
  'Table with external measurements from which the run was imported; absent: measured by this benchmark. The plan of an imported run is derived from the rows; its choices, seed and timeoutS have no meaning.',
);

export type ImportedTable = s.Static<typeof importedTableSchema>;

export const versionsSchema = s.map(s.text(''), 'Program name to version.');

/** run.json: the plan, and the state of the machine before the first attempt. */
export const runSchema = s.object(
  {
    ...planFields,
    backend: backendSchema,
    fairness: fairnessSchema,
    versions: versionsSchema,
    revision: s.optional(revisionSchema),
    host: s.orNull(hostSchema, 'The machine at the start; null: unknown, the run was imported.'),
    read: s.optional(importedTableSchema),
  },
  'The plan, and the state of the machine before the first attempt. A schema cannot express two rules: names of networks, subjects and arms and ids of trials are unique, and the arms in analysis.baseline, comparedWith and controlOf are in arms.',
);

export type RunRecord = s.Static<typeof runSchema>;
