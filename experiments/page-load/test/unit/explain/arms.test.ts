import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armsOfExplanation } from '../../../../../ground/records/explanation.ts';
import type {
  ArmSettings,
  ExcludedStack,
  UnpinnedChoices,
} from '../../../../../ground/records/run.ts';
import type { Stack } from '../../../../../ground/stack.ts';
import { readOptions } from '../../../../../runner/options.ts';
import { STACKS } from '../../../../../servers/index.ts';
import { ownStack } from '../../../../../servers/own-stack.ts';
import { explanationsOf } from '../../../explain/arms.ts';

const CHOICES = readOptions([]).choices;

function named(name: string, settings?: ArmSettings): Stack {
  const found = STACKS.find(({ stack }) => stack === name);
  assert.ok(found, name);
  return settings ? { ...found, settings } : found;
}

function explained(
  arm: Stack,
  baseline: Stack,
  choices: Partial<UnpinnedChoices> = {},
  excludedStacks: readonly ExcludedStack[] = [],
) {
  const { stacks, explanations } = explanationsOf([arm, baseline], {
    baseline: baseline.stack,
    choices: { ...CHOICES, ...choices },
    excludedStacks,
  });
  const [explanation] = explanations;
  assert.ok(explanation);
  const all = [arm, baseline, ...stacks];
  const settingsOf = (name: string) => all.find(({ stack }) => stack === name)?.settings;
  return {
    ...explanation,
    stacks,
    steps: explanation.steps.map((step) => ({
      ...step,
      arms: [step.together.arm, step.together.baseline].map(settingsOf),
      reversed: step.reverse && [step.reverse.arm, step.reverse.baseline].map(settingsOf),
    })),
  };
}

function unchangedOf({ unchanged }: ReturnType<typeof explained>, isEqual: boolean): string[] {
  return unchanged.filter((each) => each.isEqual === isEqual).map(({ name }) => name);
}

test('adds one change after the other to the arms of QUIC and TCP', () => {
  const found = explained(named('lsquic-h3'), named('bun-h2'));
  assert.deepEqual(
    found.steps.map(({ name, arms }) => [name, ...arms]),
    [
      ['handshake', { handshake: 'one round trip more' }, undefined],
      [
        'window-growth',
        { handshake: 'one round trip more', countedWindowBytes: 46_720 },
        undefined,
      ],
      [
        'pacing',
        { handshake: 'one round trip more', countedWindowBytes: 46_720 },
        { pacesTcp: true },
      ],
      [
        'http2-library',
        { handshake: 'one round trip more', countedWindowBytes: 46_720 },
        { pacesTcp: true, responseOrder: 'interleaved' },
      ],
      [
        'response-order',
        { handshake: 'one round trip more', countedWindowBytes: 46_720 },
        { pacesTcp: true, responseOrder: 'by priority' },
      ],
    ],
  );
  const [library, order] = found.steps.slice(-2);
  assert.deepEqual(order?.aloneAfter, library?.alone);
  assert.deepEqual(found.steps[0]?.reversed, [undefined, { handshake: 'one round trip less' }]);
  assert.deepEqual(unchangedOf(found, true), [
    'initial-window',
    'congestion-control',
    'receive-window',
  ]);
});

test('removes a smaller initial window, another congestion control and a smaller receive window of TCP', () => {
  const found = explained(named('quic-go-h3', { congestionControl: 'reno' }), named('go-h2'), {
    initialWindowSegments: null,
    receiveBufferBytes: null,
  });
  const changeOf = (name: string) => found.steps.find((step) => step.name === name)?.arms[1];
  // 32 packets of 1,280 bytes in segments of 1,448.
  assert.equal(changeOf('initial-window')?.initialWindowSegments, 28);
  assert.equal(changeOf('congestion-control')?.congestionControl, 'reno');
  assert.equal(changeOf('receive-window')?.receiveBufferBytes, 30 * 1024 * 1024);
});

