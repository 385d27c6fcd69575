import { CONGESTION_CONTROLS } from './congestion-control.ts';
import { connectionTransportSchema } from './connection-transport.ts';
import { factorsSchema } from './factors.ts';
import { fairnessSchema } from './fairness.ts';
import { formatFields } from './format.ts';
import { KEY_EXCHANGES } from './key-exchange.ts';
import { interferenceRuleSchema } from './machine-use.ts';
import { backendSchema, type NetworkCondition, networkConditionSchema } from './network.ts';
import { protocolSchema } from './protocol.ts';
import { BOUNDS, within } from './ranges.ts';
import * as s from './schema.ts';

const subjectSchema = s.object(
  {
    subject: s.fileName('Name of the subject; of a page load, the site.'),
    url: s.text('The page.'),
    source: s.text('A sentence: where the page comes from.'),
    kind: s.text('How the page was made: generated, imported, ...'),
    hosts: s.count('How many hosts it has.'),
    resources: s.count('How many resources it has.'),
    wireBytes: s.count('Bytes of their bodies as they are sent.'),
    manifestSha256: s.sha256("Of the site's index.json: which page exactly."),
    warning: s.optional(
      s.text('A sentence: why its results say little; absent: nothing is known against it.'),
    ),
  },
  'What is measured, as the plan froze it: a site of the cache.',
);

/** A subject as the plan froze it. */
export type PlannedSubject = s.Static<typeof subjectSchema>;

const ownSchema = s.object(
  {
    url: s.optional(
      s.text('Where it answers for every host of a site; absent: the run starts it.'),
    ),
    program: s.optional(s.text('The program that the run starts; absent: it runs already.')),
  },
  "Of the user's own server, which is not of this project: one of the two; absent: the stack is of this project.",
);

const settingsSchema = s.object(
  {
    congestionControl: s.optional(
      s.oneOf(
        CONGESTION_CONTROLS,
        'Congestion control of the transport that its server brings along, or else of TCP at both ends of the path during its attempts; absent: that of choices.',
      ),
    ),
    quicCongestionControl: s.optional(
      s.oneOf(
        CONGESTION_CONTROLS,
        'Congestion control of the QUIC that its server brings along beside TCP; absent: that of TCP.',
      ),
    ),
    initialWindowSegments: s.optional(
      s.orNull(
        s.count(
          "TCP's initial window during its attempts, in segments; null: the kernel's own. Absent: that of choices, or it is not over TCP.",
          within(BOUNDS.initialWindowSegments),
        ),
      ),
    ),
  },
  'What the arm is asked to have in place of what all others are; absent: nothing.',
);

/** What an arm is asked to have in place of what all others are. */
export type ArmSettings = s.Static<typeof settingsSchema>;

const armSchema = s.object(
  {
    arm: s.fileName('Name of the arm.'),
    label: s.name('For tables and headings, for example lsquic (h3).'),
    protocol: protocolSchema,
    stack: s.fileName('The server stack that answers; live: hosts that are not of this bench.'),
    via: s.optional(connectionTransportSchema),
    client: s.name('The program that asks.'),
    own: s.optional(ownSchema),
    settings: s.optional(settingsSchema),
    under: s.optional(
      s.map(
        settingsSchema,
        'What it is asked to have in place of settings, by the names of network conditions that have a congestion control or an initial window of their own; absent: there are none.',
      ),
    ),
    comparedWith: s.optional(
      s.fileName(
        'Name of the arm that this one is compared with; absent: analysis.baseline, or controlOf.',
      ),
    ),
    controlOf: s.orNull(
      s.text(
        'Set in the control: the arm that this one repeats under another label; null elsewhere.',
      ),
    ),
  },
  'What is compared: a server stack with a client, as the plan froze it.',
);

/** An arm as the plan froze it. */
export type PlannedArm = s.Static<typeof armSchema>;

/** What an arm is asked to have under a network condition. */
export function settingsUnder(
  { settings, under }: Pick<PlannedArm, 'settings' | 'under'>,
  { name }: Pick<NetworkCondition, 'name'>,
): ArmSettings | undefined {
  return under?.[name] ?? settings;
}

const analysisSchema = s.object(
  {
    baseline: s.name('The arm that the others are compared with, but those that have another.'),
    marginPercent: s.number(
      'Two arms are the same when the whole interval of their ratio lies within so many percent of 1.',
      within(BOUNDS.marginPercent),
    ),
    metric: s.name("What verdicts are about: one of the experiment's metrics."),
  },
  'What is done with the attempts once they are made, chosen before the first of them.',
);

export type AnalysisPlan = s.Static<typeof analysisSchema>;

const stoppingSchema = s.object(
  {
    rule: s.constant('pocock-spending', 'How the error is spent over the looks.'),
    alpha: s.number('The chance of even one wrong primary verdict over all looks.', {
      exclusiveMinimum: 0,
      maximum: 0.5,
    }),
    budgetMs: s.number('After so long no further block is begun.', within(BOUNDS.durationMs)),
    blocksPerLook: s.count(
      'Blocks of each subject and condition between two looks: complete balanced sets.',
      within(BOUNDS.repetitions),
    ),
  },
  'The rule by which repetitions stop; absent: all are made. repetitions is then the most of them.',
);

