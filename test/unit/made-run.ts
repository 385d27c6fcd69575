import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CalibrationRecord, Spread } from '../../ground/records/calibration.ts';
import type { ConnectionTransport } from '../../ground/records/connection-transport.ts';
import type { Factors } from '../../ground/records/factors.ts';
import type { EndManifest, FairnessManifest } from '../../ground/records/fairness.ts';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import { compareStacks } from '../../ground/records/like-for-like.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import type { NetworkBackend, NetworkCondition } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { HostFacts, RunRecord, StoppingRule, Trial } from '../../ground/records/run.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import type { StackReadings } from '../../ground/records/stack-readings.ts';
import { splitBrowser } from '../../ground/stack.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

/** Every file of a run's folder that is read again. */
export interface MadeRun<Details = unknown> {
  run: RunRecord & { host: HostFacts };
  observations: Observation<Details>[];
  calibrations: CalibrationRecord[];
  invocations: (InvocationRecord & { host: HostFacts })[];
}

/** An arm of a made-up run, with the fields that its experiment adds to it. */
export interface MadeArm {
  arm: string;
  /** Default: the arm. */
  label?: string;
  protocol: Protocol;
  transport?: ConnectionTransport;
  comparedWith?: string;
}

/** Input of an attempt. */
export interface MadeTrial<Arm extends MadeArm = MadeArm> {
  trial: Omit<Trial, 'networkSeed'>;
  arm: Arm;
  network: NetworkCondition;
  factors: Factors;
  /** 0, 1, 2 ... in the order of the run. */
  index: number;
  subjectIndex: number;
  armIndex: number;
  calibration: CalibrationRecord;
  /** A number in [0, 1), the same in every run with the same options. */
  random: () => number;
}

/** The experiment's part of an attempt; all other fields of an observation have plain values. */
type MadeAttempt<Details> = Partial<Omit<Observation<Details>, 'details'>> & {
  metrics: Observation['metrics'];
  details: Details | null;
};

export interface MadeRunOptions<Details, Arm extends MadeArm> {
  subjects: readonly string[];
  networks: readonly NetworkCondition[];
  arms: readonly Arm[];
  repetitions: number;
  /** Values of each factor besides the network. */
  factors?: Readonly<Record<string, readonly string[]>>;
  analysis: RunRecord['analysis'];
  preset?: string | null;
  /** Server program of each arm in the plan. Default: bun. */
  client?: string;
  backend?: NetworkBackend;
  /** Whether each subject has a warm-up in its first condition. */
  warmups?: boolean;
  /** Whether each block has its own order of arms. */
  shuffled?: boolean;
  /** The id of a trial. Default: subject's place, condition, arm and block. */
  idOf?: (trial: Omit<Trial, 'networkSeed' | 'id'>) => string;
  /** Whether an arm measures a subject. Default: every arm every subject. */
  has?: (cell: { subject: string; arm: string }) => boolean;
  attempt: (made: MadeTrial<Arm>) => MadeAttempt<Details>;
  /** Changes single attempts after they were made, for failures and the like. */
  change?: ((attempt: Observation<Details>, details: Details) => void) | undefined;
}

/** Options that builders of runs pass on. */
export type CommonOptions<Details> = Partial<
  Pick<
    MadeRunOptions<Details, MadeArm>,
    'subjects' | 'networks' | 'repetitions' | 'backend' | 'warmups' | 'preset' | 'change'
  >
>;

/** The condition with nothing added. */
export const NONE: NetworkCondition = {
  name: 'none',
  rttMs: 0,
  downKbps: null,
  upKbps: null,
  lossPercent: 0,
  jitterMs: 0,
  burstLoss: null,
};

/** The condition of 15 ms each way. */
export const DELAYED: NetworkCondition = { ...NONE, name: '30ms', rttMs: 30 };

/** Conditions that differ in their round-trip times alone. */
export const delays = (...rttsMs: readonly number[]): NetworkCondition[] =>
  rttsMs.map((rttMs) => ({ ...NONE, name: `${rttMs}ms`, rttMs }));

/** Stopping rule of a run with looks. */
export const STOPPING: StoppingRule = {
  rule: 'pocock-spending',
  alpha: 0.05,
  budgetMs: 240_000,
  blocksPerLook: 6,
};

