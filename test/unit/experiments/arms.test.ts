import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armOf, armsAsked, liveArms, livePageArms, stackOfArm } from '../../../experiments/arms.ts';
import { connect } from '../../../experiments/connect/experiment.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { share } from '../../../experiments/share/experiment.ts';
import { transfer } from '../../../experiments/transfer/experiment.ts';
import { controlOf, type Stack } from '../../../ground/stack.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { readOptions } from '../../../runner/options.ts';
import { STACKS } from '../../../servers/index.ts';
import { ownStack } from '../../../servers/own-stack.ts';

const [QUIC, TCP] = ['lsquic-h3', 'bun-h2'].map((name) =>
  STACKS.filter(({ stack }) => stack === name),
) as [Stack[], Stack[]];

test('a stack is an arm for each way that it speaks, under its own name for the usual one', () => {
  const arms = armsAsked([...QUIC, ...TCP], ['quic', 'tls1.3', 'tls1.2', 'tcp']);
  assert.deepEqual(
    arms.map(({ stack, asked }) => [stack, asked?.stack, asked?.via]),
    [
      ['lsquic-h3', 'lsquic-h3', 'quic'],
      ['bun-h2', 'bun-h2', 'tls1.3'],
      ['bun-h2-tls1.2', 'bun-h2', 'tls1.2'],
      ['bun-h2-tcp', 'bun-h2', 'tcp'],
    ],
  );
  assert.equal(new Set(arms.map(({ label }) => label)).size, arms.length);
});

test('whoever offers both versions of HTTP speaks all ways, and first by TCP, as browsers ask', () => {
  const both = STACKS.filter(({ stack }) => stack === 'bun-dual');
  assert.deepEqual(
    armsAsked(both, ['quic', 'tls1.3', 'tls1.2']).map(({ stack, label }) => [stack, label]),
    [
      ['bun-dual-quic', 'Bun (h2 + h3) by QUIC'],
      ['bun-dual', 'Bun (h2 + h3) by TLS 1.3'],
      ['bun-dual-tls1.2', 'Bun (h2 + h3) by TLS 1.2'],
    ],
  );
});

test('a way that no stack speaks is refused with those that do', () => {
  assert.throws(
    () => armsAsked(TCP, ['quic']),
    (error) =>
      error instanceof UsageError && /--via quic: .*bun-h2 .*lsquic-h3/.test(error.message),
  );
});

test('every arm of a plan is the stack again that it was made of, controls and live hosts too', () => {
  const arms = [
    ...armsAsked([...QUIC, ...TCP], ['quic', 'tls1.3', 'tls1.2', 'tcp']),
    ...liveArms(['quic', 'tls1.2']),
    ...livePageArms(['h3', 'h2', 'h1.1']),
    ownStack('mine-h3', 'h3', { url: 'https://www.example.org:8443' }),
    ownStack('mine-h2', 'h2', { program: '/srv/start.sh' }),
    ...TCP.map((stack) => ({ ...stack, settings: { initialWindowSegments: 10 } })),
    ...QUIC.map((stack) => ({ ...stack, comparedWith: 'go-h2' })),
    ...QUIC.map((stack) => ({ ...stack, settings: { congestionControl: 'bbr' as const } })),
  ];
  for (const stack of [...arms, ...arms.map(controlOf)]) {
    assert.deepEqual(stackOfArm(armOf(stack, connect)), stack);
  }
});

test('between two versions of HTTP at one address browsers choose, and nobody else', () => {
  for (const [experiment, ...words] of [
    [transfer, '--stacks', 'bun-h2,bun-dual'],
    [share, '--flows', 'bun-dual:1,bun-h2:1'],
  ] as const) {
    assert.throws(
      () => readOptions(words, experiment),
      (error) =>
        error instanceof UsageError &&
        /^bun-dual offers HTTP\/2 and HTTP\/3 .* npm run (transfer|share)\..*bun-h2/.test(
          error.message,
        ),
    );
  }
  const stacks = ['--stacks', 'bun-h2,bun-dual'];
  for (const experiment of [pageLoad, connect]) readOptions(stacks, experiment);
});