/** When a run has been told enough; chosen before its first attempt. */
export type StoppingRule = s.Static<typeof stoppingSchema>;

const isolationSchema = s.oneOf(
  ['context', 'process'],
  'What loads are kept apart by: a browser context each in a browser that is kept, or a browser each that was just started.',
);

export type Isolation = s.Static<typeof isolationSchema>;

/** Number of the last core that a kernel of Linux can be built for. */
const MOST_CORE = 8191;

const cores = (whose: string) =>
  s.list(s.count('', { minimum: 0, maximum: MOST_CORE }), `Numbers of the cores that ${whose}.`);

const choicesSchema = s.object(
  {
    origins: s.oneOf(
      ['own', 'shared'],
      'own: every host has an address and a certificate of its own; shared: one of each for the whole site.',
    ),
    certificateChain: s.oneOf(['small', 'realistic'], 'Which certificates the servers send.'),
    keyExchange: s.optional(
      s.oneOf(
        KEY_EXCHANGES,
        'The key exchange asked of clients and servers, but of servers of the user’s own. Absent: x25519.',
      ),
    ),
    pinned: s.orNull(
      s.object(
        {
          browserCores: cores('the browser runs on'),
          serverCores: cores('the servers run on'),
          linkCores: cores('the user-space link runs on'),
        },
        'Which cores are whose.',
      ),
      'Which cores are whose; null: the kernel decides.',
    ),
    deterministicPages: s.oneOf(
      ['recorded', 'all', 'none'],
      'Which pages got a seeded Math.random and a Date of their own.',
    ),
    thinkTime: s.oneOf(
      ['off', 'recorded'],
      'Whether servers wait before an answer as long as the recorded ones did.',
    ),
    isolation: isolationSchema,
    warmUps: s.optional(
      s.count(
        'Loads of each stack that warm up new servers and browsers of a site; they are not counted. Absent: 1, or 0 where trials has no warm-up.',
        within(BOUNDS.warmUps),
      ),
    ),
    initialWindowSegments: s.orNull(
      s.count(
        "TCP's initial window asked for, in segments, but for arms that have their own; null: the kernel's own.",
        within(BOUNDS.initialWindowSegments),
      ),
    ),
    congestionControl: s.optional(
      s.oneOf(
        CONGESTION_CONTROLS,
        "Congestion control asked of TCP at both ends of the path and of QUIC's servers, but of arms that have their own; absent: cubic.",
      ),
    ),
    subResources: s.oneOf(
      ['served', 'missing'],
      "missing: every request but the main document's is answered 404.",
    ),
    document: s.oneOf(
      ['recorded', 'as-saved'],
      "as-saved: Flask's development server sends the main document with its header lines as text, and without the headers.",
    ),
    tlsMost: s.oneOf(
      ['1.2', '1.3'],
      'The newest TLS that browsers speak over TCP; QUIC has 1.3 always.',
    ),
    mtuBytes: s.count('MTU of the path in bytes.', within(BOUNDS.mtuBytes)),
    offloads: s.oneOf(
      ['off', 'on'],
      'on: the ends of the path may send and receive several segments as one packet, as loopback does.',
    ),
    receiveBufferBytes: s.orNull(
      s.count(
        "What TCP's receive buffer begins with on both ends, in bytes; null: what the kernel begins with.",
        within(BOUNDS.receiveBufferBytes),
      ),
    ),
    order: s.oneOf(
      ['shuffled', 'sequential'],
      'shuffled: within each block; sequential: all attempts of an arm, then all of the next one.',
    ),
    keepSecrets: s.flag('Cookies and authorization values stay in HARs.'),
    hars: s.oneOf(
      ['all', 'median', 'none'],
      'Which HARs of ok loads are kept: all, those of the median loads, or none. Others are kept always.',
    ),
    compressHars: s.flag('HARs are written as .har.gz.'),
    packets: s.optional(
      s.oneOf(
        ['none', 'warm-ups', 'median', 'all'],
        'Whose packets are captured: of no attempts, of warm-ups, or of all; median: of all, and of those that are ok only the median ones are kept. Absent: none.',
      ),
    ),
    qlogs: s.optional(s.flag('Captures that are kept have qlogs beside them. Absent: no.')),
    tcpInfoMs: s.optional(
      s.orNull(
        s.count(
          "Every how many ms the kernel at the server's end was asked for TCP_INFO of an attempt's connections; null or absent: never.",
          within(BOUNDS.tcpInfoMs),
        ),
      ),
    ),
    netLogs: s.optional(
      s.flag(
        'The NetLog of every browser is kept; writing it slows QUIC more than TCP. Absent: no.',
      ),
    ),
  },
  'What holds for all attempts of the run.',
);