const RUN_ID = '2026-11-20T10-00-00Z';
const STARTED_AT = '2026-11-20T10:00:00.000Z';
const INVOCATION = `${RUN_ID}-bench`;
const VERSIONS = {
  'quic-vs-https': '0.1.0',
  node: '24.21.0',
  chromium: '156.0.7000.1',
  bun: '1.4.5',
};
const HOST: HostFacts = {
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: '6.1.0-30-amd64',
  cpu: 'Example CPU @ 2.40GHz',
  cores: 2,
  memoryMb: 7_961,
  loadAverage1m: 0.12,
  programsUid: 1000,
};

/** A look at a made-up run. */
export function madeLook(look: Partial<LookRecord> = {}): LookRecord {
  return {
    ...FORMAT,
    invocation: INVOCATION,
    at: '2026-11-22T00:00:00.000Z',
    order: 1,
    elapsedMs: 1000.5,
    fraction: 1,
    decided: [],
    end: null,
    ...look,
  };
}

/** A made-up run of an experiment with plausible numbers: the same options give the same run. */
export function madeRun<Details, Arm extends MadeArm>(
  experiment: { name: string; recordFile: string },
  options: MadeRunOptions<Details, Arm>,
): MadeRun<Details> {
  const { subjects, networks, arms, repetitions, backend = 'userspace' } = options;
  const { factors = {}, warmups = false, shuffled = false } = options;
  const { has = () => true, change } = options;
  const random = numbersFrom(7);
  const run = runRecord(experiment, options);
  const observations: Observation<Details>[] = [];
  const calibrations: CalibrationRecord[] = [];
  const variants = variantsOf(factors);
  let networkSeed = 0;
  for (const [subjectIndex, subject] of subjects.entries()) {
    const idOf =
      options.idOf ??
      (({ arm, network, factors: own, block }) =>
        [`s${subjectIndex + 1}`, network.name, ...Object.values(own), arm, block].join('.'));
    for (const network of networks) {
      const calibration = calibrationOf(subject, network, backend, random, calibrations.length);
      calibrations.push(calibration);
      for (const variant of variants) {
        // As in the runner: warm-ups come once for each site, in its first condition.
        const first = warmups && network === networks[0] && variant === variants[0] ? 0 : 1;
        for (let repetition = first; repetition <= repetitions; repetition += 1) {
          networkSeed += 1;
          for (const arm of shuffled ? arms.toSorted(() => random() - 0.5) : arms) {
            if (!has({ subject, arm: arm.arm })) continue;
            const fields = {
              subject,
              arm: arm.arm,
              network,
              repetition,
              block: repetition,
              warmup: repetition === 0,
              factors: variant,
            };
            const trial = { id: idOf(fields), ...fields };
            run.trials.push({ ...trial, networkSeed });
            const index = observations.length;
            const observation: Observation<Details> = {
              ...FORMAT,
              ...trial,
              order: index + 1,
              experiment: experiment.name,
              stack: arm.arm,
              protocol: arm.protocol,
              network: { ...network, backend, measuredRttMs: calibration.udpRttMs.median },
              client: null,
              outcome: 'ok',
              code: null,
              message: null,
              connections: null,
              machine: null,
              disturbed: null,
              stepsMs: {},
              path: null,
              files: {},
              startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, index)).toISOString(),
              attempt: 1,
              invocation: INVOCATION,
              ...options.attempt({
                trial,
                arm,
                network,
                factors: variant,
                index,
                subjectIndex,
                armIndex: arms.indexOf(arm),
                calibration,
                random,
              }),
            };
            if (observation.details) change?.(observation, observation.details);
            observations.push(observation);
          }
        }
      }
    }
  }
  return { run, observations, calibrations, invocations: [invocationOf(run)] };
}

/** The host of a subject's URL: a subject that is no host name has a usual one. */
export function hostOf(subject: string): string {
  return /^[a-z0-9.-]+$/.test(subject) ? subject : 'www.example.org';
}

/** Every combination of the factors' values. */
function variantsOf(factors: Readonly<Record<string, readonly string[]>>): Factors[] {
  return Object.entries(factors).reduce<Factors[]>(
    (variants, [name, values]) =>
      variants.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value }))),
    [{}],
  );
}

