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

/** A command line with which each further option is valid. */
const BASE: RawOptions = { seed: '1', repetitions: '20', rtt: '30', stacks: 'lsquic-h3,bun-h2' };

/** Options for an existing plan, which contains all the rest. */
type PlanInvocation = 'resume' | 'resume-anyway' | 'plan' | 'queue';

/** Common options that page loads lack, and one that no default stack supports. */
type OfOtherExperiments = 'client' | 'read' | 'dialect' | 'document';

/** For each option a value that differs from BASE. */
const OTHER: Record<Exclude<CommonOption, PlanInvocation | OfOtherExperiments>, string> = {
  'warm-ups': '1',
  preset: 'usual',
  sites: 'www.iana.org',
  stacks: 'bun-h2,flask-h1',
  server: process.execPath,
  browser: 'chromium,beta@/opt/chromium-beta/chrome',
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

/** Prerequisites of options. */
const NEEDED: Readonly<Record<string, RawOptions>> = {
  'shard-by': { shard: '1/2' },
  qlog: { packets: 'all' },
  'queue-bdp': { down: '10000' },
  // Its stacks are the default ones.
  server: { stacks: undefined },
  baseline: { stacks: 'lsquic-h3,flask-h1' },
};

const PRESETS = {
  usual: { of: pageLoad.name, about: 'a preset', options: { isolation: 'process' } },
};

test('has no common option in two groups', () => {
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

  test(`has only valid defaults: ${experiment.name}`, () => {
    for (const [name, { byDefault, defaultText, argument, read }] of rows) {
      if (argument === null) assert.equal(byDefault, false, name);
      // A missing default cannot be given as a value.
      else if (byDefault !== undefined && String(byDefault) !== '')
        assert.deepEqual(read(name, defaultText ?? String(byDefault)), byDefault, name);
    }
  });

  test(`names only common or own options in rows: ${experiment.name}`, () => {
    const known = new Map(rows);
    const isKnown = (name: string) =>
      known.has(name) || allExperiments().some(({ options = {} }) => name in options);
    for (const [name, { conflicts = [], needs, lines }] of rows) {
      for (const other of [...conflicts, ...(needs ? [needs] : [])]) {
        assert.ok(isKnown(other), `--${name}: ${other}`);
      }
      if (typeof lines === 'object') {
        assert.equal(typeof known.get(lines.by)?.lines, 'function', `--${name}: ${lines.by}`);
      }
    }
    for (const name of experiment.without ?? []) assert.ok(name in COMMON_OPTIONS, name);
  });
}

test('reports the value of every common option of the plan, and of no other', () => {
  assertOptionsReported(pageLoad, { base: BASE, further: OTHER, needed: NEEDED, presets: PRESETS });
});

test('reports the values of page load options', () => {
  assertOptionsReported(pageLoad, { base: BASE, further: { visit: 'reload', hosts: 'own' } });
  const live = { seed: '1', repetitions: '20', live: '' };
  assertOptionsReported(pageLoad, {
    base: live,
    further: { live: '', via: 'h3,h1.1', pause: '5s' },
  });
});

test('reports nothing twice of a run', () => {
  const saidOf = (given: RawOptions) => choiceLines(runOf(given, pageLoad), pageLoad);
  const names = saidOf(BASE).map(([name]) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const [name, text] of saidOf({ ...BASE, control: '' })) assert.ok(text, name);
});
