import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../../cache/manifest.ts';
import type {
  ConnectionRecord,
  HandshakeCounts,
  LoadConnections,
} from '../../../../records/connection.ts';
import type { MachineUse } from '../../../../records/machine-use.ts';
import type { AskedNetwork } from '../../../../records/network.ts';
import type { Har, HarEntry } from '../../../../runner/har/har.ts';
import { type Expected, judge, type Observed } from '../../../../runner/judging/judge.ts';
import { NOTHING_ADDED } from '../../../../runner/network/conditions.ts';

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
}: EntryInShort) {
  return {
    _requestId: url,
    _resourceType: type,
    _connectionId: status === 0 ? undefined : connection,
    _fromCache: fromCache,
    serverIPAddress: status === 0 ? undefined : address,
    request: { method, url, headers: asksWith ? [{ name: asksWith, value: 'x' }] : [] },
    response: {
      status,
      httpVersion,
      _error: error,
      headers: [{ name: 'Cache-Control', value: cacheControl }],
    },
    timings: { connect },
  } as HarEntry;
}

const DOCUMENT = { url: 'https://a.test/', connect: 12.5 };
const MOVED = { url: 'https://a.test/moved', status: 302 };
const BEACON = { url: 'https://b.test/beacon', method: 'POST', status: 204 };

const NOTHING_LOST = { packets: 9, bytes: 999, lost: 0, queueDrops: 0 };
const FULL: ConnectionRecord = {
  host: 'a.test',
  address: '10.89.1.1:443',
  protocol: 'h3',
  tlsVersion: 'TLS 1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  handshake: 'full',
  earlyData: 'none',
};

function opened(...connections: Partial<ConnectionRecord>[]): LoadConnections {
  return {
    opened: connections.map((connection) => ({ ...FULL, ...connection })),
    reused: [],
    whole: true,
  };
}

function judged(
  entries: EntryInShort[],
  expected: Partial<Expected> = {},
  observed: Partial<Observed> = {},
) {
  return judge(
    {
      har: { log: { entries: entries.map(entry) } } as Har,
      path: { toServer: NOTHING_LOST, toClient: NOTHING_LOST, maxLatenessMs: null },
      handshakes: null,
      connections: opened({}),
      machine: null,
      time: null,
      ...observed,
    },
    {
      manifest: MANIFEST,
      protocol: 'h3',
      visit: 'cold',
      choices: { subResources: 'served', tlsMost: '1.3' },
      network: NOTHING_ADDED,
      origins: { 'a.test': '10.89.1.1:443', 'b.test': '10.89.1.1:444' },
      ...expected,
    },
  );
}

test("a load of all recorded resources by the stack's protocol is ok", () => {
  assert.deepEqual(judged([DOCUMENT, MOVED, BEACON]), { outcome: 'ok', code: null, message: null });
});

test('one response by another protocol makes the load invalid and is named', () => {
  const { outcome, code, message } = judged([DOCUMENT, { ...MOVED, httpVersion: 'h2' }, BEACON]);
  assert.equal(outcome, 'invalid');
  assert.equal(code, 'wrong-protocol');
  assert.match(message ?? '', /1 of 3 responses.*https:\/\/a\.test\/moved came by h2/);
});

test('a document without a connection set-up makes the load invalid', () => {
  for (const connect of [-1, 0]) {
    assert.equal(judged([{ ...DOCUMENT, connect }, MOVED, BEACON]).code, 'no-handshake');
  }
});

test('a status other than the recorded one makes the load invalid', () => {
  const { code, message } = judged([DOCUMENT, { ...MOVED, status: 404 }, BEACON]);
  assert.equal(code, 'wrong-status');
  assert.match(message ?? '', /moved has 404, recorded is 302/);
});

