import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../cache/manifest.ts';
import type { Har } from '../../../clients/chromium/har/har.ts';
import type { TransferMade } from '../../../clients/transferrer.ts';
import type { Judgement } from '../../../experiments/checks.ts';
import { judgeConnection } from '../../../experiments/connect/checks.ts';
import { EXPERIMENTS } from '../../../experiments/index.ts';
import { NO_PACKETS } from '../../../experiments/packets.ts';
import { judge as judgeLoad } from '../../../experiments/page-load/checks/judge.ts';
import { arrivalsOf } from '../../../experiments/share/arrivals.ts';
import { judgeFlows } from '../../../experiments/share/checks.ts';
import { countedOf } from '../../../experiments/share/sharing.ts';
import { madeUpFlow, steps } from '../../../experiments/share/test/unit/made-up-flow.ts';
import { judgeExchange } from '../../../experiments/sockets/checks.ts';
import { judgeTransfer } from '../../../experiments/transfer/checks.ts';
import { judgeSession } from '../../../experiments/video/checks.ts';
import type { Watched } from '../../../experiments/video/players/watched.ts';
import { detailsOf } from '../../../experiments/video/test/unit/fixture.ts';
import type { TimeKept } from '../../../ground/host/heartbeat.ts';
import type { ConnectionRecord } from '../../../ground/records/connection.ts';
import type { AskedNetwork, PathCounts } from '../../../ground/records/network.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';

interface Seen {
  time: TimeKept;
  path: PathCounts;
}

const MADE: TransferMade = {
  askedAtMs: 5,
  connectMs: 40,
  firstByteMs: 60,
  lastByteMs: 160,
  bodyBytes: 1000,
  series: [],
  error: null,
  keyLog: '',
};

/** A document that came over a connection of its own. */
const ENTRY = {
  _resourceType: 'document',
  _connectionId: '7',
  serverIPAddress: '10.0.0.1',
  request: { method: 'GET', url: 'https://a.test/', headers: [] },
  response: { status: 200, httpVersion: 'h2', headers: [], content: {} },
  timings: { connect: 12 },
};

const CONNECTIONS = {
  opened: [
    {
      transport: 'tcp',
      host: 'a.test',
      address: '10.0.0.1:443',
      offered: 'full',
      handshake: 'full',
    },
  ] as ConnectionRecord[],
  whole: true,
};

/** Judges an attempt at each experiment that is as it should be, but for what is seen of machine and path. */
const JUDGES: Record<string, (seen: Seen, network: AskedNetwork) => Judgement> = {
  connect: (seen, network) =>
    judgeConnection(
      { ...seen, details: { resumption: 'none', facts: null, error: null }, packets: NO_PACKETS },
      { network, keyExchange: null },
    ),
  share: (seen, network) => {
    const made = { ...madeUpFlow({ stepBytes: steps(60, 1_000) }) };
    const arrivals = arrivalsOf(made, { zeroMs: made.askedAtMs, durationMs: 6_000 });
    const flows = [{ flow: 'bun-h2.1', arm: 'bun-h2', startOrder: 1, made, arrivals }];
    const span = countedOf([arrivals], 5_000);
    const shared = { ...seen, flows, counted: span, packets: NO_PACKETS };
    return judgeFlows(shared, { network }).judgementOf('bun-h2');
  },
  sockets: (seen, network) =>
    judgeExchange(
      {
        ...seen,
        details: { messageBytes: 46, messages: 1, client: [], server: [], error: null },
        packets: NO_PACKETS,
      },
      { network },
    ),
  'page-load': (seen, network) =>
    judgeLoad(
      {
        ...seen,
        har: { log: { entries: [ENTRY] } } as unknown as Har,
        otherBytes: [],
        earlier: null,
        backBy: [],
        names: null,
        loadedMs: null,
        connections: CONNECTIONS,
        machine: null,
      },
      {
        manifest: {
          complete: true,
          resources: [{ method: 'GET', url: ENTRY.request.url, status: 200 }],
        } as SiteManifest,
        protocol: 'h2',
        visit: 'cold',
        choices: { subResources: 'served', tlsMost: '1.3', document: 'recorded' },
        keyExchange: null,
        network,
        origins: { 'a.test': '10.0.0.1:443' },
      },
    ),
  video: (seen, network) =>
    judgeSession(
      {
        ...seen,
        watched: { requests: [] } as unknown as Watched,
        details: detailsOf({ manifestMs: 60, segmentMs: 200, stalledMs: 0 }),
        har: { log: { entries: [ENTRY] } } as unknown as Har,
        connections: CONNECTIONS,
        endedMs: 20_000,
      },
      {
        presentation: { durationMs: 4000, rungs: [] },
        protocol: 'h2',
        choices: { watchedMs: 20_000, bufferMs: null, adapts: true, bitrateKbps: null },
        keyExchange: null,
        network,
        origins: { 'a.test': '10.0.0.1:443' },
      },
    ),
  transfer: (seen, network) =>
    judgeTransfer(
      {
        ...seen,
        made: MADE,
        connections: CONNECTIONS,
        mostSentBytes: null,
        receivedBytes: null,
        limitedBy: null,
        packets: NO_PACKETS,
      },
      { asked: { protocol: 'h2', streams: 1, bytes: 1000 }, client: 'bun', network },
    ),
};

const AS_USUAL: TimeKept = { longestStallMs: 0, clocksApartMs: 0 };
const NONE_LOST = { packets: 9, bytes: 999, lost: 0, queueDrops: 0 };

function pathWith(toClient: Partial<PathCounts['toClient']>): PathCounts {
  const counts = { ...NONE_LOST, ...toClient };
  return { toServer: NONE_LOST, toClient: counts, maxLatenessMs: null, linkCpuMs: null };
}

const LOSES_ONE: AskedNetwork = { ...NOTHING_ADDED, lostPacket: 3 };

test('every experiment that measures is judged here', () => {
  const measures = EXPERIMENTS.filter(({ name }) => name !== 'example').map(({ name }) => name);
  assert.deepEqual(Object.keys(JUDGES).toSorted(), measures.toSorted());
});

for (const [experiment, judge] of Object.entries(JUDGES)) {
  test(`${experiment}: an attempt is invalid by machine and path alike in every experiment`, () => {
    const codeOf = (
      { time = AS_USUAL, path = pathWith({}) }: Partial<Seen>,
      network = NOTHING_ADDED,
    ) => judge({ time, path }, network).code;
    assert.equal(codeOf({}), null);
    assert.equal(codeOf({ time: { longestStallMs: 0, clocksApartMs: 3_000 } }), 'clock-jumped');
    assert.equal(codeOf({ time: { longestStallMs: 1_500, clocksApartMs: 0 } }), 'machine-stalled');
    assert.equal(codeOf({ path: pathWith({ lost: 1 }) }), 'path-disturbed');
    assert.equal(codeOf({ path: pathWith({ queueDrops: 1 }) }), 'path-disturbed');
    assert.equal(codeOf({}, LOSES_ONE), 'nothing-lost');
    assert.equal(codeOf({ path: pathWith({ lost: 1 }) }, LOSES_ONE), null);
  });
}
