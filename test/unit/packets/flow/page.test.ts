import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { ByteSeriesReader } from '../../../../packets/flow/byte-series.ts';
import type { Flow } from '../../../../packets/flow/flow.ts';
import { flowPage } from '../../../../packets/flow/page.ts';
import { LOST, QUIC_LOAD, stepsOf } from './made-up-packets.ts';

const HOSTILE = `</title><script>x</script>"><img src=x onerror='y'>`;

function flowOf(packets: typeof QUIC_LOAD, beganMs = 0): Flow {
  const bytes = new ByteSeriesReader();
  for (const packet of packets) bytes.take(packet, packet.direction);
  const direction = {
    packets: 5,
    bytes: 2000,
    lostPackets: 0,
    ackPackets: 0,
    retransmittedPackets: 0,
    retransmittedBytes: 0,
    handshakeBytes: 0,
    paddingBytes: 0,
    payloadBytes: 0,
  };
  const layers = {
    ethernet: 0,
    ip: 0,
    transport: 0,
    quic: 0,
    tls: 0,
    handshake: 0,
    http: 0,
    payload: 0,
    padding: 0,
    acknowledgements: 0,
    retransmissions: 0,
    unread: 0,
  };
  return {
    name: 'load',
    connections: [
      {
        wire: {
          transport: 'quic',
          client: '10.0.0.1:1',
          server: '10.0.0.2:2',
          host: HOSTILE,
          protocol: 'h3',
          tlsVersion: 'TLS 1.3',
          cipher: null,
          group: null,
          opened: 'all',
          requests: 1,
          beganMs,
          maySendMs: 30.1,
          completeMs: 31,
          confirmedMs: 61,
          roundTripMs: { least: 30, median: 30, p95: 31, samples: 4, clientLeast: 0.1 },
          goodputKbps: null,
          toServer: direction,
          toClient: direction,
          beforeRequest: layers,
          afterRequest: layers,
          closes: [],
        },
        shiftMs: 0,
        leastRttMs: 30,
        steps: stepsOf(packets),
        series: bytes.series,
      },
    ],
  };
}

const LOSSY = QUIC_LOAD.map((packet, at) =>
  at === 5 ? { ...packet, packet: { ...packet.packet, ...LOST } } : packet,
);

function pageOf(stacks: { label: string; loads: Flow[] }[]) {
  const text = flowPage({
    title: 'Packets',
    about: 'a site',
    stacks: stacks.map((stack, place) => ({ ...stack, place })),
  });
  return parseHTML(text).document;
}

const ONE = [{ label: 'A (h3)', loads: [flowOf(QUIC_LOAD)] }];

test('has each chart once, with its words and the table behind it', () => {
  const document = pageOf(ONE);
  assert.deepEqual(
    [...document.querySelectorAll('main h2')].map(({ textContent }) => textContent),
    ['Connections', 'The first round trips', 'The whole load', 'Bytes over time'],
  );
  const charts = [...document.querySelectorAll('svg.chart')];
  assert.equal(charts.length, 4);
  for (const chart of charts) assert.match(chart.getAttribute('aria-label') ?? '', /A \(h3\)/);
  assert.equal(document.querySelectorAll('figure details.data').length, 4);
  const rows = [...document.querySelectorAll('details.data table')][0]?.querySelectorAll(
    'tbody tr',
  );
  assert.equal(rows?.length, 8);
});

test('draws every step as an arrow, and ends a lost one with a cross half-way', () => {
  const drawn = (loads: Flow[]) => pageOf([{ label: 'A', loads }]).querySelector('svg.chart.flow');
  const chart = drawn([flowOf(QUIC_LOAD)]);
  assert.equal(chart?.querySelectorAll('svg svg > g').length, 8);
  assert.equal(chart?.querySelectorAll('.lost').length, 0);
  assert.ok((drawn([flowOf(LOSSY)])?.querySelectorAll('.lost').length ?? 0) > 0);
});

