import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionsOfRun } from '../../../../ground/options/common.ts';
import { readOptions } from '../../../../runner/options.ts';
import { STACKS } from '../../../../servers/index.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { share } from '../../experiment.ts';
import { flowsOf } from '../../planning.ts';

const DOWN = ['--down', '10000'];

function optionsOf(...words: string[]) {
  return readOptions([...DOWN, ...words], share);
}

test('reads mixes as stacks with numbers of flows, separated by slashes', () => {
  const { choices, stacks } = optionsOf('--flows', 'lsquic-h3:1,bun-h2:3/flask-h1:2');
  assert.deepEqual(
    flowsOf({ choices }).mixes.map(({ subject }) => subject),
    ['1-lsquic-h3+3-bun-h2', '2-flask-h1'],
  );
  assertEach(stacks, ({ stack }) => stack, ['lsquic-h3', 'bun-h2', 'flask-h1']);
});

test('shares by default one flow by HTTP/3 with one by HTTP/2 for 30 s, over 30 ms', () => {
  const { choices, networks } = optionsOf();
  assert.deepEqual(choices.flows, {
    mixes: [
      {
        subject: '1-lsquic-h3+1-bun-h2',
        flows: [
          { stack: 'lsquic-h3', flows: 1 },
          { stack: 'bun-h2', flows: 1 },
        ],
      },
    ],
    durationMs: 30_000,
    startGapMs: 0,
  });
  assertEach(networks, ({ name }) => name, ['30ms-down10000']);
});

test('shares by default a flow by HTTP/3 with one by HTTP/2 of each own server', () => {
  const servers = ['--server', 'mine=https://localhost:8443', '--server', `7=${process.execPath}`];
  const { choices, stacks } = optionsOf(...servers);
  assert.deepEqual(
    flowsOf({ choices }).mixes.map(({ subject }) => subject),
    ['1-mine-h3+1-mine-h2', '1-7-h3+1-7-h2'],
  );
  assertEach(stacks, ({ own }) => own, [
    { url: 'https://localhost:8443' },
    { url: 'https://localhost:8443' },
    { program: process.execPath },
    { program: process.execPath },
  ]);
  const named = optionsOf(...servers, '--flows', 'mine-h3:2,7-h2:1');
  assertEach(named.stacks, ({ stack }) => stack, ['mine-h3', '7-h2']);
  assert.throws(() => optionsOf(...servers, '--flows', 'mine-h3:2'), /not among them.*7-h3/);
});

test('takes a version of a stack for a flow', () => {
  const { stacks } = optionsOf('--flows', 'lsquic-h3@1.2.3:1,lsquic-h3:2');
  assertEach(stacks, ({ stack }) => stack, ['lsquic-h3@1.2.3', 'lsquic-h3']);
});

test('omits options without an effect on flows, and has its own default round trip', () => {
  const { rtt, ...rest } = optionsOfRun(share);
  assert.equal('timeout' in rest, false);
  assert.throws(() => readOptions([...DOWN, '--timeout', '5'], share), /timeout/);
  const [{ rttMs } = {}] = optionsOf().networks;
  assert.match(String(rtt?.help), new RegExp(`\\(default ${rttMs}\\)$`));
});

test('rejects impossible flows with what is expected', () => {
  const refused = (words: string[], ...said: RegExp[]) => {
    for (const each of said) assert.throws(() => readOptions(words, share), each, words.join(' '));
  };
  const flows = (text: string) => [...DOWN, '--flows', text];
  refused(flows('lsquic-h3:0,bun-h2:1'), /numbers of flows from 1/, /lsquic-h3:1,bun-h2:1/);
  refused(flows('lsquic-h3:25,bun-h2:25'), /2 to 20 flows in all, got 50/);
  refused(flows('bun-h2:1'), /2 to 20 flows in all, got 1/);
  refused(flows('bun-h2:1,bun-h2:1'), /bun-h2 .*twice/);
  refused(flows('bun-h2:2/bun-h2:2'), /bun-h2:2 .*twice/);
  refused(flows('bun-h3:1,bun-h2:1'), /Unknown stack bun-h3/, /lsquic-h3/);
  refused(flows(''), /expected stacks/);
  refused([...DOWN, '--duration', '1'], /--duration 1/, /2 to 300/);
  refused([...DOWN, '--start-gap', '-1'], /--start-gap -1/);
  refused(
    [...flows('bun-h2:20'), '--start-gap', '60'],
    /1170 s, expected at most 600 s/,
    /fewer flows/,
  );
  refused([], /no limited rate towards the client/, /--down 10000/);
  refused(['--network', 'dsl,30ms'], /The network 30ms/);
});

test('budgets the time of its flows for a run without a number of repetitions', () => {
  const budgetMs = optionsOf().stopping?.budgetMs ?? 0;
  // Two arms and a look after some blocks: many times 30 s.
  assert.ok(budgetMs >= 2 * 4 * 30_000, String(budgetMs));
});

test('lets only browsers choose between two versions of HTTP at one address', () => {
  const both = STACKS.find(({ protocol }) => protocol === 'h2+h3');
  if (both === undefined) return;
  assert.throws(() => readOptions(['--flows', `${both.stack}:1,bun-h2:1`], share), {
    name: 'UsageError',
    message: /^[\w-]+ offers HTTP\/2 and HTTP\/3 .* npm run share .*bun-h2/,
  });
});
