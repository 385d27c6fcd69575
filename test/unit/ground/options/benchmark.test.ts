import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../experiments/connect/experiment.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { share } from '../../../../experiments/share/experiment.ts';
import { sockets } from '../../../../experiments/sockets/experiment.ts';
import { transfer } from '../../../../experiments/transfer/experiment.ts';
import { video } from '../../../../experiments/video/experiment.ts';
import type { Experiment } from '../../../../ground/experiment.ts';
import { chosenBefore, RUN_OPTIONS, type RunValues } from '../../../../ground/options/benchmark.ts';
import { COMPARISON_OPTIONS } from '../../../../ground/options/comparison.ts';
import { CONNECTION_OPTIONS } from '../../../../experiments/connect/options.ts';
import { FLOW_OPTIONS } from '../../../../experiments/share/options.ts';
import { INVOCATION_OPTIONS } from '../../../../ground/options/invocation.ts';
import { LIVE_PAGE_OPTIONS } from '../../../../experiments/page-load/options.ts';
import { LOAD_OPTIONS } from '../../../../ground/options/loads.ts';
import { NETWORK_OPTIONS } from '../../../../ground/options/network.ts';
import type { Given, OptionRow } from '../../../../ground/options/row.ts';
import { SERVER_OPTIONS } from '../../../../ground/options/servers.ts';
import { SOCKET_OPTIONS } from '../../../../experiments/sockets/options.ts';
import { TABLE_OPTIONS } from '../../../../ground/options/tables.ts';
import { TRANSFER_OPTIONS } from '../../../../experiments/transfer/options.ts';
import { VIDEO_OPTIONS } from '../../../../experiments/video/options.ts';
import type { RunRecord } from '../../../../ground/records/run.ts';

import { armOf } from '../../../../experiments/arms.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { published2018 } from '../../../../studies/published-2018/study.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

const ROWS = Object.entries<OptionRow>(RUN_OPTIONS);

/** Beside which each of the others can be given. */
const BASE: Given = {
  seed: '1',
  repetitions: '20',
  rtt: '30',
  stacks: 'lsquic-h3,bun-h2,flask-dev',
};

/** Options that stand beside a plan that is there, which has all that is said. */
type BesidePlan = 'resume' | 'resume-anyway' | 'plan' | 'queue';

/** Options with which nothing is measured. */
type InsteadOfRun = 'probe';

/** For each option a value that is not what BASE has. */
const OTHER: Record<Exclude<keyof RunValues, BesidePlan | InsteadOfRun>, string> = {
  live: '',
  via: 'tcp,quic',
  resumption: 'ticket',
  ipv: '6',
  requests: '1',
  path: '/a',
  client: 'chromium',
  'warm-ups': '1',
  'local-port': '4000',
  trust: 'none',
  every: '90s',
  read: 'table.csv',
  dialect: 'jaeger',
  size: '10kB',
  streams: '1,10',
  upload: '',
  'stream-window': '64kB',
  'receive-window': '64kB',
  explain: '',
  profile: 'cpu',
  message: '1000',
  reuse: '',
  flows: 'bun-h1:2',
  duration: '9',
  'start-gap': '2',
  videos: 'one,another',
  player: 'shaka',
  buffer: '4',
  abr: 'off',
  bitrate: '900',
  preset: 'published',
  sites: 'www.iana.org',
  stacks: 'bun-h2,flask-dev',
  server: process.execPath,
  pause: '2s',
  repetitions: 'auto',
  visit: 'reload',
  isolation: 'process',
  order: 'sequential',
  seed: '2',
  timeout: '20',
  out: 'somewhere',
  rtt: '60',
  down: '5000',
  up: '1000',
  loss: '1',
  jitter: '2',
  trace: 'network/traces/cellular.down',
  'trace-up': 'network/traces/cellular.up',
  'burst-loss': '0.4,33',
  'queue-bdp': '2',
  udp: 'blocked',
  lose: '3',
  event: 'rebind@500ms',
  network: 'dsl',
  mtu: '1400',
  offloads: 'on',
  'receive-buffer': '65536',
  'network-backend': 'userspace',
  baseline: 'flask-dev',
  margin: '2',
  metric: 'document',
  control: '',
  initcwnd: 'stock',
  cc: 'bbr',
  'cert-chain': 'realistic',
  'key-exchange': 'x25519mlkem768',
  coalesce: '',
  deterministic: 'all',
  think: 'recorded',
  'sub-resources': 'missing',
  document: 'as-saved',
  tls: '1.2',
  pin: '',
  packets: 'median',
  qlog: '',
  'tcp-info': '5',
  'net-log': '',
  hars: 'none',
  'compress-hars': '',
  'keep-secrets': '',
  freeze: 'new.json',
  shard: '1/2',
  'shard-by': 'blocks',
  budget: '90s',
  'stop-after': '9',
  progress: 'jsonl',
  'fail-if': 'lsquic-h3 slower than bun-h2 by 5%',
  junit: 'junit.xml',
  markdown: 'answers.md',
};

/** What options are nothing without. */
const NEEDED: Readonly<Record<string, Given>> = {
  'shard-by': { shard: '1/2' },
  qlog: { packets: 'all' },
  'key-exchange': { stacks: 'lsquic-h3,bun-h2' },
  'queue-bdp': { down: '10000' },
  path: { requests: '1' },
  // Its stacks are those of a run that names none.
  server: { stacks: undefined },
};

/** Beside which options of connections can be given. */
const BASE_OF_HOSTS: Given = { seed: '1', repetitions: '20', live: '' };

