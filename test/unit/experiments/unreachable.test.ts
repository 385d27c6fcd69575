import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, EMPTY_ATTEMPT, type ReadyServer } from '../../../experiments/measuring.ts';
import { skipUnreachable } from '../../../experiments/unreachable.ts';
import type { UdpTreatment } from '../../../ground/records/network.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import { assertEach } from '../assert-each.ts';

const BLOCKED: UdpTreatment = { treatment: 'blocked', kbps: null };

/** Calls of a client for one trial, and their result. */
async function tried(
  protocol: Protocol,
  udp: UdpTreatment | undefined,
  visit = 'cold',
  transport?: 'quic' | 'tls1.3',
) {
  const calls: string[] = [];
  const client: Client<string> = {
    isWorn: false,
    async prepare() {
      calls.push('prepare');
      return 'prepared';
    },
    async measure(prepared) {
      calls.push(`measure ${prepared}`);
      return { ...EMPTY_ATTEMPT, outcome: 'ok', code: null, message: null, startedAt: new Date() };
    },
    async readyForNext(prepared) {
      calls.push(`settle ${prepared}`);
    },
    async dispose(prepared) {
      calls.push(`dispose ${prepared}`);
    },
    close: async () => {},
  };
  const stack = { stack: 'arm', protocol, ...(transport && { serverStack: { transport } }) };
  const server = { stack, origins: {}, spkiPins: [], pid: 1, follow: () => () => {} };
  const trial: Trial = {
    id: 'trial',
    subject: 'site',
    arm: 'arm',
    network: { ...NOTHING_ADDED, name: 'planned', ...(udp && { udp }) },
    networkSeed: 1,
    repetition: 1,
    block: 1,
    warmup: false,
    factors: { visit },
  };
  const skipping = skipUnreachable(client as Client, [server satisfies ReadyServer]);
  const prepared = await skipping.prepare(trial);
  const { outcome, code, message } = await skipping.measure(prepared);
  await skipping.readyForNext(prepared);
  await skipping.dispose(prepared);
  return { outcome, code, message, calls };
}

test('skips trials by QUIC alone over networks that stop UDP', async () => {
  for (const treatment of ['blocked', 'rejected'] as const) {
    const { outcome, code, message, calls } = await tried('h3', { treatment, kbps: null });
    assert.deepEqual([outcome, code, calls], ['unsupported', `udp-${treatment}`, []]);
    assert.match(message ?? '', /arm .* network/);
  }
  assert.equal((await tried('quic', BLOCKED)).outcome, 'unsupported');
  assert.equal((await tried('h2', BLOCKED, 'cold', 'quic')).outcome, 'unsupported');
});

test('measures trials by TCP, by a choice of both, and over networks that pass or throttle UDP', async () => {
  const expected = ['prepare', 'measure prepared', 'settle prepared', 'dispose prepared'];
  const free = [
    await tried('h2', BLOCKED),
    await tried('tls', BLOCKED),
    await tried('h2+h3', BLOCKED),
    await tried('h3', { treatment: 'throttled', kbps: 1000 }),
    await tried('h3', undefined),
    await tried('h3', BLOCKED, 'cold', 'tls1.3'),
  ];
  for (const { outcome, calls } of free) assert.deepEqual([outcome, calls], ['ok', expected]);
});

test('skips all trials of a block that is measured together', async () => {
  const [h3, h2] = ['h3', 'h2'].map((arm) => ({ arm, network: { udp: BLOCKED }, factors: {} }));
  const servers = (['h3', 'h2'] as const).map((protocol) => ({
    stack: { stack: protocol, protocol },
  }));
  const client = { prepare: () => assert.fail('it was prepared') } as unknown as Client;
  const block = [h2, h3] as unknown as Trial[];
  const skipping = skipUnreachable(client, servers as unknown as ReadyServer[], () => block);
  for (const trial of block) {
    const made = await skipping.measure(await skipping.prepare(trial));
    const codes = new Map([...(made.otherArms ?? []), [trial.arm, made] as const]);
    assertEach(['h3', 'h2'], (arm) => [codes.get(arm)?.outcome, codes.get(arm)?.code], [
      ['unsupported', 'udp-blocked'],
      ['invalid', 'not-together'],
    ]);
  }
});

test('skips a stack with both versions if QUIC is forced', async () => {
  assert.equal((await tried('h2+h3', BLOCKED, 'forced')).code, 'udp-blocked');
  assert.equal((await tried('h2+h3', undefined, 'forced')).outcome, 'ok');
});
