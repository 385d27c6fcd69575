import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../../experiments/measuring.ts';
import type { Trial } from '../../../ground/records/run.ts';
import type { Stack } from '../../../ground/stack.ts';
import type { Server } from '../../../runner/servers.ts';
import {
  clientOfConditions,
  groupConditions,
  serversUnder,
  stacksToStart,
} from '../../../runner/servers-by-condition.ts';
import { bunH2 } from '../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../servers/lsquic-h3/stack.ts';

const CHOICES = { congestionControl: 'cubic' } as const;
const NETWORKS = ['cubic-10', 'cubic-32', 'bbr-10', 'bbr-32'].map((name) => ({ name }));
const BBR = { congestionControl: 'bbr' } as const;
const STACKS: Stack[] = [
  { ...lsquicH3, under: { 'cubic-10': {}, 'cubic-32': {}, 'bbr-10': BBR, 'bbr-32': BBR } },
  {
    ...bunH2,
    under: {
      'cubic-10': {},
      'cubic-32': { initialWindowSegments: 32 },
      'bbr-10': BBR,
      'bbr-32': { ...BBR, initialWindowSegments: 32 },
    },
  },
];

test("starts one server for each congestion control of a program's own transport", () => {
  const namesOf = (stacks: readonly Stack[]) =>
    stacks.map(({ stack, settings }) => `${stack} ${settings?.congestionControl ?? 'usual'}`);
  assert.deepEqual(namesOf(stacksToStart(STACKS, NETWORKS, CHOICES)), [
    'lsquic-h3 usual',
    'lsquic-h3 bbr',
    'bun-h2 usual',
  ]);
  assert.deepEqual(namesOf(stacksToStart([lsquicH3, bunH2], NETWORKS, CHOICES)), [
    'lsquic-h3 usual',
    'bun-h2 usual',
  ]);
});

test('starts one server for each delay and order of responses', () => {
  const explained: Stack = {
    ...bunH2,
    settings: { responseDelayMs: 20 },
    under: {
      'cubic-10': { responseDelayMs: 20 },
      'cubic-32': { responseDelayMs: 40 },
      'bbr-10': { responseOrder: 'by priority' },
      'bbr-32': { responseOrder: 'by priority', initialWindowSegments: 32 },
    },
  };
  const started = stacksToStart([explained], NETWORKS, CHOICES);
  assert.deepEqual(
    started.map(({ settings }) => settings),
    [{ responseDelayMs: 20 }, { responseDelayMs: 40 }, { responseOrder: 'by priority' }],
  );
});

test('gives arms under each condition their settings, and the server that was started with them', () => {
  const servers = stacksToStart(STACKS, NETWORKS, CHOICES).map(
    (stack, pid) => ({ stack, pid }) as Server,
  );
  const found = groupConditions(NETWORKS, STACKS).map((conditions) => [
    [...conditions.networks].join(),
    ...serversUnder(conditions, servers, CHOICES).map(({ pid, stack }) => [pid, stack.settings]),
  ]);
  assert.deepEqual(found, [
    ['cubic-10', [0, {}], [2, {}]],
    ['cubic-32', [0, {}], [2, { initialWindowSegments: 32 }]],
    ['bbr-10', [1, BBR], [2, BBR]],
    ['bbr-32', [1, BBR], [2, { ...BBR, initialWindowSegments: 32 }]],
  ]);
  assert.equal(groupConditions(NETWORKS, [lsquicH3, bunH2]).length, 1);
});

test('uses a separate client for each condition, with its own warm-ups', async () => {
  const log: string[] = [];
  const clientNamed = (name: string): Client => ({
    isWorn: name === 'b',
    prepare: async ({ id }) => `${name} ${id}`,
    measure: async (prepared) => {
      log.push(prepared as string);
      return { outcome: 'ok' } as never;
    },
    readyForNext: async () => {},
    dispose: async () => {},
    close: async () => void log.push(`${name} closed`),
  });
  const [a, b] = ['a', 'b'].map((name) => ({
    networks: new Set([name]),
    client: clientNamed(name),
  }));
  assert.ok(a && b);
  assert.equal(clientOfConditions([a]), a.client);
  const client = clientOfConditions([a, b]);
  const under = (name: string) => ({ id: name, arm: 'h3', network: { name } }) as Trial;
  for (const name of ['b', 'a']) await client.measure(await client.prepare(under(name)));
  assert.notEqual(client.clientKey?.(under('a')), client.clientKey?.(under('b')));
  assert.equal(client.isWorn, true);
  await client.close();
  assert.deepEqual(log, ['b b', 'a a', 'a closed', 'b closed']);
});
