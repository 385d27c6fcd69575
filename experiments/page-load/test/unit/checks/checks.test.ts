import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource, SiteManifest } from '../../../../../cache/manifest.ts';
import { INCOMPLETE } from '../../../../../clients/har/errors.ts';
import type { Har, HarEntry } from '../../../../../clients/har/har.ts';
import type { VisitKind } from '../../../../../clients/visit-kind.ts';
import type {
  ConnectionRecord,
  ObservedConnections,
} from '../../../../../ground/records/connection.ts';
import type { MachineUse } from '../../../../../ground/records/machine-use.ts';
import type { DirectionCounts, NetworkCondition } from '../../../../../ground/records/network.ts';
import { isOverQuic } from '../../../../../ground/records/protocol.ts';
import type { TappedPacket } from '../../../../../network/agent.ts';
import { NOTHING_ADDED } from '../../../../../network/conditions.ts';
import { observedConnections } from '../../../../../network/handshakes/watch.ts';
import { clientPortOf, recording } from '../../../../../test/unit/network/handshakes/recorded.ts';
import { bindChecks, type Judgement, judgeAttempt } from '../../../../checks.ts';
import type { Expected, Observed } from '../../../checks/check.ts';
import { CHECKS } from '../../../checks/index.ts';

const MANIFEST = {
  url: 'https://a.test/',
  complete: true,
  resources: [
    { method: 'GET', url: 'https://a.test/', status: 200 },
    { method: 'GET', url: 'https://a.test/moved', status: 302 },
    { method: 'POST', url: 'https://b.test/beacon', status: 204 },
  ],
} as SiteManifest;

interface EntryInShort {
  url: string;
  method?: string;
  status?: number;
  httpVersion?: string;
  connect?: number;
  error?: string;
  address?: string;
  connection?: string;
  type?: string;
  fromCache?: 'memory' | 'disk';
  cacheControl?: string;
  asksWith?: string;
  value?: string;
  tls?: string;
  group?: string;
  /** Size of the decoded body. */
  bytes?: number;
  restarted?: true;
  /** On the wire. */
  bodyBytes?: number;
}

function entry({
  url,
  method = 'GET',
  status = 200,
  httpVersion = 'h3',
  connect = -1,
  error,
  address = '10.89.1.1',
  connection = '7',
  type = url === 'https://a.test/' ? 'document' : 'image',
  fromCache,
  cacheControl = 'no-store',
  asksWith,
  value = 'x',
  tls,
  group,
  bytes,
  bodyBytes = bytes,
  restarted,
}: EntryInShort) {
  return {
    _requestId: url,
    _resourceType: type,
    _connectionId: status === 0 ? undefined : connection,
    _fromCache: fromCache,
    _restarted: restarted,
    ...((tls || group !== undefined) && {
      _securityDetails: { protocol: tls, keyExchangeGroup: group },
    }),
    serverIPAddress: status === 0 ? undefined : address,
    request: { method, url, headers: asksWith ? [{ name: asksWith, value }] : [] },
    response: {
      status,
      httpVersion,
      _error: error,
      content: { size: bytes },
      bodySize: bodyBytes,
      headers: [{ name: 'Cache-Control', value: cacheControl }],
    },
    timings: { connect },
  } as HarEntry;
}

const DOCUMENT = { url: 'https://a.test/', connect: 12.5 };
const MOVED = { url: 'https://a.test/moved', status: 302 };
const BEACON = { url: 'https://b.test/beacon', method: 'POST', status: 204 };
const WHOLE = [DOCUMENT, MOVED, BEACON];

const NOTHING_LOST = { packets: 9, bytes: 999, lost: 0, queueDrops: 0 };
const PATH = {
  toServer: NOTHING_LOST,
  toClient: NOTHING_LOST,
  maxLatenessMs: null,
  linkCpuMs: null,
};
const FULL: ConnectionRecord = {
  host: 'a.test',
  address: '10.89.1.1:443',
  clientPort: 40_123,
  transport: 'quic',
  offered: 'full',
  tlsVersion: 'TLS 1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  handshake: 'full',
  clientHelloMs: 30,
  serverHelloMs: 60,
  earlyData: 'none',
};

/** Each response by this protocol. */
function by(httpVersion: string, entries: EntryInShort[]): EntryInShort[] {
  return entries.map((each) => ({ ...each, httpVersion }));
}

/** The manifest with another resource of this status. */
function withResource(url: string, status: number, more: Partial<Resource> = {}): SiteManifest {
  const added = { method: 'GET', url, status, ...more } as Resource;
  return { ...MANIFEST, resources: [...MANIFEST.resources, added] };
}

function opened(...connections: Partial<ConnectionRecord>[]): ObservedConnections {
  return {
    opened: connections.map((connection) => ({ ...FULL, ...connection })),
    whole: true,
  };
}

const OVER_TCP = { transport: 'tcp' } as const;

function judged(
  entries: EntryInShort[],
  expected: Partial<Expected> = {},
  observed: Partial<Observed> = {},
) {
  const isOverTcp = expected.protocol !== undefined && !isOverQuic(expected.protocol);
  return judge(
    {
      har: { log: { entries: entries.map(entry) } } as Har,
      otherBytes: [],
      path: PATH,
      loadedMs: null,
      connections: opened(isOverTcp ? OVER_TCP : {}),
      machine: null,
      time: { longestStallMs: 0, clocksApartMs: 0 },
      earlier: null,
      returnProtocols: [],
      names: null,
      ...observed,
    },
    {
      manifest: MANIFEST,
      protocol: 'h3',
      visit: 'cold',
      choices: { subResources: 'served', tlsMost: '1.3', document: 'recorded' },
      keyExchange: null,
      network: NOTHING_ADDED,
      origins: { 'a.test': '10.89.1.1:443', 'b.test': '10.89.1.1:444' },
      ...expected,
    },
  );
}