function runRecord<Details, Arm extends MadeArm>(
  { name, recordFile }: { name: string; recordFile: string },
  options: MadeRunOptions<Details, Arm>,
): MadeRun['run'] {
  const { subjects, networks, arms, repetitions, factors = {}, analysis, preset = null } = options;
  const { client = 'bun', backend = 'userspace' } = options;
  return {
    ...FORMAT,
    experiment: name,
    recordFile,
    runId: RUN_ID,
    planSha256: 'ab'.repeat(32),
    preset,
    startedAt: STARTED_AT,
    command: ['--sites', subjects.join(','), '--repetitions', String(repetitions)],
    seed: 7,
    repetitions,
    timeoutS: 30,
    subjects: subjects.map((subject, index) => ({
      subject,
      url: `https://${hostOf(subject)}/`,
      source: `Generated from the shape of ${subject} in December 2018; none of its content.`,
      kind: 'generated',
      hosts: 1 + (index % 7),
      resources: 4 + ((index * 37) % 190),
      wireBytes: 12_000 + ((index * 377_777) % 3_400_000),
      manifestSha256: 'ab'.repeat(32),
    })),
    arms: arms.map(({ arm, label = arm, protocol, transport, comparedWith }) => ({
      arm,
      label,
      protocol,
      stack: splitBrowser(arm)[0],
      client: splitBrowser(arm)[1] ?? client,
      ...(comparedWith !== undefined && { comparedWith }),
      controlOf: null,
      ...(transport && { transport }),
    })),
    networks: [...networks],
    factors: Object.fromEntries(
      Object.entries(factors).map(([factor, values]) => [factor, [...values]]),
    ),
    choices: {
      origins: 'own',
      certificateChain: 'small',
      keyExchange: 'x25519',
      pinned: { browserCores: [0], serverCores: [1], linkCores: [] },
      deterministicPages: 'recorded',
      thinkTime: 'off',
      isolation: 'context',
      initialWindowSegments: 32,
      congestionControl: 'cubic',
      subResources: 'served',
      document: 'recorded',
      tlsMost: '1.3',
      mtuBytes: 1500,
      offloads: 'off',
      receiveBufferBytes: 31_457_280,
      order: 'shuffled',
      keepSecrets: false,
      packets: 'none',
      qlogs: false,
      tcpInfoMs: null,
      netLogs: false,
      hars: 'all',
      compressHars: false,
    },
    analysis,
    interferenceRule: { otherCpuPercent: 25, stealPercent: 5, availableMemoryMb: 300 },
    backend,
    fairness: fairness(),
    trials: [],
    versions: { ...VERSIONS },
    revision: { commit: '1a2b3c4d5e'.repeat(4), dirty: false },
    host: { ...HOST },
  };
}

/** The one invocation that made the whole run. */
function invocationOf(run: MadeRun['run']): MadeRun['invocations'][number] {
  const { startedAt, command, host, versions, revision, backend } = run;
  return {
    ...FORMAT,
    id: INVOCATION,
    machine: 'bench',
    startedAt,
    command,
    host,
    versions,
    revision,
    backend,
    part: null,
    differences: [],
  };
}

function fairness(): FairnessManifest {
  const said = (value: string) => ({ value, from: "the server's ready line" });
  const readings: Record<string, StackReadings> = {
    'lsquic-h3': readingsOf('Bun', 32),
    'bun-h2': readingsOf('Bun', 10),
    'flask-h1': readingsOf('Flask', 10),
  };
  return {
    readAt: '2026-11-20T09:00:00.000Z',
    client: end(),
    server: end(),
    stacks: {
      'lsquic-h3': { program: said('Bun 1.4.5, node:quic'), congestionControl: said('cubic') },
      'bun-h2': { program: said('Bun 1.4.5, Bun.serve') },
      'flask-h1': {},
    },
    readings,
    pairs: compareStacks(readings, 'before loads'),
  };
}

/** Readings of a stack, without the length of its certificate chain. */
function readingsOf(serverProgram: string, initialWindowPackets: number): StackReadings {
  const read = <T>(value: T) => ({ value, from: 'made up' });
  return {
    congestionControl: read('cubic'),
    initialWindowPackets: read(initialWindowPackets),
    pathMtuBytes: read(1500),
    segmentsPerPacket: read(1),
    certificateChainBytes: { value: null, from: 'made up' },
    serverProgram: read(serverProgram),
  };
}