test('a part or news only is what a browser may ask for, and get', () => {
  const image = { url: 'https://a.test/image' };
  const recorded = { method: 'GET', url: image.url, status: 200 } as const;
  const resources = [...MANIFEST.resources, recorded] as SiteManifest['resources'];
  const code = (entry: EntryInShort) =>
    judged([DOCUMENT, MOVED, BEACON, entry], { manifest: { ...MANIFEST, resources } }).code;
  assert.equal(code({ ...image, status: 304, asksWith: 'If-None-Match' }), null);
  assert.equal(code({ ...image, status: 206, asksWith: 'Range' }), null);
  // A service worker is refused on purpose.
  assert.equal(code({ ...image, status: 404, asksWith: 'Service-Worker' }), null);
  assert.equal(code({ ...image, status: 304 }), 'wrong-status');
  assert.equal(code({ ...image, status: 206, asksWith: 'If-None-Match' }), 'wrong-status');
  assert.equal(code({ ...image, status: 404, asksWith: 'Range' }), 'wrong-status');
});

test('a missing, an extra and a repeated request make the load of a complete site invalid', () => {
  const missing = judged([DOCUMENT, MOVED]);
  assert.equal(missing.code, 'request-set-differs');
  assert.match(missing.message ?? '', /missing: POST https:\/\/b\.test\/beacon; extra: none/);
  const extra = { url: 'https://c.test/x', status: 0, httpVersion: 'unknown' };
  assert.match(
    judged([DOCUMENT, MOVED, BEACON, extra]).message ?? '',
    /extra: GET https:\/\/c\.test/,
  );
  assert.match(judged([DOCUMENT, MOVED, MOVED, BEACON]).message ?? '', /extra: GET .*moved/);
});