/** Fails unless a load is invalid for this reason: code and message. */
function assertInvalid({ outcome, code, message }: Judgement, reason: RegExp) {
  assert.equal(outcome, 'invalid');
  assert.match(`${code}: ${message}`, reason);
}

function judge(observed: Observed, expected: Expected): Judgement {
  return judgeAttempt(bindChecks(CHECKS, observed, expected), observed, expected);
}

test("accepts a load of all recorded resources by the stack's protocol", () => {
  assert.deepEqual(judged(WHOLE), { outcome: 'ok', code: null, message: null });
});

test('names the served resources that make a load invalid', () => {
  const wrong = { ...MOVED, status: 404 };
  const served = judged([DOCUMENT, wrong, wrong, { ...BEACON, status: 500 }]);
  assert.deepEqual(served.blamed, ['https://a.test/moved', 'https://b.test/beacon']);
  const broken = judged([DOCUMENT, MOVED, { ...BEACON, status: 0, error: 'net::ERR_FAILED' }]);
  assert.deepEqual(broken.blamed, ['https://b.test/beacon']);
  assert.deepEqual(judged([DOCUMENT, MOVED]).blamed, ['https://b.test/beacon']);
  const extra = judged([...WHOLE, { url: 'https://a.test/extra' }]);
  assert.deepEqual(extra.blamed, ['https://a.test/extra']);
  const missing = {
    choices: { subResources: 'missing', tlsMost: '1.3', document: 'recorded' },
  } as const;
  const withheld = judged([{ ...DOCUMENT, status: 500 }, wrong], missing);
  assert.deepEqual([withheld.code, withheld.blamed], ['wrong-status', undefined]);
});

test('rejects a load with one response by another protocol, and names it', () => {
  const byHttp2 = judged([DOCUMENT, { ...MOVED, httpVersion: 'h2' }, BEACON]);
  assertInvalid(
    byHttp2,
    /^wrong-protocol: .*1 of 3 responses.*https:\/\/a\.test\/moved came by h2/,
  );
});

const HTTP2_BEACON = { ...BEACON, httpVersion: 'h2', connection: '8' };
const HTTP2_HOSTS = { http2Hosts: ['b.test'] };

test('each response must come by the protocol of its host', () => {
  assert.equal(judged([DOCUMENT, MOVED, HTTP2_BEACON], HTTP2_HOSTS).outcome, 'ok');
  assertInvalid(
    judged(WHOLE, HTTP2_HOSTS),
    /^wrong-protocol: 1 of 1 responses did not come by h2: https:\/\/b\.test\/beacon came by h3/,
  );
  assertInvalid(
    judged([DOCUMENT, { ...MOVED, httpVersion: 'h2' }, HTTP2_BEACON], HTTP2_HOSTS),
    /^wrong-protocol: 1 of 2 responses did not come by h3: https:\/\/a\.test\/moved came by h2/,
  );
  assertInvalid(
    judged([DOCUMENT, MOVED, HTTP2_BEACON]),
    /^wrong-protocol: .*b\.test\/beacon came by h2/,
  );
});

test('each response must come by the version of QUIC of its arm', () => {
  const byQuicV2 = [DOCUMENT, MOVED, BEACON].map((each) => ({
    ...each,
    httpVersion: 'h3/quic2draft08',
  }));
  assert.equal(judged(byQuicV2, { quicVersion: 2 }).outcome, 'ok');
  assertInvalid(judged(byQuicV2), /^wrong-protocol: 3 of 3 responses did not come by h3:/);
  assertInvalid(judged(WHOLE, { quicVersion: 2 }), /^wrong-protocol: .* came by h3\./);
});

test('a host that uses HTTP/2 gets no attempt over QUIC', () => {
  const tcp = { host: 'b.test', transport: 'tcp' } as const;
  const loaded = [DOCUMENT, MOVED, HTTP2_BEACON];
  assert.equal(judged(loaded, HTTP2_HOSTS, { connections: opened({}, tcp) }).outcome, 'ok');
  assertInvalid(
    judged(loaded, HTTP2_HOSTS, { connections: opened({}, tcp, { host: 'b.test' }) }),
    /^wrong-protocol: The browser tried QUIC with b\.test, expected TCP alone/,
  );
});

test('a host whose protocol is chosen gets no attempt over the other transport', () => {
  const refused = { ...OVER_TCP, host: null, handshake: null };
  const both = { protocol: 'h2+h3' } as const;
  for (const extra of [OVER_TCP, refused]) {
    const connections = opened({}, extra);
    const reason =
      /^wrong-protocol: The browser tried TCP with (a\.test|10\.89\.1\.1:443), expected QUIC/;
    assertInvalid(judged(WHOLE, {}, { connections }), reason);
    assertInvalid(judged(WHOLE, { ...both, visit: 'forced' }, { connections }), reason);
    // The browser may race them.
    assert.equal(judged(WHOLE, both, { connections }).code, null);
  }
  assertInvalid(
    judged(by('h2', WHOLE), { protocol: 'h2' }, { connections: opened(OVER_TCP, {}) }),
    /^wrong-protocol: The browser tried QUIC with a\.test, expected TCP/,
  );
});

test('the handshake of the document takes the round trips of its host', () => {
  const network = { ...NOTHING_ADDED, rttMs: 100 };
  const document = { ...DOCUMENT, connect: 105 };
  const loaded = [document, MOVED, HTTP2_BEACON];
  assert.equal(judged(loaded, { ...HTTP2_HOSTS, network }).outcome, 'ok');
  const byHttp2 = [{ ...document, httpVersion: 'h2' }, { ...MOVED, httpVersion: 'h2' }, BEACON];
  const hosts = { http2Hosts: ['a.test'], network };
  const connections = opened({ transport: 'tcp' });
  assertInvalid(
    judged(byHttp2, hosts, { connections }),
    /^no-handshake: .*connect: 105\.0, expected at least 180/,
  );
});