function end(): EndManifest {
  const read = <T>(value: T, from = '/proc/sys') => ({ value, from });
  return {
    tcpCongestionControl: read('cubic', 'TCP_CONGESTION'),
    tcpInitialWindowSegments: read(10, 'TCP_INFO'),
    tcpMssBytes: read(1448, 'TCP_INFO'),
    pathMtuBytes: read(1500, 'TCP_INFO'),
    deviceMtuBytes: read(1500, 'ip link'),
    segmentsPerPacket: read(1, 'ip link'),
    queueingDiscipline: read('noqueue', 'ip link'),
    offloads: read({ 'tx-checksum-ip-generic': true, 'rx-gro': false }, 'ETHTOOL_GFEATURES'),
    tcpSlowStartAfterIdle: read(false),
    tcpSavesMetrics: read(false),
    tcpEcn: read(0),
    tcpReceiveBufferBytes: read({ minimum: 4096, initial: 131_072, maximum: 6_291_456 }),
    tcpSendBufferBytes: read({ minimum: 4096, initial: 16_384, maximum: 4_194_304 }),
    udpReceiveBufferBytes: read(212_992, 'SO_RCVBUF'),
    udpSendBufferBytes: read(212_992, 'SO_SNDBUF'),
    udpReceiveBufferLimitBytes: { value: null, from: '/proc/sys' },
    udpSendBufferLimitBytes: read(212_992),
    ipv6: read(false),
    routes: read(['10.89.1.0/24'], 'ip route'),
  };
}

function calibrationOf(
  subject: string,
  network: NetworkCondition,
  backend: NetworkBackend,
  random: () => number,
  index: number,
): CalibrationRecord {
  const { name, burstLoss, ...numbers } = network;
  const { rttMs, downKbps, upKbps, lossPercent, jitterMs } = numbers;
  const around = (median: number): Spread => ({
    count: 50,
    minimum: median - 0.1,
    median,
    p90: median + 0.2,
    maximum: median + 0.6,
  });
  const measured = rttMs + 0.1 + 0.3 * random();
  return {
    subject,
    measuredAt: new Date(Date.UTC(2026, 10, 20, 9, 0, index)).toISOString(),
    requested: {
      condition: name,
      rttMs,
      downKbps,
      upKbps,
      lossPercent,
      jitterMs,
      burstLossPercent: burstLoss
        ? (100 * burstLoss.enterPercent) / (burstLoss.enterPercent + burstLoss.leavePercent)
        : 0,
    },
    backend,
    linkPriority: backend === 'userspace' ? 'fifo' : null,
    isSeeded: true,
    udpRttMs: around(measured),
    tcpRttMs: around(measured + 0.05),
    tcpConnectMs: around(measured + 0.1),
    toServerMs: around(measured / 2),
    toClientMs: around(measured / 2),
    udpProbes: 50,
    udpProbesLost: 0,
    downKbps: downKbps && downKbps * (0.985 + 0.02 * random()),
    upKbps: upKbps && upKbps * (0.985 + 0.02 * random()),
    downOfferedKbps: downKbps && downKbps * 1.5,
    upOfferedKbps: upKbps && upKbps * 1.5,
    loadAverage1m: 0.4,
    cores: 2,
  };
}

/** Puts a run into a folder of its own that is gone after `use`. */
export async function withRunFolder(
  made: MadeRun,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    await writeRun(folder, made);
    await use(folder);
  });
}

/** Writes run.json, the observations, calibrations.jsonl and invocations.jsonl as the runner does. */
export async function writeRun(
  folder: string,
  { run, observations, calibrations, invocations }: MadeRun,
): Promise<void> {
  const files = runFolder(folder);
  await writeFile(files.run, `${JSON.stringify(run, null, 1)}\n`);
  await writeFile(path.join(folder, run.recordFile), linesOf(observations));
  await writeFile(files.calibrations, linesOf(calibrations));
  await writeFile(files.invocations, linesOf(invocations));
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Numbers in [0, 1) that are the same every time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
