import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allExperiments } from '../../../experiments/index.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import {
  COMMON_OPTIONS,
  type CommonOption,
  choiceLines,
  optionsOfRun,
} from '../../../ground/options/common.ts';
import { COMPARISON_OPTIONS } from '../../../ground/options/comparison.ts';
import { INVOCATION_OPTIONS } from '../../../ground/options/invocation.ts';
import { LOAD_OPTIONS } from '../../../ground/options/loads.ts';
import { NETWORK_OPTIONS } from '../../../ground/options/network.ts';
import type { OptionRow, RawOptions } from '../../../ground/options/row.ts';
import { SERVER_OPTIONS } from '../../../ground/options/servers.ts';
import { TABLE_OPTIONS } from '../../../ground/options/tables.ts';
import { assertOptionsReported, runOf } from './reported-options.ts';

/** Beside which each of the others can be given. */
const BASE: RawOptions = { seed: '1', repetitions: '20', rtt: '30', stacks: 'lsquic-h3,bun-h2' };

/** Options that stand beside a plan that is there, which has all that is said. */
type BesidePlan = 'resume' | 'resume-anyway' | 'plan' | 'queue';

/** Common options that page loads do not have, and one that no default stack goes with. */
type OfOthers = 'client' | 'read' | 'dialect' | 'document';

/** For each option a value that is not what BASE has. */
const OTHER: Record<Exclude<CommonOption, BesidePlan | OfOthers>, string> = {
  'warm-ups': '1',
  preset: 'usual',
  sites: 'www.iana.org',
  stacks: 'bun-h2,flask-h1',
  server: process.execPath,
  repetitions: 'auto',
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
  baseline: 'flask-h1',
  margin: '2',
  metric: 'document',
  mix: '30ms=100',
  control: '',
  initcwnd: 'stock',
  cc: 'bbr',
  'cert-chain': 'realistic',
  'key-exchange': 'x25519mlkem768',
  coalesce: '',
  deterministic: 'all',
  think: 'recorded',
  'sub-resources': 'missing',
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
const NEEDED: Readonly<Record<string, RawOptions>> = {
  'shard-by': { shard: '1/2' },
  qlog: { packets: 'all' },
  'queue-bdp': { down: '10000' },
  // Its stacks are those of a run that names none.
  server: { stacks: undefined },
  baseline: { stacks: 'lsquic-h3,flask-h1' },
};

const PRESETS = {
  usual: { of: pageLoad.name, about: 'a preset', options: { isolation: 'process' } },
};

test('no common option stands in two groups', () => {
  const groups = [
    LOAD_OPTIONS,
    NETWORK_OPTIONS,
    COMPARISON_OPTIONS,
    SERVER_OPTIONS,
    INVOCATION_OPTIONS,
    TABLE_OPTIONS,
  ];
  const names = groups.flatMap((group) => Object.keys(group));
  assert.deepEqual(names.toSorted(), Object.keys(COMMON_OPTIONS).toSorted());
});

for (const experiment of allExperiments()) {
  const rows = Object.entries<OptionRow>({ ...COMMON_OPTIONS, ...optionsOfRun(experiment) });

  test(`every default is a value that the option takes: ${experiment.name}`, () => {
    for (const [name, { byDefault, defaultText, argument, read }] of rows) {
      if (argument === null) assert.equal(byDefault, false, name);
      // Nothing by default is nothing that could be given.
      else if (byDefault !== undefined && String(byDefault) !== '')
        assert.deepEqual(read(name, defaultText ?? String(byDefault)), byDefault, name);
    }
  });

  test(`options that rows name are common ones or its own: ${experiment.name}`, () => {
    const known = new Map(rows);
    const isKnown = (name: string) =>
      known.has(name) || allExperiments().some(({ options = {} }) => name in options);
    for (const [name, { conflicts = [], needs, said }] of rows) {
      for (const other of [...conflicts, ...(needs ? [needs] : [])]) {
        assert.ok(isKnown(other), `--${name}: ${other}`);
      }
      if (typeof said === 'object') {
        assert.equal(typeof known.get(said.by)?.said, 'function', `--${name}: ${said.by}`);
      }
    }
    for (const name of experiment.without ?? []) assert.ok(name in COMMON_OPTIONS, name);
  });
}

test('the report says of every common option of the plan what was chosen, and of no other', () => {
  assertOptionsReported(pageLoad, { base: BASE, others: OTHER, needed: NEEDED, presets: PRESETS });
});

test('the report says of the options of page loads what was chosen', () => {
  assertOptionsReported(pageLoad, { base: BASE, others: { visit: 'reload' } });
  const live = { seed: '1', repetitions: '20', live: '' };
  assertOptionsReported(pageLoad, {
    base: live,
    others: { live: '', via: 'h3,h1.1', pause: '5s' },
  });
});

test('nothing is said twice of a run', () => {
  const saidOf = (given: RawOptions) => choiceLines(runOf(given, pageLoad), pageLoad);
  const names = saidOf(BASE).map(([name]) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const [name, text] of saidOf({ ...BASE, control: '' })) assert.ok(text, name);
});