test('rejects a document without a connection set-up', () => {
  for (const connect of [-1, 0]) {
    assert.equal(judged([{ ...DOCUMENT, connect }, MOVED, BEACON]).code, 'no-handshake');
  }
});

test('accepts a response without an end if it has the recorded length', () => {
  const url = 'https://a.test/unread';
  const manifest = withResource(url, 200, { decodedBytes: 90 });
  const codeWith = (bytes: number, error = INCOMPLETE) =>
    judged([...WHOLE, { url, bytes, error }], { manifest }).code;
  assert.equal(codeWith(90), null);
  assert.equal(codeWith(89), 'request-failed');
  assert.equal(codeWith(90, 'net::ERR_FAILED'), 'request-failed');
});

test('finds the handshake of a navigation that Chromium restarted on the path', () => {
  const restarted = { ...DOCUMENT, connect: -1, restarted: true } as const;
  const codeWith = (connection: Partial<ConnectionRecord>) =>
    judged([restarted, MOVED, BEACON], {}, { connections: opened(connection) }).code;
  assert.equal(codeWith({}), null);
  assert.equal(codeWith({ host: 'b.test' }), 'no-handshake');
});

test('expects a bounce only of requests without its cookie', () => {
  const bounce = { cookie: 'x', status: 303, headers: [] };
  const url = 'https://a.test/signed';
  const manifest = { ...withResource(url, 200, { bounces: [bounce] }), complete: false };
  const code = (...entries: Partial<EntryInShort>[]) => {
    const sent = entries.map((each) => ({ url, ...each }));
    return judged([...WHOLE, ...sent], { manifest, visit: 'repeat' }).code;
  };
  const cookie = { asksWith: 'Cookie', value: 'a=1; x=2' };
  assert.equal(code({ status: 303 }, { status: 200, ...cookie }), null);
  assert.equal(code({ status: 200, fromCache: 'disk' }), null);
  assert.equal(code({ status: 200 }), 'wrong-status');
  assert.equal(code({ status: 303, ...cookie }), 'wrong-status');
  assert.equal(code({ status: 303, asksWith: 'Cookie', value: 'xx=2' }), null);
});

test('rejects a status that differs from the recorded one', () => {
  assertInvalid(
    judged([DOCUMENT, { ...MOVED, status: 404 }, BEACON]),
    /^wrong-status: .*moved has 404, expected 302/,
  );
});

test('rejects a body whose decoded length differs from the recorded one', () => {
  const url = 'https://a.test/style.css';
  const manifest = withResource(url, 200, { decodedBytes: 90 });
  const judgedWith = (change: Partial<EntryInShort>) =>
    judged([...WHOLE, { url, bytes: 90, ...change }], { manifest });
  assert.equal(judgedWith({}).code, null);
  const { code, message, blamed } = judgedWith({ bytes: 3 });
  assert.equal(code, 'wrong-body');
  assert.match(message ?? '', /style\.css has 3 bytes, expected 90/);
  assert.deepEqual(blamed, [url]);
  assert.equal(judgedWith({ bytes: 10, status: 206, asksWith: 'Range' }).code, null);
  // Prefetched: Chromium counts the received bytes, and reports no body.
  assert.equal(judgedWith({ bytes: 0, bodyBytes: 90 }).code, null);
  assert.equal(judgedWith({ bytes: 0 }).code, 'wrong-body');
});

test('rejects a body with other bytes than recorded', () => {
  const key = 'POST https://b.test/beacon';
  const { code, message, blamed } = judged(WHOLE, {}, { otherBytes: [key] });
  assert.equal(code, 'wrong-body');
  assert.match(message ?? '', /^1 of 3 responses .*beacon has other bytes/);
  assert.deepEqual(blamed, ['https://b.test/beacon']);
});

test('accepts responses to range and conditional requests', () => {
  const image = { url: 'https://a.test/image' };
  const manifest = withResource(image.url, 200);
  const code = (entry: EntryInShort) => judged([...WHOLE, entry], { manifest }).code;
  assert.equal(code({ ...image, status: 304, asksWith: 'If-None-Match' }), null);
  assert.equal(code({ ...image, status: 206, asksWith: 'Range' }), null);
  // A service worker is rejected on purpose.
  assert.equal(code({ ...image, status: 404, asksWith: 'Service-Worker' }), null);
  assert.equal(code({ ...image, status: 304 }), 'wrong-status');
  assert.equal(code({ ...image, status: 206, asksWith: 'If-None-Match' }), 'wrong-status');
  assert.equal(code({ ...image, status: 404, asksWith: 'Range' }), 'wrong-status');
});

test('rejects a missing, an extra and a repeated request in a load of a complete site', () => {
  assertInvalid(
    judged([DOCUMENT, MOVED]),
    /^request-set-differs: .*missing: POST https:\/\/b\.test\/beacon; extra: none/,
  );
  const extra = { url: 'https://c.test/x', status: 0, httpVersion: 'unknown' };
  assert.match(judged([...WHOLE, extra]).message ?? '', /extra: GET https:\/\/c\.test/);
  assert.match(judged([DOCUMENT, MOVED, MOVED, BEACON]).message ?? '', /extra: GET .*moved/);
});

