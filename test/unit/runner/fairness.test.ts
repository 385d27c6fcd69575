import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { PathAgent } from '../../../network/agent.ts';
import { type FairnessOptions, readFairness } from '../../../runner/fairness.ts';

const FAKE = path.join(import.meta.dirname, 'fairness-probe.mjs');

const SERVERS: FairnessOptions['servers'] = [
  {
    stack: { stack: 'lsquic-h3', protocol: 'h3' },
    details: { congestionControl: 'cubic', library: 'lsquic 4' },
    origins: { 'a.test': '10.89.1.1:4001' },
    certificateChainBytes: 400,
  },
  { stack: { stack: 'flask-h1', protocol: 'http/1.1' }, details: {}, origins: {} },
];

const COMMON = { python: 'python', client: 'chromium' };
const NO_SERVERS = { ...COMMON, servers: [] };
const WITH_SERVERS = { ...COMMON, servers: SERVERS };

/** Namespaces with the fake prober in them, where `ip` has this output. */
function fakePath(link: object, routes: object[] = [{ dst: '10.89.0.0/16' }]) {
  const agent: Pick<PathAgent, 'enter' | 'run'> = {
    enter: (namespace) => [process.execPath, FAKE, namespace],
    run: async (_namespace, command) => JSON.stringify(command.includes('link') ? [link] : routes),
  };
  return { agent, setTcp: async () => {}, apply: async () => {} };
}

const LINK = { ifname: 'path0', mtu: 1500, qdisc: 'noqueue', gso_max_segs: 1 };

test('reads each end with the source of each value', async () => {
  const { client, server } = await readFairness(fakePath(LINK), NO_SERVERS);
  assert.deepEqual(client.tcpCongestionControl, {
    value: 'cubic',
    from: 'TCP_CONGESTION of a TCP connection through the path',
  });
  assert.equal(server.tcpCongestionControl.value, 'bbr');
  assert.equal(client.tcpInitialWindowSegments.value, 10);
  assert.equal(server.tcpInitialWindowSegments.value, 32);
  assert.equal(client.tcpMssBytes.value, 1448);
  assert.deepEqual(client.segmentsPerPacket, {
    value: 1,
    from: 'ip -json -details link show dev path0',
  });
  assert.deepEqual(client.routes.value, ['10.89.0.0/16']);
  assert.deepEqual(client.offloads.value, { 'tx-tcp-segmentation': false });
});

test('reads settings by their meaning', async () => {
  const { client } = await readFairness(fakePath(LINK), NO_SERVERS);
  assert.equal(client.tcpSlowStartAfterIdle.value, false);
  assert.equal(client.tcpSavesMetrics.value, false);
  assert.equal(client.tcpEcn.value, 0);
  assert.equal(client.ipv6.value, false);
  assert.deepEqual(client.tcpReceiveBufferBytes, {
    value: { minimum: 4096, initial: 131072, maximum: 6291456 },
    from: '/proc/sys/net/ipv4/tcp_rmem',
  });
});

test('reads what a namespace does not show from the machine, and marks it', async () => {
  const { client } = await readFairness(fakePath(LINK), NO_SERVERS);
  const { value, from } = client.udpReceiveBufferLimitBytes;
  assert.equal(from, '/proc/sys/net/core/rmem_max of the whole machine');
  assert.ok(value !== null && value > 0);
});

test('is null where the system has no value', async () => {
  const { client } = await readFairness(fakePath({}), NO_SERVERS);
  assert.equal(client.segmentsPerPacket.value, null);
  assert.equal(client.queueingDiscipline.value, null);
});

test('quotes servers from their ready lines', async () => {
  const { stacks } = await readFairness(fakePath(LINK), WITH_SERVERS);
  assert.deepEqual(stacks, {
    'lsquic-h3': {
      congestionControl: { value: 'cubic', from: "the server's ready line" },
      library: { value: 'lsquic 4', from: "the server's ready line" },
    },
    'flask-h1': {},
  });
});

test('compares stacks by the facts known before the first load', async () => {
  const { readings, pairs } = await readFairness(fakePath(LINK), WITH_SERVERS);
  assert.equal(readings['flask-h1']?.congestionControl?.value, 'bbr');
  assert.equal(readings['lsquic-h3']?.certificateChainBytes?.value, 400);
  const [pair, ...more] = pairs;
  assert.equal(more.length, 0);
  assert.equal(pair?.likeForLike, 'no');
  assert.equal(
    pair?.sentence,
    "not like for like: congestion control (cubic against bbr), client's first receive window (15,728,640 bytes against 65,536 bytes)",
  );
});

test("knows the window of each browser's QUIC before the first load", async () => {
  const named = (stack: string, browser: string): FairnessOptions['servers'][number] => ({
    stack: { stack, protocol: 'h3', browser },
    details: {},
    origins: {},
  });
  const { readings } = await readFairness(fakePath(LINK), {
    ...WITH_SERVERS,
    servers: [named('lsquic-h3~firefox-beta', 'firefox-beta'), named('lsquic-h3~beta', 'beta')],
  });
  const windows = Object.values(readings).map((each) => each.clientReceiveWindowBytes?.value);
  assert.deepEqual(windows, [25_165_824, 15_728_640]);
});

test('reads TCP of an arm with its own settings as set for that arm, and restores it', async () => {
  const log: string[] = [];
  const path = {
    ...fakePath(LINK),
    setTcp: async (changes: object) => void log.push(JSON.stringify(changes)),
  };
  const settings = {
    congestionControl: 'reno',
    initialWindowSegments: 10,
    receiveBufferBytes: null,
  } as const;
  const own: FairnessOptions['servers'][number] = {
    stack: { stack: 'bun-h2', protocol: 'h2', settings },
    details: {},
    origins: {},
  };
  const quic = { ...own, stack: { stack: 'lsquic-h3', protocol: 'h3', settings } } as const;
  const { readings } = await readFairness(path, {
    ...WITH_SERVERS,
    servers: [quic, own, ...SERVERS.slice(1)],
  });
  assert.deepEqual(log, [
    '{"receiveBufferBytes":null,"congestionControl":"reno","initcwnd":10}',
    '{}',
  ]);
  const asIts = 'of a TCP connection through the path, set as for this stack';
  assert.deepEqual(readings['bun-h2']?.congestionControl, {
    value: 'bbr',
    from: `TCP_CONGESTION ${asIts}`,
  });
  assert.equal(readings['bun-h2']?.initialWindowPackets?.from, `TCP_INFO snd_cwnd ${asIts}`);
  assert.match(
    readings['bun-h2']?.clientReceiveWindowBytes?.from ?? '',
    /tcp_rmem, set as for this stack$/,
  );
  const usual = readings['flask-h1']?.congestionControl?.from;
  assert.equal(usual, 'TCP_CONGESTION of a TCP connection through the path');
});

test('writes the manifest as plain JSON', async () => {
  const manifest = await readFairness(fakePath({}), WITH_SERVERS);
  assert.deepEqual(JSON.parse(JSON.stringify(manifest)), manifest);
});