test('draws an arrow for half of the round trip, downwards', () => {
  const document = pageOf(ONE);
  const [first] = [...document.querySelectorAll('svg.flow svg > g')].filter((group) =>
    /HEADERS/.test(group.querySelector('title')?.textContent ?? ''),
  );
  const [, y1 = 0, x2 = 0, y2 = 0] =
    /M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/
      .exec(first?.querySelector('.request')?.getAttribute('d') ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  assert.ok(x2 > 0);
  const [from = 0, to = 0] = [...document.querySelectorAll('svg.flow .trip')]
    .slice(0, 1)
    .flatMap((trip) => [Number(trip.getAttribute('y')), Number(trip.getAttribute('height'))]);
  assert.ok(from > 0);
  assert.ok(Math.abs(y2 - y1 - to / 2) < 0.2, `${y2 - y1} is not half of ${to}`);
});

test('omits round trips that are too short to be seen', () => {
  const flow = flowOf(QUIC_LOAD);
  Object.assign(flow.connections[0]?.wire.roundTripMs ?? {}, { least: 1e-9 });
  const document = pageOf([{ label: 'A', loads: [flow] }]);
  assert.equal(document.querySelectorAll('svg.flow .trip').length, 0);
});

test('counts times from the first packet of the load, not of the capture', () => {
  const moved = QUIC_LOAD.map((packet) => ({ ...packet, atMs: packet.atMs + 5000 }));
  const chartsOf = (flow: Flow) =>
    [...pageOf([{ label: 'A', loads: [flow] }]).querySelectorAll('svg.chart')].map(
      ({ outerHTML }) => outerHTML,
    );
  assert.deepEqual(chartsOf(flowOf(moved, 5000)), chartsOf(flowOf(QUIC_LOAD)));
});

test('draws the mean of several loads, and reports how many differ and where', () => {
  const loads = [flowOf(QUIC_LOAD), flowOf(LOSSY), flowOf(QUIC_LOAD)];
  const document = pageOf([{ label: 'A (h3)', loads }]);
  const text = document.querySelector('main')?.textContent ?? '';
  assert.match(text, /2 loads of 3 have these steps/);
  assert.match(text, /1 load first differs at step 5: lost: HEADERS stream.0 in place of HEADERS/);
  assert.match(text, /A \(h3\) one of 3/);
});

test('draws more than one chart of the first round trips for more than three stacks', () => {
  const stacks = ['A', 'B', 'C', 'D'].map((label) => ({ label, loads: [flowOf(QUIC_LOAD)] }));
  const document = pageOf(stacks);
  assert.equal(document.querySelectorAll('svg.chart').length, 5);
});

test('reports how many connections of a load are not drawn', () => {
  const [connection] = flowOf(QUIC_LOAD).connections;
  const connections = Array.from({ length: 8 }, () => ({
    ...(connection as NonNullable<typeof connection>),
  }));
  const document = pageOf([{ label: 'A', loads: [{ name: 'load', connections }] }]);
  assert.match(
    document.querySelector('main')?.textContent ?? '',
    /2 connections with fewer bytes are not shown/,
  );
});

test('warns about a capture without connections', () => {
  const document = pageOf([...ONE, { label: 'B', loads: [{ name: 'empty', connections: [] }] }]);
  assert.match(document.querySelector('.notice')?.textContent ?? '', /^B: /);
});

test('needs nothing from elsewhere, and satisfies its own policy', () => {
  const document = pageOf([{ label: HOSTILE, loads: [flowOf(LOSSY)] }]);
  assert.equal(
    document.querySelectorAll('img, link:not([rel=icon]), iframe, [style], [onerror]').length,
    0,
  );
  assert.equal(document.querySelectorAll('script').length, 1);
  const main = document.querySelector('main')?.innerHTML ?? '';
  assert.doesNotMatch(main, /NaN|undefined|Infinity|\[object/);
});