test('a recorded resource that does not come, or breaks off, makes the load invalid', () => {
  const lost = { ...MOVED, status: 0, httpVersion: 'unknown', error: 'net::ERR_CONNECTION_RESET' };
  const brokenOff = { ...MOVED, error: 'net::ERR_CONTENT_LENGTH_MISMATCH' };
  for (const failed of [lost, brokenOff]) {
    for (const complete of [true, false]) {
      const { code, message } = judged([DOCUMENT, failed, BEACON], {
        manifest: { ...MANIFEST, complete },
      });
      assert.equal(code, 'request-failed');
      assert.match(message ?? '', /moved \(net::ERR_CO/);
    }
  }
});

test('a page that is not known completely may give a request up', () => {
  const givenUp = { ...MOVED, status: 0, httpVersion: 'unknown', error: 'net::ERR_ABORTED' };
  const loaded = [DOCUMENT, givenUp, BEACON];
  assert.equal(judged(loaded, { manifest: { ...MANIFEST, complete: false } }).outcome, 'ok');
  assert.equal(judged(loaded).code, 'request-failed');
});

test('a fetch without a body that Chromium calls aborted is an answer', () => {
  const aborted = { ...BEACON, error: 'net::ERR_ABORTED' };
  assert.equal(judged([DOCUMENT, MOVED, aborted]).outcome, 'ok');
});

test('a favicon may be seen, be seen unanswered, or not be seen', () => {
  const recorded = { method: 'GET', url: 'https://a.test/favicon.ico', status: 204 } as const;
  const resources = [...MANIFEST.resources, recorded] as SiteManifest['resources'];
  const seen = { url: recorded.url, status: 204 };
  const unanswered = { url: recorded.url, status: 0, httpVersion: 'unknown', error: 'no response' };
  for (const icon of [[seen], [unanswered], []]) {
    const { outcome } = judged([DOCUMENT, MOVED, BEACON, ...icon], {
      manifest: { ...MANIFEST, resources },
    });
    assert.equal(outcome, 'ok');
  }
});

test('a site that is not known completely may ask for less and more', () => {
  const manifest = { ...MANIFEST, complete: false };
  const unknown = { url: 'https://a.test/unknown', status: 404 };
  const blocked = { url: 'https://c.test/x', status: 0, httpVersion: 'unknown' };
  assert.equal(judged([DOCUMENT, unknown, blocked], { manifest }).outcome, 'ok');
});

test('a fragment does not make a URL another one', () => {
  assert.equal(judged([DOCUMENT, { ...MOVED, url: `${MOVED.url}#part` }, BEACON]).outcome, 'ok');
});

const WHOLE = [DOCUMENT, MOVED, BEACON];

test('packets that the path drops unasked make the load invalid', () => {
  const used = (asked: Partial<AskedNetwork>, counts: Partial<typeof NOTHING_LOST>) =>
    judged(
      WHOLE,
      { network: { ...NOTHING_ADDED, ...asked } },
      {
        path: {
          toServer: NOTHING_LOST,
          toClient: { ...NOTHING_LOST, ...counts },
          maxLatenessMs: 0.2,
        },
      },
    );
  const dropped = used({}, { queueDrops: 3 });
  assert.equal(dropped.code, 'path-disturbed');
  assert.match(dropped.message ?? '', /dropped 3 packets/);
  assert.equal(used({}, { lost: 1 }).code, 'path-disturbed');
  assert.equal(used({ lossPercent: 1 }, { lost: 1 }).outcome, 'ok');
  assert.equal(used({ downKbps: 1000 }, { queueDrops: 3 }).outcome, 'ok');
  assert.equal(used({ upKbps: 1000 }, { queueDrops: 3 }).code, 'path-disturbed');
});

test('datagrams dropped at a full socket make the load invalid', () => {
  const machine = { udpReceiveBufferErrors: 4 } as MachineUse;
  const { code, message } = judged(WHOLE, {}, { machine });
  assert.equal(code, 'receive-buffer-overrun');
  assert.match(message ?? '', /4 datagrams/);
  assert.equal(
    judged(WHOLE, {}, { machine: { udpReceiveBufferErrors: 0 } as MachineUse }).outcome,
    'ok',
  );
});

test('a connection set-up shorter than the path allows is no handshake', () => {
  const network = { ...NOTHING_ADDED, rttMs: 30 };
  const over = (connect: number, expected: Partial<Expected>) =>
    judged([{ ...DOCUMENT, connect }, MOVED, BEACON], { network, ...expected }).code;
  assert.equal(over(31, {}), null);
  assert.equal(over(20, {}), 'no-handshake');
  const h2 = [{ ...DOCUMENT, connect: 31 }, MOVED, BEACON].map((each) => ({
    ...each,
    httpVersion: 'h2',
  }));
  assert.equal(judged(h2, { network, protocol: 'h2' }).code, 'no-handshake');
  assert.equal(over(20, { network: { ...network, jitterMs: 6 } }), null);
});

test('a cold load with anything out of the cache is invalid', () => {
  const { code, message } = judged([DOCUMENT, { ...MOVED, fromCache: 'memory' }, BEACON]);
  assert.equal(code, 'from-cache');
  assert.match(message ?? '', /1 responses.*moved/);
});

test('a cold load may use a second time what it has fetched itself', () => {
  const again = { ...MOVED, fromCache: 'memory' as const };
  const manifest = { ...MANIFEST, complete: false };
  assert.equal(judged([DOCUMENT, MOVED, again], { manifest }).code, null);
  assert.equal(judged([DOCUMENT, again, MOVED], { manifest }).code, 'from-cache');
});

test('a cold load whose first connection to a host was resumed, or sent early data, is invalid', () => {
  const code = (...connections: Partial<ConnectionRecord>[]) =>
    judged(WHOLE, {}, { connections: opened(...connections) }).code;
  assert.equal(code({ handshake: 'resumed' }), 'resumed');
  assert.equal(code({}, { host: 'b.test', handshake: 'resumed' }), 'resumed');
  assert.equal(code({ earlyData: 'rejected' }), 'early-data');
  // What a browser learned within the load it may use within the load.
  assert.equal(code({}, { handshake: 'resumed' }), null);
});

const NONE_MADE: HandshakeCounts = {
  tlsFull: 0,
  tlsResumed: 0,
  tlsOther: 0,
  quicFull: 0,
  quicEarlyDataAccepted: 0,
  quicOther: 0,
};

test('without a NetLog, as many full handshakes as servers make a cold load', () => {
  const loaded = [DOCUMENT, MOVED, { ...BEACON, address: '10.89.1.2' }];
  const origins = { 'a.test': '10.89.1.1:443', 'b.test': '10.89.1.2:443' };
  const code = (counts: Partial<HandshakeCounts>, visit: 'cold' | 'resumed' = 'cold') =>
    judged(
      loaded,
      { origins, visit },
      { connections: null, handshakes: { ...NONE_MADE, ...counts } },
    ).code;
  assert.equal(code({ quicFull: 2 }), null);
  assert.equal(code({ quicFull: 2, quicEarlyDataAccepted: 1 }), null);
  assert.equal(code({ quicFull: 1, quicEarlyDataAccepted: 1 }), 'early-data');
  assert.equal(code({ quicFull: 1, quicOther: 1 }), 'resumed');
  assert.equal(code({ tlsFull: 1, tlsResumed: 5 }), 'resumed');
  assert.equal(code({ tlsFull: 2, tlsResumed: 5 }), null);
  assert.equal(code({ tlsResumed: 2 }, 'resumed'), null);
  assert.equal(code({ quicOther: 1, quicEarlyDataAccepted: 1 }, 'resumed'), null);
  assert.equal(code({ tlsFull: 2, tlsResumed: 1 }, 'resumed'), 'not-resumed');
});

test('a load whose handshakes nobody can tell does not count', () => {
  const unknown = { connections: null, handshakes: null };
  assert.equal(judged(WHOLE, {}, unknown).code, 'handshakes-unknown');
  assert.equal(judged(WHOLE, { visit: 'resumed' }, unknown).code, 'handshakes-unknown');
  // Fewer handshakes than servers were not all counted.
  const tooFew = { connections: null, handshakes: NONE_MADE };
  assert.equal(judged(WHOLE, {}, tooFew).code, 'handshakes-unknown');
});

test('a load that used a connection from before is invalid, on every kind of visit', () => {
  const connections = { opened: [], reused: [FULL], whole: true };
  const cached = [DOCUMENT, { ...MOVED, fromCache: 'disk' as const }, BEACON];
  assert.equal(judged(WHOLE, {}, { connections }).code, 'connection-kept');
  assert.equal(judged(WHOLE, { visit: 'resumed' }, { connections }).code, 'connection-kept');
  assert.equal(judged(cached, { visit: 'repeat' }, { connections }).code, 'connection-kept');
});

test('a resumed visit needs tickets on the first connection to each host, and no cache', () => {
  const visit = 'resumed';
  const code = (connection: Partial<ConnectionRecord>) =>
    judged(WHOLE, { visit }, { connections: opened(connection) }).code;
  assert.equal(code({}), 'not-resumed');
  assert.equal(code({ handshake: 'resumed' }), null);
  assert.equal(judged([DOCUMENT, { ...MOVED, fromCache: 'disk' }], { visit }).code, 'from-cache');
});

test('requests sent along with the handshake need no round trip for it', () => {
  const early = { handshake: 'resumed', earlyData: 'accepted' } as const;
  const { code } = judged(
    [{ ...DOCUMENT, connect: 0.4 }, MOVED, BEACON],
    { visit: 'resumed', network: { ...NOTHING_ADDED, rttMs: 30 } },
    { connections: opened(early) },
  );
  assert.equal(code, null);
});

test('a repeat visit needs something out of the cache where there is something to keep; a cached document needs no connection', () => {
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

test('a connection to another machine makes the load invalid, seen in the HAR or in the NetLog', () => {
  const fromHar = judged([DOCUMENT, { ...MOVED, address: '192.0.2.1' }, BEACON]);
  assert.equal(fromHar.code, 'foreign-host');
  assert.match(fromHar.message ?? '', /moved went to 192\.0\.2\.1/);
  const fromLog = judged(
    WHOLE,
    {},
    { connections: opened({}, { host: 'c.test', address: '[2001:db8::1]:443' }) },
  );
  assert.equal(fromLog.code, 'foreign-host');
});

test('more connections to a host than a browser makes are named; frames of other sites have their own', () => {
  const three = [DOCUMENT, { ...MOVED, connection: '8' }, { ...MOVED, connection: '9' }];
  const manifest = { ...MANIFEST, complete: false };
  const { code, message } = judged(three, { manifest });
  assert.equal(code, 'too-many-connections');
  assert.match(message ?? '', /a\.test was asked over 3 connections; by h3/);
  const frame = { url: 'https://frame.elsewhere/', type: 'document', connection: '10' };
  assert.equal(judged([...three, frame], { manifest }).code, null);
  const h1 = three.map((each) => ({ ...each, httpVersion: 'http/1.1' }));
  assert.equal(judged(h1, { manifest, protocol: 'http/1.1' }).code, null);
});