test('rejects a load in which a recorded resource is missing or truncated', () => {
  const lost = { ...MOVED, status: 0, httpVersion: 'unknown', error: 'net::ERR_CONNECTION_RESET' };
  const brokenOff = { ...MOVED, error: 'net::ERR_CONTENT_LENGTH_MISMATCH' };
  for (const failed of [lost, brokenOff]) {
    for (const complete of [true, false]) {
      assertInvalid(
        judged([DOCUMENT, failed, BEACON], {
          manifest: { ...MANIFEST, complete },
        }),
        /^request-failed: .*moved \(net::ERR_CO/,
      );
    }
  }
});

test('lets an incompletely recorded page abort a request', () => {
  const givenUp = { ...MOVED, status: 0, httpVersion: 'unknown', error: 'net::ERR_ABORTED' };
  const loaded = [DOCUMENT, givenUp, BEACON];
  assert.equal(judged(loaded, { manifest: { ...MANIFEST, complete: false } }).outcome, 'ok');
  assert.equal(judged(loaded).code, 'request-failed');
});

test('accepts as a response a fetch without a body that Chromium calls aborted', () => {
  const aborted = { ...BEACON, error: 'net::ERR_ABORTED' };
  assert.equal(judged([DOCUMENT, MOVED, aborted]).outcome, 'ok');
});

test('accepts a favicon with any response, without one, and no request', () => {
  const url = 'https://a.test/favicon.ico';
  const unanswered = { url, status: 0, httpVersion: 'unknown', error: 'no response' };
  const icons = [204, 200, 404].map((status) => [{ url, status }]);
  for (const icon of [...icons, [unanswered], []]) {
    const { outcome } = judged([...WHOLE, ...icon], { manifest: withResource(url, 204) });
    assert.equal(outcome, 'ok');
  }
});

test('accepts fewer and more requests of an incompletely recorded site', () => {
  const manifest = { ...MANIFEST, complete: false };
  const unknown = { url: 'https://a.test/unknown', status: 404 };
  const blocked = { url: 'https://c.test/x', status: 0, httpVersion: 'unknown' };
  assert.equal(judged([DOCUMENT, unknown, blocked], { manifest }).outcome, 'ok');
});

test('ignores a fragment in comparing URLs', () => {
  assert.equal(judged([DOCUMENT, { ...MOVED, url: `${MOVED.url}#part` }, BEACON]).outcome, 'ok');
});

test('rejects a load with unplanned packet drops of the path', () => {
  const used = (planned: Partial<NetworkCondition>, counts: Partial<DirectionCounts>) =>
    judged(
      WHOLE,
      { network: { ...NOTHING_ADDED, ...planned } },
      { path: { ...PATH, toClient: { ...NOTHING_LOST, ...counts } } },
    );
  assertInvalid(used({}, { queueDrops: 3 }), /^path-disturbed: .*dropped 3 packets/);
  assert.equal(used({}, { lost: 1 }).code, 'path-disturbed');
  assert.equal(used({ lossPercent: 1 }, { lost: 1 }).outcome, 'ok');
  assert.equal(used({ lostPacket: 5 }, { lost: 1 }).outcome, 'ok');
  assert.equal(used({ downKbps: 1000 }, { queueDrops: 3 }).outcome, 'ok');
  assert.equal(used({ upKbps: 1000 }, { queueDrops: 3 }).code, 'path-disturbed');
  const udp = { treatment: 'blocked', kbps: null } as const;
  assert.equal(used({}, { udpDropped: 2 }).code, 'path-disturbed');
  assert.equal(used({ udp }, { udpDropped: 2 }).outcome, 'ok');
  assert.equal(used({ udp }, { queueDrops: 2 }).code, 'path-disturbed');
});

test('requires HTTP/3 on return visits, and HTTP/2 over a network that stops UDP', () => {
  const discovered = { document: 'h2', advertisedH3: true, responses: { h2: 1 } };
  const back = (
    visit: VisitKind,
    returnProtocols: string[][],
    network: Partial<NetworkCondition> = {},
  ) =>
    judged(
      WHOLE,
      { visit, protocol: 'h2+h3', network: { ...NOTHING_ADDED, ...network } },
      { earlier: discovered, returnProtocols, names: { httpsRecords: 0 } },
    );
  const udp = { treatment: 'rejected', kbps: null } as const;
  const [h2, h3] = [['h2', 'h2'], ['h3']];
  assert.notEqual(back('discovered', [h2]).code, 'not-discovered');
  assert.notEqual(back('h3-used', [h2, h3]).code, 'not-discovered');
  assert.notEqual(back('h3-broken', [h2, h3, h3]).code, 'not-discovered');
  assert.notEqual(back('h3-broken', [h2, h3, h2], { udp }).code, 'not-discovered');
  assert.notEqual(back('h3-broken', [h2, h3, h2], { lossPercent: 5 }).code, 'not-discovered');
  for (const wrong of [
    back('h3-used', [h2, h2]),
    back('h3-used', [h2, []]),
    back('h3-used', [h2]),
    back('h3-broken', [h2, h2, h3]),
    back('h3-broken', [h2, h3, h3], { udp }),
    back('h3-broken', [h2, h3], { lossPercent: 5 }),
  ]) {
    assertInvalid(wrong, /^not-discovered: .* [23] before the load came by/);
  }
});

test('rejects a load in which a planned packet loss never came', () => {
  const network = { ...NOTHING_ADDED, lostPacket: 500 };
  assertInvalid(judged(WHOLE, { network }), /^nothing-lost: .*Packet 500 .* 9 packets came/);
});

test('accepts datagrams dropped at a full socket, which only QUIC has', () => {
  const machine = { udpReceiveBufferErrors: 4 } as MachineUse;
  assert.equal(judged(WHOLE, {}, { machine }).outcome, 'ok');
});

test('does not take a connection set-up shorter than the path allows for a handshake', () => {
  const network = { ...NOTHING_ADDED, rttMs: 30 };
  const over = (connect: number, expected: Partial<Expected>) =>
    judged([{ ...DOCUMENT, connect }, MOVED, BEACON], { network, ...expected }).code;
  assert.equal(over(31, {}), null);
  assert.equal(over(20, {}), 'no-handshake');
  const h2 = by('h2', [{ ...DOCUMENT, connect: 31 }, MOVED, BEACON]);
  assert.equal(judged(h2, { network, protocol: 'h2' }).code, 'no-handshake');
  const handshake = 'one round trip less';
  assert.equal(judged(h2, { network, protocol: 'h2', handshake }).code, null);
  assert.equal(over(20, { network: { ...network, jitterMs: 6 } }), null);
});

test('rejects a cold load with anything from the cache', () => {
  assertInvalid(
    judged([DOCUMENT, { ...MOVED, fromCache: 'memory' }, BEACON]),
    /^from-cache: .*1 responses.*moved/,
  );
});

test('lets a cold load use its own fetches a second time', () => {
  const again = { ...MOVED, fromCache: 'memory' as const };
  const manifest = { ...MANIFEST, complete: false };
  assert.equal(judged([DOCUMENT, MOVED, again], { manifest }).code, null);
  assert.equal(judged([DOCUMENT, again, MOVED], { manifest }).code, 'from-cache');
});

test('rejects a cold load that offered a ticket from before it, or early data by one', () => {
  const code = (...connections: Partial<ConnectionRecord>[]) =>
    judged(WHOLE, {}, { connections: opened(...connections) }).code;
  const resumes = { offered: 'resumption', handshake: 'resumed', clientHelloMs: 90 } as const;
  // Regardless of the server’s reaction, the client had a ticket.
  assert.equal(code({ offered: 'resumption' }), 'resumed');
  assert.equal(code({}, { ...resumes, host: 'b.test' }), 'resumed');
  assert.equal(code({ offered: 'early-data', earlyData: 'rejected' }), 'early-data');
  assert.equal(code({}, { ...resumes, host: null, address: '10.89.1.1:444' }), 'resumed');
  // Only a full handshake that was answered in time, over the same transport, brings one.
  for (const other of [
    { serverHelloMs: 91 },
    { serverHelloMs: null, handshake: null },
    { offered: 'resumption', handshake: 'resumed' },
  ] as const) {
    assert.equal(code(other, resumes), 'resumed', JSON.stringify(other));
  }
  const both = { protocol: 'h2+h3' } as const;
  const byBoth = { connections: opened(OVER_TCP, resumes) };
  assert.equal(judged(WHOLE, both, byBoth).code, 'resumed');
  // A browser may use within the load what it learned within the load, in any order of connections.
  for (const ticketed of [resumes, { ...resumes, offered: 'early-data' } as const]) {
    assert.equal(code({}, ticketed), null);
    assert.equal(code(ticketed, {}), null);
    assert.equal(code({ host: null }, { ...ticketed, host: null }), null);
  }
});

test('calls a load whose first SYN was lost cold though that connection resumes the session of the second', () => {
  const { packets } = recording('h2-full-then-resumed');
  const [full, resumed] = [...Map.groupBy(packets, clientPortOf).values()];
  assert.ok(full && resumed);
  const code = (seen: TappedPacket[], visit: VisitKind = 'cold') => {
    const connections = observedConnections({ packets: seen, missed: 0 });
    const hosts = connections.opened.map(({ address }) => [address, address]);
    const expected = { visit, origins: Object.fromEntries(hosts) };
    return judged(WHOLE, expected, { connections }).code;
  };
  const [syn, ...rest] = resumed;
  assert.ok(syn);
  const began = { ...syn, timeNs: (full[0]?.timeNs ?? 0n) - 1n };
  assert.equal(code([began, ...full, ...rest]), null);
  assert.equal(code([began, ...full, syn, ...rest]), null);
  assert.equal(code(resumed), 'resumed');
  assert.equal(
    code([...resumed, ...full].map((each, at) => ({ ...each, timeNs: BigInt(at) }))),
    'resumed',
  );
});

test('checks a resumed visit by the connection of a host with the first ClientHello', () => {
  const code = (...connections: Partial<ConnectionRecord>[]) =>
    judged(WHOLE, { visit: 'resumed' }, { connections: opened(...connections) }).code;
  const resumes = { offered: 'resumption', handshake: 'resumed', clientHelloMs: 5 } as const;
  // The ticket was used by the connection whose SYN came through.
  assert.equal(code({}, resumes), null);
  assert.equal(code({}, { ...resumes, clientHelloMs: 90 }), 'not-resumed');
});

test('rejects a load with unknown handshakes', () => {
  const unknown = { connections: null };
  assert.equal(judged(WHOLE, {}, unknown).code, 'handshakes-unknown');
  assert.equal(judged(WHOLE, { visit: 'resumed' }, unknown).code, 'handshakes-unknown');
  const incomplete = { connections: { ...opened({}), whole: false } };
  assert.equal(judged(WHOLE, {}, incomplete).code, 'handshakes-unknown');
});

test('rejects a load that used a connection from before, on every kind of visit', () => {
  const connections = opened();
  const cached = [DOCUMENT, { ...MOVED, fromCache: 'disk' as const }, BEACON];
  assert.equal(judged(WHOLE, {}, { connections }).code, 'connection-kept');
  assert.equal(judged(WHOLE, { visit: 'resumed' }, { connections }).code, 'connection-kept');
  assert.equal(judged(cached, { visit: 'repeat' }, { connections }).code, 'connection-kept');
});

test('requires a separate handshake for each server that answered', () => {
  const loaded = [DOCUMENT, MOVED, { ...BEACON, address: '10.89.1.2' }];
  const origins = { 'a.test': '10.89.1.1:443', 'b.test': '10.89.1.2:443' };
  const other = { host: 'b.test', address: '10.89.1.2:443' };
  const judgedWith = (connections: ObservedConnections) =>
    judged(loaded, { origins }, { connections });
  assert.equal(judgedWith(opened({}, other)).code, null);
  assertInvalid(judgedWith(opened({})), /^connection-kept: .*10\.89\.1\.2/);
});

test('requires tickets on the first connection to each host on a resumed visit, and no cache', () => {
  const visit = 'resumed';
  const code = (connection: Partial<ConnectionRecord>) =>
    judged(WHOLE, { visit }, { connections: opened(connection) }).code;
  assert.equal(code({}), 'not-resumed');
  assert.equal(code({ handshake: 'resumed' }), null);
  assert.equal(judged([DOCUMENT, { ...MOVED, fromCache: 'disk' }], { visit }).code, 'from-cache');
});

test('requires something from the cache on a repeat visit if anything is cacheable; a cached document needs no connection', () => {
  const visit = 'repeat';
  assert.equal(judged(WHOLE, { visit }).code, null);
  const kept = [{ ...DOCUMENT, cacheControl: 'public, max-age=60' }, MOVED, BEACON];
  assert.equal(judged(kept, { visit }).code, 'nothing-cached');
  const barred = [{ ...DOCUMENT, cacheControl: 'no-cache, max-age=60' }, MOVED, BEACON];
  assert.equal(judged(barred, { visit }).code, null);
  assert.equal(judged([DOCUMENT, { ...MOVED, fromCache: 'disk' }, BEACON], { visit }).code, null);
  const cached = { ...DOCUMENT, connect: -1, fromCache: 'disk' } as const;
  assert.equal(judged([cached, MOVED, BEACON], { visit }).code, null);
});

test('rejects a connection to another machine, seen in the HAR or on the path', () => {
  assertInvalid(
    judged([DOCUMENT, { ...MOVED, address: '192.0.2.1' }, BEACON]),
    /^foreign-host: .*moved went to 192\.0\.2\.1/,
  );
  const onPath = judged(
    WHOLE,
    {},
    { connections: opened({}, { host: 'c.test', address: '192.0.2.7:443' }) },
  );
  assert.equal(onPath.code, 'foreign-host');
});

test('rejects too many connections to a host, except those of frames of another site', () => {
  const three = [DOCUMENT, { ...MOVED, connection: '8' }, { ...MOVED, connection: '9' }];
  const manifest = { ...MANIFEST, complete: false };
  assertInvalid(
    judged(three, { manifest }),
    /^too-many-connections: .*3 connections to a\.test, .* 2 by h3/,
  );
  const frame = { url: 'https://frame.elsewhere/', type: 'document', connection: '10' };
  assert.equal(judged([...three, frame], { manifest }).code, null);
  const path = { ...PATH, toServer: { ...NOTHING_LOST, lost: 1 } };
  const network = { ...NOTHING_ADDED, lossPercent: 1 };
  assert.equal(judged(three, { manifest, network }, { path }).code, null);
  assert.equal(judged(by('http/1.1', three), { manifest, protocol: 'http/1.1' }).code, null);
});

const RELOADED = { ...DOCUMENT, connect: -1 };
const FROM_CACHE = { ...MOVED, fromCache: 'memory' as const };

test('accepts a reload over existing connections, with all but its main document from the cache', () => {
  const visit = 'reload';
  const connections = opened();
  const loaded = [RELOADED, FROM_CACHE, BEACON];
  assert.equal(judged(loaded, { visit }, { connections }).code, null);
  // Handshakes may be unknown, because they are not needed.
  const unknown = { connections: null };
  assert.equal(judged(loaded, { visit }, unknown).code, null);
  const fromCache = { ...RELOADED, fromCache: 'disk' as const };
  assertInvalid(
    judged([fromCache, FROM_CACHE, BEACON], { visit }),
    /^from-cache: .*main document came out of the browser's cache/,
  );
});

test('rejects a reload whose main document needed a new connection, by every protocol that keeps them', () => {
  for (const protocol of ['h3', 'h2', 'http/1.1'] as const) {
    const expected = { visit: 'reload', protocol } as const;
    assert.equal(judged(by(protocol, [RELOADED, MOVED, BEACON]), expected).code, null);
    assertInvalid(
      judged(by(protocol, WHOLE), expected),
      /^connection-not-kept: .*connect: 12\.5 ms/,
    );
  }
});

test('rejects a reload without cache hits if more than the main document is cacheable', () => {
  const visit = 'reload';
  const kept = { cacheControl: 'max-age=60' };
  assert.equal(judged([{ ...RELOADED, ...kept }, MOVED, BEACON], { visit }).code, null);
  const image = { url: 'https://a.test/moved', ...kept };
  assert.equal(judged([RELOADED, image, BEACON], { visit }).code, 'nothing-cached');
});

function byHttp10(entries: EntryInShort[]): EntryInShort[] {
  return by('http/1.0', entries).map((each, at) => ({ ...each, connection: `${at}` }));
}

test("expects by http/1.0 a separate connection for a reload's document, with a whole handshake", () => {
  const expected = { visit: 'reload', protocol: 'http/1.0' } as const;
  const code = (
    entries: EntryInShort[],
    connections: ObservedConnections | null = opened(OVER_TCP),
  ) => judged(byHttp10(entries), expected, { connections }).code;
  assert.equal(code([DOCUMENT, FROM_CACHE, BEACON]), null);
  assert.equal(code([RELOADED, FROM_CACHE, BEACON]), 'no-handshake');
  assert.equal(
    code(
      [DOCUMENT, FROM_CACHE, BEACON],
      opened({ ...OVER_TCP, offered: 'resumption', handshake: 'resumed' }),
    ),
    'resumed',
  );
  assert.equal(code([DOCUMENT, FROM_CACHE, BEACON], null), 'handshakes-unknown');
  assert.equal(code([DOCUMENT, FROM_CACHE, BEACON], opened()), 'connection-kept');
});

test('requires no handshake of a server for cached responses', () => {
  const elsewhere = { ...FROM_CACHE, address: '10.89.1.2' };
  const origins = { 'a.test': '10.89.1.1:443', 'b.test': '10.89.1.2:443' };
  const { code } = judged(byHttp10([DOCUMENT, elsewhere, BEACON]), {
    visit: 'reload',
    protocol: 'http/1.0',
    origins,
  });
  assert.equal(code, null);
});

test('expects by http/1.0 a round trip more for a full TLS 1.2 handshake than for TLS 1.3', () => {
  const network = { ...NOTHING_ADDED, rttMs: 30 };
  const code = (connect: number, tls: string) =>
    judged(byHttp10([{ ...DOCUMENT, connect, tls }, MOVED, BEACON]), {
      network,
      protocol: 'http/1.0',
    }).code;
  assert.equal(code(62, 'TLS 1.3'), null);
  assert.equal(code(62, 'TLS 1.2'), 'no-handshake');
  assert.equal(code(92, 'TLS 1.2'), null);
  // If a protocol is negotiated, Chromium does not wait for the end of the handshake.
  const h2 = by('h2', [{ ...DOCUMENT, connect: 62, tls: 'TLS 1.2' }, MOVED, BEACON]);
  assert.equal(judged(h2, { network, protocol: 'h2' }).code, null);
});

test('rejects a newer TLS than allowed, except over QUIC', () => {
  const choices = { subResources: 'served', tlsMost: '1.2', document: 'recorded' } as const;
  const code = (protocol: 'h2' | 'h3', tls: string) =>
    judged(by(protocol, [{ ...DOCUMENT, tls }, MOVED, BEACON]), { protocol, choices }).code;
  assert.equal(code('h2', 'TLS 1.2'), null);
  assert.equal(code('h2', 'TLS 1.3'), 'wrong-tls');
  assert.equal(code('h3', 'QUIC'), null);
});

test('rejects an unexpected or unknown key exchange if the run sets one', () => {
  const of = (
    keyExchange: Expected['keyExchange'],
    group: string,
    other: Partial<EntryInShort> = {},
  ) => judged([{ ...DOCUMENT, group }, { ...MOVED, group, ...other }, BEACON], { keyExchange });
  assert.equal(of('x25519', 'X25519').code, null);
  assert.equal(of('x25519mlkem768', 'X25519MLKEM768').code, null);
  const wrong = of('x25519mlkem768', 'X25519');
  assertInvalid(wrong, /^wrong-key-exchange: .*a\.test\/ .* X25519, expected X25519MLKEM768/);
  // Every connection, not only the first.
  const second = of('x25519', 'X25519', { group: 'X25519MLKEM768' });
  assertInvalid(second, /^wrong-key-exchange: .*moved .* X25519MLKEM768, expected X25519/);
  assert.equal(of('x25519', '').code, 'wrong-key-exchange');
  assert.equal(of(null, 'P-256').code, null);
  const cached = { ...DOCUMENT, group: 'P-256', fromCache: 'disk' } as const;
  assert.notEqual(judged([cached], { keyExchange: 'x25519' }).code, 'wrong-key-exchange');
});

test('requires status 404 for missing sub-resources, requested never, once or twice', () => {
  const choices = { subResources: 'missing', tlsMost: '1.3', document: 'recorded' } as const;
  const of = (...entries: EntryInShort[]) => judged(entries, { choices });
  const missing = { ...MOVED, status: 404 };
  assert.equal(of(DOCUMENT, missing).code, null);
  assert.equal(of(DOCUMENT).code, null);
  // The preload scanner's response came before the parser reached the image.
  assert.equal(of(DOCUMENT, missing, missing).code, null);
  // Chromium's errors for unread bodies, and for those it withholds from the page.
  assert.equal(of(DOCUMENT, { ...missing, error: 'net::ERR_ABORTED' }).code, null);
  for (const error of ['net::ERR_FAILED (MissingAllowOriginHeader)', 'net::ERR_BLOCKED_BY_ORB']) {
    assert.equal(of(DOCUMENT, { ...missing, status: 0, error }).code, null);
  }
  const reset = { ...missing, status: 0, error: 'net::ERR_CONNECTION_RESET' };
  assert.equal(of(DOCUMENT, reset).code, 'request-failed');
  assertInvalid(of(DOCUMENT, MOVED), /^wrong-status: .*moved has 302, expected 404/);
  assert.equal(of({ ...DOCUMENT, status: 404 }, missing).code, 'wrong-status');
  assertInvalid(
    of(DOCUMENT, missing, { url: 'https://a.test/extra', status: 404 }),
    /^request-set-differs: .*missing: none; extra: GET https:\/\/a\.test\/extra/,
  );
});

test('a further use of a fetched image is no further request', () => {
  const again = { ...MOVED, fromCache: 'memory' } as const;
  const of = (...entries: EntryInShort[]) =>
    judged([DOCUMENT, ...entries], {
      manifest: { ...MANIFEST, resources: MANIFEST.resources.slice(0, 2) },
    }).code;
  assert.equal(of(MOVED, again, again), null);
  assert.equal(of(MOVED, MOVED), 'request-set-differs');
});

test('counts a missing script as answered, though Chromium calls it aborted', () => {
  const recorded = { method: 'GET', url: 'https://a.test/moved', status: 404 } as const;
  const resources = [MANIFEST.resources[0], recorded] as SiteManifest['resources'];
  const aborted = { ...MOVED, status: 404, error: 'net::ERR_ABORTED' };
  assert.equal(judged([DOCUMENT, aborted], { manifest: { ...MANIFEST, resources } }).code, null);
});

test('expects no round trip for the handshake of early data', () => {
  const code = (offered: ConnectionRecord['offered'], connect = 0.4, host = 'a.test') =>
    judged(
      [{ ...DOCUMENT, connect }, MOVED, BEACON],
      { visit: 'resumed', network: { ...NOTHING_ADDED, rttMs: 30 } },
      { connections: opened({ offered, handshake: 'resumed', host }) },
    ).code;
  assert.equal(code('early-data'), null);
  assert.equal(code('resumption'), 'no-handshake');
  assert.equal(code('early-data', -1), null);
  assert.equal(code('early-data', -1, 'b.test'), 'no-handshake');
});

test('reports a stalled machine or a set clock before other problems', () => {
  const code = (longestStallMs: number, clocksApartMs: number) =>
    judged([], {}, { time: { longestStallMs, clocksApartMs } }).code;
  assert.equal(code(1_100, 20), 'machine-stalled');
  assert.equal(code(1_100, 600), 'clock-jumped');
  const quiet = { time: { longestStallMs: 900, clocksApartMs: 400 } };
  assert.equal(judged(WHOLE, {}, quiet).code, null);
  const { message } = judged(WHOLE, {}, { time: { longestStallMs: 2_340, clocksApartMs: 0 } });
  assert.match(message ?? '', /2\.3 s/);
});

const BOTH = {
  protocol: 'h2+h3',
  origins: { 'a.test': '10.89.1.1:443', 'b.test': '10.89.1.1:443' },
} as const;
const NO_RECORD = { httpsRecords: 0 };
const MIXED: EntryInShort[] = [
  { ...DOCUMENT, httpVersion: 'h2' },
  { ...MOVED, httpVersion: 'h3' },
  { ...BEACON, httpVersion: 'h2' },
];

test('accepts responses by either version from a server with both, or by HTTP/3 if QUIC is forced', () => {
  const of = (visit: Expected['visit'], entries = MIXED) =>
    judged(entries, { ...BOTH, visit }, { names: NO_RECORD });
  assert.equal(of('cold').code, null);
  assertInvalid(of('forced'), /^wrong-protocol: 2 of 3 responses did not come by h3: /);
  assert.equal(of('forced', WHOLE).code, null);
  const old = of('cold', [{ ...DOCUMENT, httpVersion: 'http/1.1' }, MOVED, BEACON]);
  assert.match(old.message ?? '', /did not come by h2 or h3/);
});

test('requires an HTTPS record on its visit, and on no other', () => {
  const code = (
    visit: Expected['visit'],
    names: Observed['names'],
    expected: Partial<Expected> = BOTH,
  ) => judged(WHOLE, { ...expected, visit }, { names }).code;
  assert.equal(code('https-record', { httpsRecords: 1 }), null);
  assert.equal(code('https-record', NO_RECORD), 'no-https-record');
  assert.equal(code('https-record', null), 'no-https-record');
  assert.equal(code('forced', { httpsRecords: 1 }), 'https-record');
  // Servers of one version need no record.
  assert.equal(code('https-record', null, {}), null);
});

test('requires an earlier load by HTTP/2 with an HTTP/3 advertisement for a discovered visit', () => {
  const discovered = { document: 'h2', responses: { h2: 3 }, advertisedH3: true };
  const of = (earlier: Observed['earlier'], expected: Partial<Expected> = BOTH) =>
    judged(WHOLE, { ...expected, visit: 'discovered' }, { earlier, names: NO_RECORD });
  assert.equal(of(discovered).code, null);
  for (const earlier of [
    null,
    { ...discovered, advertisedH3: false },
    { ...discovered, document: 'h3' },
  ]) {
    assert.equal(of(earlier).code, 'not-discovered');
  }
  assert.match(
    of({ ...discovered, advertisedH3: false }).message ?? '',
    /came by h2, expected h2, and no response/,
  );
  assert.equal(of({ document: 'h3', responses: { h3: 3 }, advertisedH3: false }, {}).code, null);
});

test('lets a discovered visit resume sessions, and not one that is forced or has a record', () => {
  const resumed = opened({ offered: 'resumption', handshake: 'resumed' });
  const code = (visit: Expected['visit'], httpsRecords = 0) =>
    judged(
      WHOLE,
      { ...BOTH, visit },
      {
        connections: resumed,
        names: { httpsRecords },
        earlier: { document: 'h2', responses: {}, advertisedH3: true },
      },
    ).code;
  assert.equal(code('discovered'), null);
  assert.equal(code('forced'), 'resumed');
  assert.equal(code('https-record', 1), 'resumed');
});

test("expects the round trips of the document's version from a server with both", () => {
  const code = (httpVersion: string, connect: number) =>
    judged(
      [{ ...DOCUMENT, connect, httpVersion }, MOVED, BEACON],
      { ...BOTH, network: { ...NOTHING_ADDED, rttMs: 30 } },
      { names: NO_RECORD },
    ).code;
  assert.equal(code('h3', 31), null);
  assert.equal(code('h2', 31), 'no-handshake');
  assert.equal(code('h2', 61), null);
});

test('allows one connection per version to a host, and no more', () => {
  const over = (count: number) => {
    const own = Array.from({ length: count }, (_, index) => ({
      ...DOCUMENT,
      httpVersion: index % 2 ? 'h2' : 'h3',
      connection: String(index),
    }));
    const resources = own.map(() => MANIFEST.resources[0]) as SiteManifest['resources'];
    const manifest = { ...MANIFEST, resources };
    return judged(own, { ...BOTH, manifest }, { names: NO_RECORD }).code;
  };
  assert.equal(over(4), null);
  assert.equal(over(5), 'too-many-connections');
});

test('lets a reload use a second connection that its first load made and never used', () => {
  const of = (connect: number, connections: ObservedConnections) =>
    judged(
      [
        { ...DOCUMENT, connect },
        { ...MOVED, fromCache: 'disk' },
        { ...BEACON, cacheControl: 'no-store' },
      ],
      { ...BOTH, visit: 'reload' },
      { names: NO_RECORD, connections },
    ).code;
  assert.equal(of(0, { opened: [], whole: true }), null);
  // Later requests may need new connections.
  assert.equal(of(0, opened({})), null);
  assert.equal(of(0, opened({ offered: 'early-data' })), 'connection-not-kept');
  assert.equal(of(12, opened({})), 'connection-not-kept');
  assert.equal(of(0, { opened: [], whole: false }), 'connection-not-kept');
});
