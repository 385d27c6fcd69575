import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { hostsOf } from '../../cache/manifest.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import type { ConnectionRecord, ObservedConnections } from '../../ground/records/connection.ts';
import { NOTHING_ADDED, type SeededCondition } from '../../network/conditions.ts';
import { readMachine } from '../../runner/machine.ts';
import type { Server } from '../../runner/servers.ts';
import type { NetLogConnection } from '../net-log/connection.ts';
import { readNetLog } from '../net-log/read.ts';
import { withLoggedLoad } from './one-load.ts';
import { type PathBench, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';

const HOSTS = ['www.handshakes.test', 'static.handshakes.test'];

const SITE: FixtureResource[] = [
  {
    url: `https://${HOSTS[0]}/`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: `<!doctype html><link rel="icon" href="data:,">${HOSTS.map((host) => `<img src="https://${host}/a.svg">`).join('')}`,
  },
  ...HOSTS.map((host) => ({
    url: `https://${host}/a.svg`,
    headers: [['content-type', 'image/svg+xml'] as [string, string]],
    body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })),
];

interface Load {
  seen: ObservedConnections;
  /** The same without a key log. */
  seenWithoutKeys: ObservedConnections;
  logged: NetLogConnection[];
}

interface ExpectedVisit {
  kind: VisitKind;
  tlsMost?: '1.2';
}

/**
 * Loads the site, and reads the connections of the load from both the path and Chromium's NetLog.
 */
function load(
  { manifest, networkPath }: PathBench,
  server: Server,
  { kind, tlsMost, ...condition }: Partial<SeededCondition> & ExpectedVisit,
): Promise<Load> {
  const { chromium } = readMachine();
  const enter = networkPath.agent.enter('client');
  return withLoggedLoad(
    server,
    { url: manifest.url, hosts: hostsOf(manifest), kind },
    { chromium, enter, tlsMost },
    () => networkPath.apply({ ...NOTHING_ADDED, seed: 1, ...condition }),
    async ({ failure, netLogFile, keyLogFile, navigatedAtMs }) => {
      assert.equal(failure, null);
      assert.deepEqual(await lookUps(netLogFile), []);
      const { opened } = await readNetLog(netLogFile, navigatedAtMs);
      return {
        seen: await networkPath.connections(await readFile(keyLogFile, 'utf8')),
        seenWithoutKeys: await networkPath.connections(),
        logged: opened,
      };
    },
  );
}

const LOOK_UPS = ['HOST_RESOLVER_SYSTEM_TASK', 'HOST_RESOLVER_DNS_TASK', 'DNS_TRANSACTION'];

/**
 * Chromium's resolver queries: names are mapped to addresses, so that no load finds the response of
 * another query.
 */
async function lookUps(netLogFile: string): Promise<string[]> {
  const { constants, events } = JSON.parse(await readFile(netLogFile, 'utf8'));
  const types: Record<string, number> = constants.logEventTypes;
  const nameOf = new Map(Object.entries(types).map(([name, type]) => [type, name]));
  for (const name of LOOK_UPS) assert.ok(name in types, `Chromium logs no ${name} any more`);
  const found = events.map(({ type }: { type: number }) => nameOf.get(type));
  assert.ok(found.includes('HOST_RESOLVER_MANAGER_REQUEST'));
  return found.filter((name: string) => LOOK_UPS.includes(name));
}

/**
 * Connections that completed their handshake: whether it had when the browser ended differs between
 * both.
 */
function inCommon(connections: readonly (ConnectionRecord | NetLogConnection)[]): Set<string> {
  return new Set(
    connections
      .filter(({ handshake }) => handshake !== null)
      .map(({ host, address, tlsVersion, cipher, handshake, earlyData }) =>
        JSON.stringify({ host, address, tlsVersion, cipher, handshake, earlyData }),
      ),
  );
}

function addressesOf(connections: readonly { address: string }[]): string[] {
  return connections.map(({ address }) => address).toSorted();
}

interface Expected {
  handshake: ConnectionRecord['handshake'];
  offered: ConnectionRecord['offered'];
  earlyData: ConnectionRecord['earlyData'];
  /** Without keys. */
  earlyDataUnread: ConnectionRecord['earlyData'];
}

const FULL: Expected = {
  handshake: 'full',
  offered: 'full',
  earlyData: 'none',
  earlyDataUnread: 'none',
};
const RESUMED: Expected = { ...FULL, handshake: 'resumed', offered: 'resumption' };
const WITH_EARLY_DATA: Expected = {
  handshake: 'resumed',
  offered: 'early-data',
  earlyData: 'accepted',
  earlyDataUnread: 'unknown',
};

function assertSeen(t: TestContext, seenAndLogged: Load, expected: Expected) {
  assertAlike(t, seenAndLogged, expected);
  assert.deepEqual(handshaken(seenAndLogged), new Set(HOSTS));
}

function assertAlike(t: TestContext, { seen, seenWithoutKeys, logged }: Load, expected: Expected) {
  t.diagnostic(JSON.stringify(seen.opened));
  assert.deepEqual(addressesOf(seen.opened), addressesOf(logged));
  assert.deepEqual(inCommon(seen.opened), inCommon(logged));
  assert.deepEqual([seen.whole, seenWithoutKeys.whole], [true, true]);
  for (const [index, { handshake, offered, earlyData }] of seen.opened.entries()) {
    if (handshake === null) continue;
    const earlyDataUnread = seenWithoutKeys.opened[index]?.earlyData;
    assert.deepEqual({ handshake, offered, earlyData, earlyDataUnread }, expected);
  }
}

function handshaken({ seen }: Load): Set<string> {
  return new Set(seen.opened.flatMap(({ host, handshake }) => (handshake && host) ?? []));
}

const LOSSY: Partial<SeededCondition> = { rttMs: 20, lossPercent: 5 };

/** Chromium gives a QUIC handshake up after a few losses in a row, so each of several seeds may spoil one; not all of them do. */
const SEEDS = [5, 6, 7, 8];

for (const [stack, transport, resumed] of [
  ['lsquic-h3', 'quic', WITH_EARLY_DATA],
  ['bun-h2', 'tcp', RESUMED],
  ['flask-h1', 'tcp', RESUMED],
] as const) {
  test(`reads the connections by ${stack} from the path as Chromium reports them`, (t) =>
    withPathBench(SITE, async (bench) => {
      const server = bench.servers.find((each) => each.stack.stack === stack);
      assert.ok(server);
      const cold = await load(bench, server, { kind: 'cold' });
      assertSeen(t, cold, FULL);
      assert.ok(cold.seen.opened.every((each) => each.transport === transport));
      const { quic, tcp } = cold.seen.client ?? {};
      assert.equal((quic ?? tcp)?.hello?.packets, 2, 'a post-quantum key share needs two packets');
      assert.ok(quic ? quic.sentPackets && quic.receivedPackets : tcp?.acknowledgements);
      assertSeen(t, await load(bench, server, { kind: 'resumed' }), resumed);
      // Chromium has a second connection ready when the first takes long, and hellos are repeated.
      let complete = false;
      for (const seed of SEEDS) {
        const lossy = await load(bench, server, { kind: 'cold', ...LOSSY, seed });
        assertAlike(t, lossy, FULL);
        complete = handshaken(lossy).size === HOSTS.length;
        if (complete) break;
      }
      assert.ok(complete, 'no load with losses completed the handshakes with both hosts');
    }));
}

test('distinguishes full from resumed handshakes by TLS 1.2, too', (t) =>
  withPathBench(SITE, async (bench) => {
    const server = bench.servers.find((each) => each.stack.stack === 'bun-h2');
    assert.ok(server);
    const tlsMost = '1.2';
    const full = await load(bench, server, { kind: 'cold', tlsMost });
    assertSeen(t, full, FULL);
    assert.ok(full.seen.opened.every(({ tlsVersion }) => tlsVersion === 'TLS 1.2'));
    assertSeen(t, await load(bench, server, { kind: 'resumed', tlsMost }), RESUMED);
  }));