/** Beside which options of sockets, or of transfers, can be given. */
const BASE_OF_OTHERS: Given = { seed: '1', repetitions: '20' };

/** Beside which options of flows can be given. */
const BASE_OF_FLOWS: Given = { seed: '1', repetitions: '20', down: '10000' };

/** A run of these options, with cores and path as a machine would have them. */
function runOf(given: Given, experiment: Experiment = pageLoad): RunRecord {
  const { run } = fixtureRun();
  const [subject] = run.subjects;
  assert.ok(subject);
  const operands = given.live === undefined ? [] : ['a.test'];
  const { pin, choices, stopping, backend, sites, sizes, videos, stacks, ...options } = optionsOf(
    { given, operands },
    experiment,
    published2018.presets,
  );
  const pinned = pin ? { browserCores: [0], serverCores: [1], linkCores: [1] } : null;
  return {
    ...run,
    ...options,
    networks: [...options.networks],
    experiment: experiment.name,
    recordFile: experiment.recordFile,
    factors: Object.fromEntries(
      Object.entries(options.factors).map(([name, values]) => [name, [...values]]),
    ),
    subjects: (sizes ?? videos ?? sites).map((name) => ({ ...subject, subject: name })),
    arms: stacks.map((stack) => armOf(stack, { ...experiment, client: options.client })),
    choices: { ...choices, pinned },
    ...(stopping && { stopping }),
    backend: backend === 'userspace' ? 'userspace' : 'netem',
  };
}

function withoutDuration({ duration: _, ...others }: typeof VIDEO_OPTIONS) {
  return others;
}

test('no option stands in two groups', () => {
  const groups = [
    CONNECTION_OPTIONS,
    SOCKET_OPTIONS,
    TRANSFER_OPTIONS,
    FLOW_OPTIONS,
    // Flows have a duration too.
    withoutDuration(VIDEO_OPTIONS),
    LOAD_OPTIONS,
    NETWORK_OPTIONS,
    COMPARISON_OPTIONS,
    SERVER_OPTIONS,
    INVOCATION_OPTIONS,
    TABLE_OPTIONS,
  ];
  const names = groups.flatMap((group) => Object.keys(group));
  // Pages have some of the names of connections.
  const ofLivePages = Object.keys(LIVE_PAGE_OPTIONS).filter((name) => !names.includes(name));
  assert.deepEqual([...names, ...ofLivePages].toSorted(), Object.keys(RUN_OPTIONS).toSorted());
});

test('every default is a value that the option takes', () => {
  for (const [name, { byDefault, defaultText, argument, read }] of ROWS) {
    if (argument === null) assert.equal(byDefault, false, name);
    // Nothing by default is nothing that could be given.
    else if (byDefault !== undefined && String(byDefault) !== '')
      assert.deepEqual(read(name, defaultText ?? String(byDefault)), byDefault, name);
  }
});

test('names that rows give of other options are options', () => {
  const rows = new Map(ROWS);
  for (const [name, { conflicts = [], needs, said }] of ROWS) {
    for (const other of [...conflicts, ...(needs ? [needs] : [])]) {
      assert.ok(rows.has(other), `--${name}: ${other}`);
    }
    if (typeof said === 'object') {
      assert.equal(typeof rows.get(said.by)?.said, 'function', `--${name}: ${said.by}`);
    }
  }
});

test('the report says of every option of the plan what was chosen, and of no other', () => {
  for (const [name, other] of Object.entries(OTHER)) {
    const { decides } = RUN_OPTIONS[name as keyof RunValues];
    const isOfHosts = Object.hasOwn(CONNECTION_OPTIONS, name);
    const isOfSockets = Object.hasOwn(SOCKET_OPTIONS, name);
    const isOfTransfers = Object.hasOwn(TRANSFER_OPTIONS, name) || name === 'client';
    const isOfFlows = Object.hasOwn(FLOW_OPTIONS, name);
    const isOfVideos = Object.hasOwn(withoutDuration(VIDEO_OPTIONS), name);
    const isOther = isOfSockets || isOfTransfers || isOfVideos;
    const own = isOfFlows ? BASE_OF_FLOWS : isOther ? BASE_OF_OTHERS : BASE;
    const base = isOfHosts ? BASE_OF_HOSTS : own;
    const beside: Given = { ...(name === 'pause' ? BASE_OF_HOSTS : base), ...NEEDED[name] };
    const { live: _, ...local } = beside;
    const others = isOfTransfers ? transfer : isOfSockets ? sockets : pageLoad;
    const ofServers = isOfFlows ? share : isOfVideos ? video : others;
    const experiment = isOfHosts ? connect : ofServers;
    const plain = chosenBefore(runOf(name === 'live' ? local : beside, experiment));
    const said = chosenBefore(runOf({ ...beside, [name]: other }, experiment));
    if (decides === 'invocation') assert.deepEqual(said, plain, `--${name}`);
    else assert.notDeepEqual(said, plain, `--${name}`);
  }
});

test('nothing is said twice of a run', () => {
  const names = chosenBefore(runOf(BASE)).map(([name]) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const [name, text] of chosenBefore(runOf({ ...BASE, control: '' }))) assert.ok(text, name);
});

test('of a video is said how long it is watched, and not what only pages have', () => {
  const lines = new Map(chosenBefore(runOf({ ...BASE_OF_OTHERS, duration: '9' }, video)));
  assert.equal(lines.get('Watched for'), '9 s');
  assert.equal(lines.get('Network conditions'), 'dsl');
  assert.deepEqual(
    [...lines.keys()].filter((name) => /Time limit|Visits|All flows/.test(name)),
    [],
  );
});
