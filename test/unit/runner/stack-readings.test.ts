import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndManifest } from '../../../ground/records/fairness.ts';
import { parseSockets, type ReadyServer, stackReadings } from '../../../runner/stack-readings.ts';
import { bunH2 } from '../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../servers/lsquic-h3/stack.ts';
import { MADE_UP_DUAL } from '../servers/made-up-stacks.ts';

const from = 'a test';
const END = {
  tcpCongestionControl: { value: 'cubic', from },
  tcpInitialWindowSegments: { value: 10, from },
  deviceMtuBytes: { value: 1500, from },
  segmentsPerPacket: { value: 1, from },
  offloads: {
    value: { 'tx-checksum-ip-generic': true, 'tx-udp-segmentation': true, 'rx-gro': false },
    from,
  },
  tcpReceiveBufferBytes: { value: { minimum: 1, initial: 131072, maximum: 3 }, from },
  queueingDiscipline: { value: 'noqueue', from },
} as unknown as EndManifest;

// Output of `ss` of iproute2 6.1: with and without a separate line for the memory.
const SS = `UNCONN 0      0      10.89.1.1:4001 0.0.0.0:*
\t skmem:(r0,rb212992,t0,tb212992,f0,w0,o0,bl0,d0)
UNCONN 0      0      10.89.1.2:4002 0.0.0.0:* skmem:(r0,rb1000000,t0,tb212992,f0,w0,o0,bl0,d0)
`;

function quic(details: Record<string, string>): ReadyServer {
  return {
    stack: { stack: 'lsquic-h3', protocol: 'h3' },
    details,
    origins: { 'a.test': '10.89.1.1:4001', 'b.test': '10.89.1.2:4002' },
  };
}

const tcp: ReadyServer = {
  stack: { stack: 'bun-h2', protocol: 'h2' },
  details: { program: 'Bun 1', language: 'TypeScript', congestionControl: 'not to be believed' },
  origins: {},
  certificateChainBytes: 3921,
};

const FROM = {
  end: END,
  client: { name: 'chromium', end: END },
  sockets: parseSockets(SS),
};

test('reads the receive buffers of sockets from ss', () => {
  assert.deepEqual(
    [...parseSockets(SS)],
    [
      ['10.89.1.1:4001', 212992],
      ['10.89.1.2:4002', 1000000],
    ],
  );
  assert.deepEqual([...parseSockets('')], []);
});

test('prefers the system for TCP, and the server for QUIC', () => {
  const said = { congestionControl: 'bbr', initialWindowPackets: '32', program: 'Bun 1' };
  const ofQuic = stackReadings(quic(said), FROM);
  assert.equal(ofQuic.congestionControl?.value, 'bbr');
  assert.equal(ofQuic.initialWindowPackets?.value, 32);
  assert.equal(ofQuic.receiveBufferBytes?.value, 212992);
  const ofTcp = stackReadings(tcp, FROM);
  assert.equal(ofTcp.congestionControl?.value, 'cubic');
  assert.equal(ofTcp.initialWindowPackets?.value, 10);
  assert.equal(ofTcp.receiveBufferBytes?.value, 131072);
  assert.equal(ofTcp.certificateChainBytes?.value, 3921);
  assert.equal(ofTcp.offloads?.value, 'tx-udp-segmentation');
});

test('reads the initial window from source if the program cannot report it', () => {
  const { transport } = lsquicH3;
  const server = quic({ congestionControl: 'cubic' });
  const stack = { ...server.stack, transport: { ...transport, initialWindowSource: 'window.go' } };
  assert.deepEqual(stackReadings({ ...server, stack }, FROM).initialWindowPackets, {
    value: 32,
    from: 'known from source: window.go',
  });
});

