import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  armOf,
  armsByTransport,
  liveArms,
  livePageArms,
  stackOfArm,
} from '../../../experiments/arms.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { controlOf, inBrowser, type Stack } from '../../../ground/stack.ts';
import { readOptions } from '../../../runner/options.ts';
import { STACKS } from '../../../servers/index.ts';
import { ownStack } from '../../../servers/own-stack.ts';
import { assertEach } from '../assert-each.ts';
import { MADE_UP_DUAL, withMadeUpStacks } from '../servers/made-up-stacks.ts';

const [QUIC, TCP] = ['lsquic-h3', 'bun-h2'].map((name) =>
  STACKS.filter(({ stack }) => stack === name),
) as [Stack[], Stack[]];

test('makes an arm for each supported transport, with the name of the stack for its default', () => {
  const arms = armsByTransport([...QUIC, ...TCP], ['quic', 'tls1.3', 'tls1.2', 'tcp']);
  assertEach(
    arms,
    ({ stack, serverStack }) => [stack, serverStack?.stack, serverStack?.transport],
    [
      ['lsquic-h3', 'lsquic-h3', 'quic'],
      ['bun-h2', 'bun-h2', 'tls1.3'],
      ['bun-h2-tls1.2', 'bun-h2', 'tls1.2'],
      ['bun-h2-tcp', 'bun-h2', 'tcp'],
    ],
  );
  assert.equal(new Set(arms.map(({ label }) => label)).size, arms.length);
});

test('makes an arm for each version of QUIC, which a plan finds again with its control', () => {
  const stacks = `${QUIC[0]?.stack},${TCP[0]?.stack}`;
  const words = ['--stacks', stacks, '--quic-version', '1,2', '--control', 'lsquic-h3-v2'];
  const options = readOptions(words, pageLoad);
  const arms = options.stacks.map((stack) => armOf(stack, options));
  assertEach(arms, ({ arm, stack, quicVersion }) => [arm, stack, quicVersion], [
    ['lsquic-h3', 'lsquic-h3', undefined],
    ['lsquic-h3-v2', 'lsquic-h3', 2],
    ['lsquic-h3-v2-control', 'lsquic-h3', 2],
    ['bun-h2', 'bun-h2', undefined],
  ]);
  assert.deepEqual(
    arms.map((arm) => armOf(stackOfArm(arm), options)),
    arms,
  );
});

test('rejects QUIC version 2 for a stack without it, and without a stack over QUIC', () => {
  const refused = (stack: string, said: RegExp) =>
    assert.throws(
      () =>
        readOptions(
          ['--stacks', `${stack},flask-h1`, '--quic-version', '2'],
          withMadeUpStacks(pageLoad),
        ),
      said,
    );
  refused('made-up-h3', /--quic-version 2: not for made-up-h3\. It is for lsquic-h3/);
  refused(MADE_UP_DUAL.stack, /not for made-up-dual/);
  refused('bun-h2', /no stack of this run is over QUIC/);
});

test('a stack with both versions of HTTP supports all transports, with TLS as default', () => {
  assert.deepEqual(
    armsByTransport([MADE_UP_DUAL], ['quic', 'tls1.3', 'tls1.2']).map(({ stack, label }) => [
      stack,
      label,
    ]),
    [
      ['made-up-dual-quic', 'Made up (h2 + h3) by QUIC'],
      ['made-up-dual', 'Made up (h2 + h3) by TLS 1.3'],
      ['made-up-dual-tls1.2', 'Made up (h2 + h3) by TLS 1.2'],
    ],
  );
});

test('rejects a transport that no stack supports, with the stacks that do', () => {
  assert.throws(() => armsByTransport(TCP, ['quic']), {
    name: 'UsageError',
    message: /--via quic: .*bun-h2.*lsquic-h3/,
  });
});

test('restores the stack of each planned arm, including controls and live hosts', () => {
  const arms = [
    ...armsByTransport([...QUIC, ...TCP], ['quic', 'tls1.3', 'tls1.2', 'tcp']),
    ...liveArms(['quic', 'tls1.2']),
    ...livePageArms(['h3', 'h2', 'h1.1']),
    ownStack('mine-h3', 'h3', { url: 'https://www.example.org:8443' }),
    ownStack('mine-h2', 'h2', { program: '/srv/start.sh' }),
    ...TCP.map((stack) => ({ ...stack, settings: { initialWindowSegments: 10 } })),
    ...QUIC.map((stack) => ({ ...stack, comparedWith: 'mine-h2' })),
    ...QUIC.map((stack) => ({ ...stack, settings: { congestionControl: 'bbr' as const } })),
  ];
  const inBeta = [...QUIC, ...TCP, ...livePageArms(['h3'])].map((each) => inBrowser(each, 'beta'));
  for (const stack of [...arms, ...inBeta, ...[...arms, ...inBeta].map(controlOf)]) {
    assert.deepEqual(stackOfArm(armOf(stack, pageLoad)), stack);
  }
});

test('accepts a stack with two versions of HTTP at one address', () => {
  readOptions(['--stacks', 'bun-h2,made-up-dual'], withMadeUpStacks(pageLoad));
});