test('removes the difference that is injected into one of two equal stacks', () => {
  const cases: [string, ArmSettings, ArmSettings][] = [
    ['go-h2', { initialWindowSegments: 10 }, { initialWindowSegments: 32 }],
    ['quic-go-h3', { countedWindowBytes: 12_800 }, { countedWindowBytes: 40_960 }],
    ['quic-go-h3', { handshake: 'one round trip more' }, { handshake: 'one round trip more' }],
    ['go-h2', { handshake: 'one round trip less' }, { handshake: 'one round trip less' }],
  ];
  for (const [name, injected, expected] of cases) {
    const other = { ...named(name, injected), stack: `${name}-other` };
    const { steps } = explained(named(name), other);
    assert.equal(steps.length, 1, JSON.stringify(injected));
    const arms = steps[0]?.arms ?? [];
    assert.ok(
      arms.some((settings) => JSON.stringify(settings) === JSON.stringify(expected)),
      `${JSON.stringify(injected)}: ${JSON.stringify(arms)}`,
    );
  }
});

test('names another congestion control than that of both stacks as an alternative', () => {
  const controlsOf = (name: string, settings?: ArmSettings) =>
    explained(named(name, settings), named('bun-h2'))
      .alternatives.map((each) => each.name)
      .filter((each) => ['cubic', 'bbr', 'reno'].includes(each));
  assert.deepEqual(controlsOf('lsquic-h3'), ['bbr']);
  assert.deepEqual(controlsOf('quic-go-h3', { congestionControl: 'reno' }), []);
});

test('makes an arm that two explanations share once', () => {
  const baseline = named('bun-h2');
  const { stacks, explanations } = explanationsOf(
    [named('lsquic-h3'), named('quic-go-h3'), baseline],
    { baseline: baseline.stack, choices: CHOICES, excludedStacks: [] },
  );
  const names = stacks.map(({ stack }) => stack);
  assert.equal(new Set(names).size, names.length);
  assert.equal(explanations.length, 2);
  const known = new Set(['lsquic-h3', 'quic-go-h3', 'bun-h2', ...names]);
  for (const name of explanations.flatMap(armsOfExplanation)) assert.ok(known.has(name), name);
});

test('says which parts are unknown for a running server of the user', () => {
  const mine = (name: string, protocol: 'h3' | 'h2') =>
    ownStack(name, protocol, { url: 'https://127.0.0.1:4433' });
  const found = explained(mine('mine-h3', 'h3'), mine('mine-h2', 'h2'));
  assert.deepEqual(
    found.steps.map(({ name }) => name),
    ['handshake'],
  );
  assert.equal(found.responseDelay, undefined);
  for (const name of ['initial-window', 'window-growth', 'pacing', 'response-order', 'response']) {
    assert.ok(unchangedOf(found, false).includes(name), name);
  }
});

test('goes on without an arm that could not be measured', () => {
  const excluded = [{ stack: 'bun-h2-pacing', reason: 'No rights.' }];
  const found = explained(named('lsquic-h3'), named('bun-h2'), {}, excluded);
  assert.ok(unchangedOf(found, false).includes('pacing'));
  assert.ok(!found.stacks.some(({ settings }) => settings?.pacesTcp));
  assert.equal(found.steps.at(-1)?.name, 'response-order');
});

test('explains no stack over HTTP/1.1', () => {
  const { steps, alternatives, unchanged } = explained(named('flask-h1'), named('bun-h2'));
  assert.deepEqual([steps, alternatives], [[], []]);
  assert.deepEqual(
    unchanged.map(({ isEqual }) => isEqual),
    [false],
  );
});

test('cannot hold the two round trips that TLS 1.2 adds', () => {
  const found = explained(named('lsquic-h3'), named('bun-h2'), { tlsMost: '1.2' });
  assert.ok(unchangedOf(found, false).includes('handshake'));
});