test('merges equal values of QUIC and TCP of one server, and reports both otherwise', () => {
  const details = { congestionControl: 'cubic', initialWindowPackets: '32', program: 'Bun 1' };
  const both = { ...quic(details), stack: { stack: 'mine-dual', protocol: 'h2+h3' } as const };
  const readings = stackReadings(both, FROM);
  assert.equal(readings.congestionControl?.value, 'cubic');
  assert.match(readings.congestionControl?.from ?? '', /^QUIC: the server's .*; TCP: a test$/);
  assert.equal(readings.initialWindowPackets?.value, 'QUIC 32, TCP 10');
  assert.equal(readings.receiveBufferBytes?.value, 'QUIC 212992, TCP 131072');
  const unknown = stackReadings({ ...both, details: {} }, FROM);
  assert.equal(unknown.congestionControl?.value, null);
  assert.equal(unknown.initialWindowPackets?.value, null);
});

test('leaves values unknown that a server does not report', () => {
  const lacking: Record<string, string>[] = [
    {},
    { initialWindowPackets: 'many' },
    { initialWindowPackets: '0' },
  ];
  for (const details of lacking) {
    const readings = stackReadings(quic(details), { ...FROM, sockets: null });
    assert.equal(readings.initialWindowPackets?.value, null);
    assert.equal(readings.congestionControl?.value, null);
    assert.equal(readings.serverProgram?.value, null);
    assert.equal(readings.receiveBufferBytes?.value, null);
  }
});

test('reports nothing that only other sources say about a server', () => {
  const { congestionControl, initialWindowPackets, serverProgram } = stackReadings(quic({}), FROM);
  for (const reading of [congestionControl, initialWindowPackets, serverProgram]) {
    assert.deepEqual(reading, { value: null, from: 'not reported by the server' });
  }
});

/** Properties of a sender from its source code. */
function ofSender(server: ReadyServer, end: Partial<EndManifest> = {}) {
  const { windowGrowth, lossBackOff, pacing } = stackReadings(server, {
    ...FROM,
    end: { ...END, ...end },
  });
  return [windowGrowth?.value, lossBackOff?.value, pacing?.value];
}

test("derives a sender's window behaviour from its congestion control", () => {
  const lsquic = (congestionControl: string): ReadyServer => ({
    ...quic({ congestionControl }),
    stack: lsquicH3,
  });
  assert.deepEqual(ofSender(lsquic('cubic')), ['per packet even when unused', 'to 0.8', 'yes']);
  assert.deepEqual(ofSender(lsquic('bbr')), [
    'with the measured bandwidth',
    'packet conservation',
    'yes',
  ]);
  const kernel = (value: string) => ofSender(tcp, { tcpCongestionControl: { value, from } });
  const ofCubic = ['per packet when half used with HyStart', 'to 0.7', 'no'];
  assert.deepEqual(kernel('cubic'), ofCubic);
  assert.deepEqual(kernel('reno'), ['per packet when half used', 'to 0.5', 'no']);
  assert.deepEqual(kernel('bbr'), ofSender(lsquic('bbr')));
});

test("cites the source code for a sender's value", () => {
  const { windowGrowth, pacing } = stackReadings(tcp, FROM);
  assert.equal(windowGrowth?.from, 'known from source: net/ipv4/tcp_cubic.c of Linux');
  assert.equal(pacing?.from, 'a test: fq paces, no other queueing discipline does');
});

test("decides by the queueing discipline whether the kernel's Cubic paces", () => {
  const pacingWith = (value: string | null) =>
    ofSender(tcp, { queueingDiscipline: { value, from } })[2];
  assert.equal(pacingWith('fq'), 'yes');
  assert.equal(pacingWith('fq_codel'), 'no');
  assert.equal(pacingWith(null), null);
});

test('reports that the kernel paces TCP of an arm with such a setting', () => {
  const paced = { ...tcp, stack: { ...tcp.stack, settings: { pacesTcp: true } } };
  assert.equal(ofSender(paced)[2], 'yes');
});

test('knows nothing of a sender whose congestion control is not in the table', () => {
  const unknown = [null, null, null];
  assert.deepEqual(ofSender(tcp, { tcpCongestionControl: { value: 'htcp', from } }), unknown);
  assert.deepEqual(ofSender(tcp, { tcpCongestionControl: { value: null, from } }), unknown);
  assert.deepEqual(ofSender({ ...quic({}), stack: lsquicH3 }), unknown);
  const ofUser = quic({ congestionControl: 'cubic' });
  assert.deepEqual(ofSender(ofUser), unknown, "a program of the user's own");
});

test("knows the client's granted window for Chromium over QUIC, and over TCP for every client", () => {
  const windowBytes = (server: ReadyServer, name: string) =>
    stackReadings(server, { ...FROM, client: { name, end: END } }).clientReceiveWindowBytes?.value;
  assert.equal(windowBytes(quic({}), 'chromium'), 15_728_640);
  assert.equal(windowBytes(quic({}), 'another'), null);
  assert.equal(windowBytes(tcp, 'another'), 65_536);
});

test("takes the response order from the stack's declaration, or from HTTP/1", () => {
  const orderOf = (stack: ReadyServer['stack']) =>
    stackReadings({ ...tcp, stack }, FROM).responseOrder?.value;
  assert.equal(orderOf(lsquicH3), 'by priority');
  assert.equal(orderOf(bunH2), 'interleaved');
  assert.equal(orderOf({ ...bunH2, settings: { responseOrder: 'by priority' } }), 'by priority');
  assert.equal(orderOf(MADE_UP_DUAL), 'QUIC by priority, TCP interleaved');
  assert.equal(orderOf({ stack: 'mine-h3', protocol: 'h3' }), null);
  assert.equal(orderOf({ stack: 'mine-h1', protocol: 'http/1.1' }), 'one at a time');
  assert.equal(orderOf({ stack: 'mine-tls', protocol: 'tls' }), undefined);
});

const MACHINE = {
  ...END,
  tcpCongestionControl: { value: 'reno', from: 'the machine' },
  segmentsPerPacket: { value: 1, from: 'the machine' },
} as EndManifest;

test("knows what an existing server has shown, and the system's TCP values", () => {
  const shown = { program: 'nginx', certificateChainBytes: 2500, isHere: true };
  const ofTcp = stackReadings({ ...tcp, details: {}, shown }, { ...FROM, machine: MACHINE });
  assert.deepEqual(ofTcp.congestionControl, { value: 'reno', from: 'the machine' });
  assert.equal(ofTcp.initialWindowPackets?.value, 10);
  assert.equal(ofTcp.certificateChainBytes?.value, 2500);
  assert.equal(ofTcp.serverProgram?.value, 'nginx');
  assert.equal(ofTcp.serverLanguage?.value, null);
  const stack = { stack: 'mine-dual', protocol: 'h2+h3' } as const;
  const ofBoth = stackReadings({ ...tcp, stack, shown }, { ...FROM, machine: MACHINE });
  assert.deepEqual(ofBoth.congestionControl, {
    value: null,
    from: 'QUIC: not reported; TCP: the machine',
  });
  const ofQuic = stackReadings({ ...quic({}), shown }, { ...FROM, machine: MACHINE });
  assert.deepEqual(ofQuic.congestionControl, { value: null, from: 'not reported' });
  assert.equal(ofQuic.initialWindowPackets?.value, null);
  assert.equal(ofQuic.receiveBufferBytes?.value, null);
  assert.equal(ofTcp.lossBackOff?.value, 'to 0.5');
  assert.equal(ofTcp.responseOrder?.value, null);
  assert.equal(ofQuic.lossBackOff?.value, null);
});

test('knows no TCP values of a server on another machine, and does not use those of this machine', () => {
  const shown = { program: null, certificateChainBytes: null, isHere: false };
  const readings = stackReadings({ ...tcp, details: {}, shown }, { ...FROM, machine: null });
  const unreported = { value: null, from: 'not reported: it is on another machine' };
  assert.deepEqual(readings.congestionControl, unreported);
  assert.deepEqual(readings.initialWindowPackets, unreported);
  assert.deepEqual(readings.receiveBufferBytes, unreported);
  assert.deepEqual(readings.windowGrowth, unreported);
  assert.equal(readings.certificateChainBytes?.value, null);
});