export const COMMON_CHOICES: readonly string[] = Object.keys(choicesSchema.properties);

/** Choices about a run that hold for all of its attempts: those that all experiments have, and by their name those of its own (own-choices.ts). */
export type RunChoices = CommonChoices & OwnPart;

/** The same but for the cores, which only the machine can tell. */
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
    'Decides which packets are lost; the same for all arms of a block.',
    within(BOUNDS.seed),
  ),
  repetition: s.count('1 to n; 0 in a warm-up.'),
  block: s.count('1 to n; 0 in a warm-up.'),
  warmup: s.flag('Left out of every statistic.'),
  factors: factorsSchema,
};

const trialSchema = s.object(trialFields, 'A planned attempt.');

/** One planned attempt. */
export type Trial = s.Static<typeof trialSchema>;

/** Whether the plan has it; a warm-up that is made once more has an id of its own, with an `@`. */
export function isPlanned({ id }: Pick<Trial, 'id'>): boolean {
  return !id.includes('@');
}

const planFields = {
  ...formatFields,
  runId: s.fileName('Name of the run and of its folder.'),
  planSha256: s.sha256(
    'Over all that decides what is measured and how: two with the same can be one campaign.',
  ),
  experiment: s.name('What was measured: page-load, connect ...'),
  recordFile: s.fileName('The file beside this one that has a line for each attempt.'),
  preset: s.orNull(s.text('The preset that the options came from; null: none.')),
  startedAt: s.moment('When the run was planned.'),
  command: s.list(s.text(''), 'The options as given by the user.'),
  seed: s.count('What every random choice of the run came from.', within(BOUNDS.seed)),
  repetitions: s.count(
    'Counted attempts planned for each subject x arm x network condition x variant; the most of them where a rule stops them.',
  ),
  stopping: s.optional(stoppingSchema),
  timeoutS: s.number('An attempt that takes longer has failed, in s.', within(BOUNDS.timeoutS)),
  subjects: s.list(subjectSchema, 'The subjects in their order.'),
  arms: s.list(armSchema, 'The arms in their order.'),
  networks: s.list(networkConditionSchema, 'The network conditions in their order.'),
  factors: s.map(
    s.distinct(s.name(''), ''),
    'Name of a factor to its values, each a condition of its own, like a network.',
  ),
  choices: s.withType<RunChoices>(choicesSchema),
  analysis: analysisSchema,
  interferenceRule: interferenceRuleSchema,
  trials: s.list(trialSchema, 'Every planned attempt, in the order to be run.'),
};

const [, mostRepetitions] = BOUNDS.repetitions;

/**
 * The frozen plan of a run: everything decided before anything was started, the same on every machine that takes part. A run that was
 * read from a table can have more repetitions than a plan that is to be executed.
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
  'Everything that was decided before a run, the same on every machine that takes part.',
);

export type PlanRecord = s.Static<typeof planSchema>;

/** The machine as it was at the start. */
export const hostSchema = s.object(
  {
    os: s.text('Name of the system.'),
    kernel: s.text('Its release.'),
    cpu: s.text('Name of the processor.'),
    cores: s.count('How many cores there are.'),
    memoryMb: s.number('Memory in MB.'),
    loadAverage1m: s.number('Load average over one minute.'),
    programsUid: s.optional(
      s.count(
        'User as whom browser, servers and clients ran, 0 if one of them did as root; absent: in older records.',
      ),
    ),
  },
  'The machine at the start.',
);

export type HostFacts = s.Static<typeof hostSchema>;

const importedTableSchema = s.object(
  {
    file: s.name('Its name.'),
    sha256: s.sha256('Of its bytes as they were read.'),
    dialect: s.oneOf(
      ['own', 'jaeger'],
      "own: a connections.csv of this project; jaeger: a file in the form of B. Jaeger's study of 2018.",
    ),
    rows: s.count('How many rows it has.'),
  },
  'The table that the run was read from, in which others had measured; absent: it was measured here. Then the plan is what the rows say was done, and choices, seed and timeoutS say nothing of how they were measured.',
);

/** The table that a run was read from. */
export type ImportedTable = s.Static<typeof importedTableSchema>;

/** Program name to version. */
export const versionsSchema = s.map(s.text(''), 'Program name to version.');

/** What run.json holds: the plan, and what was found on the machine before the first attempt. */
export const runSchema = s.object(
  {
    ...planFields,
    backend: backendSchema,
    fairness: fairnessSchema,
    versions: versionsSchema,
    host: s.orNull(
      hostSchema,
      'The machine at the start; null: not known, the run was read from a file.',
    ),
    read: s.optional(importedTableSchema),
  },
  'What was decided and found before the first attempt of a run. Names of networks, subjects and arms and ids of trials are unique, and the arms named in analysis.baseline, comparedWith and controlOf are in arms, which a schema cannot say.',
);

export type RunRecord = s.Static<typeof runSchema>;
